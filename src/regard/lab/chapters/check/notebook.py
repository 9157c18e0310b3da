import marimo

app = marimo.App(width="medium", app_title="Check")


@app.cell
def _():
    import marimo as mo

    from regard.claims.meaning.setting import builtin_settings
    from regard.lab.chapters.check import links, view
    from regard.lab.page import csv_text, introduction, listing
    from regard.lab.url_state import choice, fits_link, free_text, read_link, write_link
    from regard.lab.widgets.long_work import LongWork

    return (
        LongWork, builtin_settings, choice, csv_text, fits_link, free_text, introduction, links, listing, mo,
        read_link, view, write_link,
    )  # fmt: skip


@app.cell
def _(builtin_settings, choice, free_text, mo, read_link, view):
    _first = view.EXAMPLES["copying with any keys"]
    fields = {
        "claim": free_text(_first.claim, most=view.MAX_CHARACTERS),
        "setting": choice(_first.setting, ("", *builtin_settings())),
        "goal": free_text("", most=view.MAX_CHARACTERS),
    }
    link = read_link(mo.query_params().to_dict(), fields)
    return fields, link


@app.cell
def _(introduction, link, view):
    introduction(
        "check",
        "A derivation that is nearly right looks like one that is right. Write a claim as you would on paper: it is"
        " tried on random instances of several sizes, and holds, holds in the limit, or fails; then on the smallest"
        f" instance that was found. {view.limits_text()}",
        link.complaints,
    )


@app.cell
def _(mo, view):
    example = mo.ui.dropdown(view.EXAMPLES, label="an example", allow_select_none=True)
    example
    return (example,)


@app.cell
def _(builtin_settings, example, link, mo, view):
    _start = example.value or view.Question(**link.values)
    claim = mo.ui.text_area(
        value=_start.claim, label="the claim, in LaTeX, plain text or Unicode", rows=3, debounce=400, full_width=True,
        max_length=view.MAX_TYPED,
    )  # fmt: skip
    _settings = {view.ANY_SETTING: "", **{name: name for name in builtin_settings()}}
    setting = mo.ui.dropdown(
        _settings, value=_start.setting or view.ANY_SETTING, label="what the letters mean", allow_select_none=False
    )
    goal = mo.ui.text(
        value=_start.goal, label="a goal of your own", placeholder="the setting's", debounce=400,
        max_length=view.MAX_TYPED,
    )  # fmt: skip
    mo.vstack([claim, mo.hstack([setting, goal], justify="start", gap=2, wrap=True)])
    return claim, goal, setting


@app.cell
def _(claim, goal, mo, setting, view):
    question = view.Question(claim.value, setting.value, goal.value)
    _statements = view.typeset(question.claim)
    _formulas = mo.md("\n\n".join(f"$${statement}$$" for statement in _statements or ()))
    mo.Html(f'<div class="claim" style="overflow-x: auto; overflow-y: hidden">{_formulas.text}</div>')
    return (question,)


@app.cell
def _(LongWork, mo, question, view):
    with mo.status.spinner("Trying the claim …", remove_on_exit=True):
        _found = view.quick_verdict(question)
    at_once, work = _found, None
    if at_once is None:
        work = mo.ui.anywidget(LongWork(view.verdict_job(question), label="Try the claim", starts=True))
    work
    return at_once, work


@app.cell
def _(at_once, mo, view, work):
    verdict = at_once
    if work is not None and work.value["state"] == "done":
        verdict = work.widget.result
    None if verdict is None else mo.callout(
        mo.Html(view.verdict_html(verdict)), kind=view.KINDS.get(verdict.verdict, "warn")
    )
    return (verdict,)


@app.cell
def _(csv_text, links, mo, verdict):
    _counterexample = None if verdict is None else verdict.counterexample
    None if _counterexample is None else mo.vstack(
        [
            mo.md(f"## The counterexample\n\n{links.links_text(links.chapter_links(verdict))}"),
            mo.md(links.number_table(_counterexample)),
            mo.hstack(
                [
                    mo.download(
                        csv_text(links.number_columns(_counterexample)).encode(), "counterexample.csv", label="CSV"
                    )
                ],
                justify="start",
            ),
        ]
    )


@app.cell
def _(mo, question, view):
    mo.accordion({"What the letters mean": mo.md(view.letters_table(question.effective_setting))})


@app.cell
def _(fields, fits_link, listing, mo, question, view, write_link):
    _fits = fits_link(question.claim, question.goal)
    if _fits:
        write_link(mo.query_params(), vars(question), fields)
    mo.vstack(
        [
            *([] if _fits else [mo.callout(mo.plain_text("This is too long for a link."), kind="warn")]),
            listing(view.python_for(question)),
        ]
    )


if __name__ == "__main__":
    app.run()
