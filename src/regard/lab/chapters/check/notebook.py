import marimo

app = marimo.App(width="medium", app_title="Check")


@app.cell
def _():
    import marimo as mo

    from regard.claims.meaning.settings import builtin_settings
    from regard.lab.chapters.check import links as pointers
    from regard.lab.chapters.check import view as checking
    from regard.lab.page import csv_text, listing, opening
    from regard.lab.url_state import choice, fits_link, read_view, typed, write_view
    from regard.lab.widgets.long_work import LongWork

    return (
        LongWork, builtin_settings, checking, choice, csv_text, fits_link, listing, mo, opening, pointers, read_view,
        typed, write_view,
    )  # fmt: skip


@app.cell
def _(builtin_settings, checking, choice, mo, read_view, typed):
    _first = checking.EXAMPLES["copying with any keys"]
    fields = {
        "claim": typed(_first.claim, most=checking.MAX_CHARACTERS),
        "setting": choice(_first.setting, ("", *builtin_settings())),
        "goal": typed("", most=checking.MAX_CHARACTERS),
    }
    view = read_view(mo.query_params().to_dict(), fields)
    return fields, view


@app.cell
def _(checking, opening, view):
    opening(
        "check",
        "A derivation that is nearly right looks like one that is right. Write a claim as you would on paper: it is"
        " tried on random instances of several sizes, and holds, holds in the limit, or fails; then on the smallest"
        f" instance that was found. {checking.limits_text()}",
        view.complaints,
    )


@app.cell
def _(checking, mo):
    example = mo.ui.dropdown(checking.EXAMPLES, label="an example", allow_select_none=True)
    example
    return (example,)


@app.cell
def _(builtin_settings, checking, example, mo, view):
    _start = example.value or checking.Asked(**view.values)
    claim = mo.ui.text_area(
        value=_start.claim, label="the claim, in LaTeX, plain text or Unicode", rows=3, debounce=400, full_width=True,
        max_length=checking.MOST_TYPED,
    )  # fmt: skip
    _settings = {checking.ANY_SETTING: "", **{name: name for name in builtin_settings()}}
    setting = mo.ui.dropdown(
        _settings, value=_start.setting or checking.ANY_SETTING, label="what the letters mean", allow_select_none=False
    )
    goal = mo.ui.text(
        value=_start.goal, label="a goal of your own", placeholder="the setting's", debounce=400,
        max_length=checking.MOST_TYPED,
    )  # fmt: skip
    mo.vstack([claim, mo.hstack([setting, goal], justify="start", gap=2, wrap=True)])
    return claim, goal, setting


@app.cell
def _(checking, claim, goal, mo, setting):
    asked = checking.Asked(claim.value, setting.value, goal.value)
    _statements = checking.typeset(asked.claim)
    _formulas = mo.md("\n\n".join(f"$${statement}$$" for statement in _statements or ()))
    mo.Html(f'<div class="claim" style="overflow-x: auto; overflow-y: hidden">{_formulas.text}</div>')
    return (asked,)


@app.cell
def _(LongWork, asked, checking, mo):
    with mo.status.spinner("Trying the claim …", remove_on_exit=True):
        _found = checking.verdict_at_once(asked)
    at_once, work = _found, None
    if at_once is None:
        work = mo.ui.anywidget(LongWork(checking.patient_verdict(asked), label="Try the claim", starts=True))
    work
    return at_once, work


@app.cell
def _(at_once, checking, mo, work):
    verdict = at_once
    if work is not None and work.value["state"] == "done":
        verdict = work.widget.result
    None if verdict is None else mo.callout(
        mo.Html(checking.verdict_html(verdict)), kind=checking.KINDS.get(verdict.verdict, "warn")
    )
    return (verdict,)


@app.cell
def _(csv_text, mo, pointers, verdict):
    _example = None if verdict is None else verdict.counterexample
    None if _example is None else mo.vstack(
        [
            mo.md(f"## The counterexample\n\n{pointers.links_text(pointers.pointers(verdict))}"),
            mo.md(pointers.numbers_table(_example)),
            mo.hstack(
                [mo.download(csv_text(pointers.numbers_of(_example)).encode(), "counterexample.csv", label="CSV")],
                justify="start",
            ),
        ]
    )


@app.cell
def _(asked, checking, mo):
    mo.accordion({"What the letters mean": mo.md(checking.letters_table(asked.chosen_setting))})


@app.cell
def _(asked, checking, fields, fits_link, listing, mo, write_view):
    _fits = fits_link(asked.claim, asked.goal)
    if _fits:
        write_view(mo.query_params(), vars(asked), fields)
    mo.vstack(
        [
            *([] if _fits else [mo.callout(mo.plain_text("This is too long for a link."), kind="warn")]),
            listing(checking.python_for(asked)),
        ]
    )


if __name__ == "__main__":
    app.run()
