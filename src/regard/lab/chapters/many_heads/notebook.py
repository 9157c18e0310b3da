import marimo

app = marimo.App(width="medium", app_title="Many heads")


@app.cell
def _():
    import marimo as mo

    from regard.lab.chapters.many_heads import designs, search, view
    from regard.lab.page import download_buttons, introduction, listing, show_figure
    from regard.lab.url_state import choice, number, read_link, whole_number, write_link
    from regard.lab.widgets.long_work import LongWork

    return (
        LongWork, choice, designs, download_buttons, introduction, listing, mo, number, read_link, search,
        show_figure, view, whole_number, write_link,
    )  # fmt: skip


@app.cell
def _(choice, designs, mo, number, read_link, whole_number):
    fields = {
        "scale": number(10.0, 0.3, 100),
        "heads": choice("2", designs.HEADS),
        "n": whole_number(10, 3, 24),
        "variance": number(0.5, 0, 1),
        "noise": choice("one", tuple(designs.NOISES.values())),
        "everywhere": choice("0.0001", designs.EVERYWHERE),
        "robust": choice("1", ("1", "2", "4")),
    }
    link = read_link(mo.query_params().to_dict(), fields)
    return fields, link


@app.cell
def _(introduction, link):
    introduction(
        "many-heads",
        "The values of $h$ keys are to be averaged while lengths of keys vary. One head reads all of them; or $h$ heads"
        " read one each, and their outputs are averaged. All see the same noise. More heads are steadier, but short"
        " queries leak more; and a single head that *pushes* may beat them all.",
        link.complaints,
    )


@app.cell
def _(designs, link, mo, step):
    _steps = [0.3, 0.5, 1, 1.5, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100]
    scale = mo.ui.slider(
        steps=_steps,
        value=min(_steps, key=lambda step: abs(step - link.values["scale"])),
        label="scale C",
        show_value=True,
    )
    n_heads = mo.ui.dropdown(designs.HEADS, value=link.values["heads"], label="wanted keys and heads, h")
    n_keys = mo.ui.slider(3, 24, value=link.values["n"], label="keys", show_value=True, debounce=True)
    variance = mo.ui.slider(
        0, 1, step=0.05, value=link.values["variance"], label="variance of the length", show_value=True, debounce=True
    )
    noise = mo.ui.dropdown(
        designs.NOISES, value=next(name for name, kind in designs.NOISES.items() if kind == link.values["noise"]),
        label="keys whose length varies",
    )  # fmt: skip
    everywhere = mo.ui.dropdown(
        designs.EVERYWHERE, value=link.values["everywhere"], label="variance of the noise in every direction"
    )
    mo.hstack([scale, n_heads, n_keys, variance, noise, everywhere], justify="start", gap=2, wrap=True)
    return everywhere, n_heads, n_keys, noise, scale, variance


@app.cell
def _(designs, everywhere, mo, n_heads, n_keys, noise, scale, variance, view):
    now, _note = designs.build_exercise(
        n_keys=n_keys.value,
        n_heads=int(n_heads.value),
        variance=float(variance.value),
        everywhere=float(everywhere.value),
        noise=noise.value,
    )
    _found = designs.evaluate_designs(now, float(scale.value))
    mo.vstack(
        [
            *([mo.callout(mo.plain_text(_note), kind="warn")] if _note else []),
            mo.md(f"{view.outcome_table(_found)}\n\n{view.exactness_text(_found)}"),
        ]
    )
    return (now,)


@app.cell
def _(designs, download_buttons, mo, now, scale, show_figure, view):
    with mo.status.spinner("Working out the exact errors …", remove_on_exit=True):
        _figure = view.figure(now, float(scale.value))
        _text = view.better_text(now)
    mo.vstack(
        [
            mo.md(_text),
            show_figure(_figure, label="Error against scale for each design, and the design with the smallest error"),
            download_buttons(_figure, designs.error_curves(now), name="many-heads"),
        ]
    )


@app.cell
def _(link, mo):
    robust_heads = mo.ui.dropdown(["1", "2", "4"], value=link.values["robust"], label="heads to design")
    mo.vstack(
        [
            mo.md(
                "## The robust design\n\nNeither pulling nor pushing need be best. The search goes down the exact"
                " gradient of the error over *all* queries, from the best of several starts, while you watch."
            ),
            robust_heads,
        ]
    )
    return (robust_heads,)


@app.cell
def _(LongWork, mo, now, robust_heads, search):
    robust_search = search.QuerySearch(now, int(robust_heads.value))
    work = None
    if now.noise != "together":
        work = mo.ui.anywidget(LongWork(robust_search, label="Find the robust design", axes=("designs tried", "error")))
    _refusal = "The search needs keys that vary independently; here all vary together."
    mo.callout(mo.plain_text(_refusal), kind="warn") if work is None else work
    return robust_search, work


@app.cell
def _(mo, robust_search, work):
    is_over = work is not None and work.value["state"] in ("done", "stopped") and bool(robust_search.steps)
    step = None
    if is_over and len(robust_search.steps) > 1:
        step = mo.ui.slider(
            1, len(robust_search.steps), value=len(robust_search.steps), label="step of the search", show_value=True
        )
    step
    return is_over, step


@app.cell
def _(designs, download_buttons, is_over, mo, now, robust_search, scale, search, show_figure, step, view):
    _parts = []
    if is_over:
        _at = step.value - 1 if step is not None else 0
        _figure = search.figure(robust_search, _at)
        _queries = robust_search.steps[_at].queries
        _chosen = designs.evaluate_queries(
            now, f"step {_at + 1} of the search, {search.heads_text(_queries)}", _queries
        )
        _parts = [
            mo.md(view.outcome_table((*designs.evaluate_designs(now, float(scale.value)), _chosen))),
            show_figure(_figure, label="How the error fell, and the queries of one step as bars"),
            download_buttons(_figure, search.step_columns(robust_search), name="robust-design"),
        ]
    mo.vstack(_parts) if _parts else None


@app.cell
def _(everywhere, fields, listing, mo, n_heads, noise, now, robust_heads, scale, variance, view, work, write_link):
    _link = {
        "scale": float(scale.value), "heads": n_heads.value, "n": now.n_keys, "variance": float(variance.value),
        "noise": noise.value, "everywhere": everywhere.value, "robust": robust_heads.value,
    }  # fmt: skip
    write_link(mo.query_params(), _link, fields)
    _is_found = work is not None and work.value["state"] == "done"
    listing(view.python_for(now, float(scale.value), robust_heads=int(robust_heads.value) if _is_found else None))


if __name__ == "__main__":
    app.run()
