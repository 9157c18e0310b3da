import marimo

app = marimo.App(width="medium", app_title="Many heads")


@app.cell
def _():
    import marimo as mo

    from regard.lab.chapters.many_heads import designs as heads
    from regard.lab.chapters.many_heads import search as seeking
    from regard.lab.chapters.many_heads import view as contest
    from regard.lab.page import download_buttons, listing, opening, shown
    from regard.lab.url_state import choice, number, read_view, whole, write_view
    from regard.lab.widgets.long_work import LongWork

    return (
        LongWork, choice, contest, download_buttons, heads, listing, mo, number, opening, read_view, seeking, shown,
        whole, write_view,
    )  # fmt: skip


@app.cell
def _(choice, heads, mo, number, read_view, whole):
    fields = {
        "scale": number(10.0, 0.3, 100),
        "heads": choice("2", heads.HEADS),
        "n": whole(10, 3, 24),
        "variance": number(0.5, 0, 1),
        "noise": choice("one", tuple(heads.NOISES.values())),
        "everywhere": choice("0.0001", heads.EVERYWHERE),
        "robust": choice("1", ("1", "2", "4")),
    }
    view = read_view(mo.query_params().to_dict(), fields)
    return fields, view


@app.cell
def _(opening, view):
    opening(
        "many-heads",
        "The values of $h$ keys are to be averaged while lengths of keys vary. One head reads all of them; or $h$ heads"
        " read one each, and their outputs are averaged. All see the same noise. More heads are steadier, but short"
        " queries leak more; and a single head that *pushes* may beat them all.",
        view.complaints,
    )


@app.cell
def _(heads, mo, view):
    _steps = [0.3, 0.5, 1, 1.5, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100]
    scale = mo.ui.slider(
        steps=_steps,
        value=min(_steps, key=lambda step: abs(step - view.values["scale"])),
        label="scale C",
        show_value=True,
    )
    n_heads = mo.ui.dropdown(heads.HEADS, value=view.values["heads"], label="wanted keys and heads, h")
    n_keys = mo.ui.slider(3, 24, value=view.values["n"], label="keys", show_value=True, debounce=True)
    variance = mo.ui.slider(
        0, 1, step=0.05, value=view.values["variance"], label="variance of the length", show_value=True, debounce=True
    )
    noise = mo.ui.dropdown(
        heads.NOISES, value=next(name for name, kind in heads.NOISES.items() if kind == view.values["noise"]),
        label="it is the length",
    )  # fmt: skip
    everywhere = mo.ui.dropdown(
        heads.EVERYWHERE, value=view.values["everywhere"], label="variance in every direction beside it"
    )
    mo.hstack([scale, n_heads, n_keys, variance, noise, everywhere], justify="start", gap=2, wrap=True)
    return everywhere, n_heads, n_keys, noise, scale, variance


@app.cell
def _(contest, everywhere, heads, mo, n_heads, n_keys, noise, scale, variance):
    now, _told = heads.exercise(
        n_keys=n_keys.value,
        n_heads=int(n_heads.value),
        variance=float(variance.value),
        everywhere=float(everywhere.value),
        noise=noise.value,
    )
    _found = heads.outcomes(now, float(scale.value))
    mo.vstack(
        [
            *([mo.callout(mo.plain_text(_told), kind="warn")] if _told else []),
            mo.md(f"{contest.outcome_table(_found)}\n\n{contest.exactness(_found)}"),
        ]
    )
    return (now,)


@app.cell
def _(contest, download_buttons, heads, mo, now, scale, shown):
    with mo.status.spinner("Working out the exact errors …", remove_on_exit=True):
        _figure = contest.figure(now, float(scale.value))
        _text = contest.better_text(now)
    mo.vstack(
        [
            mo.md(_text),
            shown(_figure, label="Error against scale for each design, and which design errs least"),
            download_buttons(_figure, heads.error_curves(now), name="many-heads"),
        ]
    )


@app.cell
def _(mo, view):
    robust_heads = mo.ui.dropdown(["1", "2", "4"], value=view.values["robust"], label="heads to design")
    mo.vstack(
        [
            mo.md(
                "## The robust design\n\nNeither pulling nor pushing need be best. The search goes down the exact"
                " gradient of the error over *all* queries, from the best of several starts; look on."
            ),
            robust_heads,
        ]
    )
    return (robust_heads,)


@app.cell
def _(LongWork, mo, now, robust_heads, seeking):
    search = seeking.Search(now, int(robust_heads.value))
    work = None
    if now.noise != "together":
        work = mo.ui.anywidget(LongWork(search, label="Find the robust design", axes=("designs tried", "error")))
    _refusal = "The search needs keys that vary independently; here all vary together."
    mo.callout(mo.plain_text(_refusal), kind="warn") if work is None else work
    return search, work


@app.cell
def _(mo, search, work):
    is_over = work is not None and work.value["state"] in ("done", "stopped") and bool(search.steps)
    step = None
    if is_over and len(search.steps) > 1:
        step = mo.ui.slider(1, len(search.steps), value=len(search.steps), label="step of the search", show_value=True)
    step
    return is_over, step


@app.cell
def _(contest, download_buttons, heads, is_over, mo, now, scale, search, seeking, shown, step):
    _parts = []
    if is_over:
        _at = step.value - 1 if step is not None else 0
        _figure = seeking.figure(search, _at)
        _queries = search.steps[_at].queries
        _mine = heads.outcome_of(now, f"step {_at + 1} of the search, {seeking.heads_text(_queries)}", _queries)
        _parts = [
            mo.md(contest.outcome_table((*heads.outcomes(now, float(scale.value)), _mine))),
            shown(_figure, label="How the error fell, and the queries of one step as bars"),
            download_buttons(_figure, seeking.columns(search), name="robust-design"),
        ]
    mo.vstack(_parts) if _parts else None


@app.cell
def _(contest, everywhere, fields, listing, mo, n_heads, noise, now, robust_heads, scale, variance, work, write_view):
    _view = {
        "scale": float(scale.value), "heads": n_heads.value, "n": now.n_keys, "variance": float(variance.value),
        "noise": noise.value, "everywhere": everywhere.value, "robust": robust_heads.value,
    }  # fmt: skip
    write_view(mo.query_params(), _view, fields)
    _is_found = work is not None and work.value["state"] == "done"
    listing(contest.python_for(now, float(scale.value), robust_heads=int(robust_heads.value) if _is_found else None))


if __name__ == "__main__":
    app.run()
