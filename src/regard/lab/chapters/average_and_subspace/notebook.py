import marimo

app = marimo.App(width="medium", app_title="Average and subspace")


@app.cell
def _():
    import marimo as mo

    from regard.lab.chapters.average_and_subspace import view
    from regard.lab.page import download_buttons, introduction, listing, show_figure
    from regard.lab.url_state import choice, counts, number, read_link, write_link

    return choice, counts, download_buttons, introduction, listing, mo, number, read_link, show_figure, view, write_link


@app.cell
def _(choice, counts, mo, number, read_link, view):
    fields = {
        "shares": counts([1, 1, 0, 0, 0], 10, most=view.MAX_KEYS),
        "error": choice("0.01", ("0.1", "0.01", "0.001", "0.0001")),
        "angle": number(60.0, 1, 90),
        "length": number(1.5, 0.1, 2),
    }
    link = read_link(mo.query_params().to_dict(), fields)
    return fields, link


@app.cell
def _(introduction, link):
    introduction(
        "average-and-subspace",
        "With orthonormal keys a query can read any mix of the values: equal shares make an average. A key without a"
        " share keeps a little weight, which shrinks as the query grows.",
        link.complaints,
    )


@app.cell
def _(link, mo):
    _start = link.values["shares"]
    n_keys = mo.ui.slider(2, 8, value=len(_start), label="keys", show_value=True, debounce=True)
    error = mo.ui.dropdown(
        ["0.1", "0.01", "0.001", "0.0001"], value=link.values["error"], label="weight that the others may keep"
    )
    mo.hstack([n_keys, error], justify="start", gap=2, wrap=True)
    return error, n_keys


@app.cell
def _(link, mo, n_keys):
    _start = [*link.values["shares"], *[0] * 8][: n_keys.value]
    shares = mo.ui.array(
        [
            mo.ui.slider(0, 10, value=share, label=f"share of key {place}", show_value=True)
            for place, share in enumerate(_start)
        ]
    )
    mo.hstack(list(shares), justify="start", wrap=True)
    return (shares,)


@app.cell
def _(download_buttons, error, mo, shares, show_figure, view):
    wanted = shares.value if any(shares.value) else [1, *shares.value[1:]]  # nothing wanted is no mix
    design = view.design_mix(wanted, error=float(error.value))
    _figure = view.weights_figure(design)
    mo.vstack(
        [
            mo.md(view.mix_text(design)),
            show_figure(_figure, label="Wanted and reached weight of each key"),
            download_buttons(
                _figure,
                {"key": range(len(wanted)), "wanted": design.wanted, "reached": design.weights},
                name="average",
            ),
        ]
    )
    return (wanted,)


@app.cell
def _(mo):
    mo.md(
        "## One summand back out\n\nThe output is a sum, $s = v_a + v_b$. If $v_a$ lies in a subspace with orthonormal"
        " basis $A$, and $v_b$ in one orthogonal to it, then $P_A = AA^\\top$ gives $P_A s = v_a$. Turn the angle"
        " between the two and watch the error."
    )


@app.cell
def _(link, mo):
    angle = mo.ui.slider(
        1, 90, step=1, value=round(link.values["angle"]), label="angle between the subspaces", show_value=True
    )
    length = mo.ui.slider(0.1, 2.0, step=0.1, value=link.values["length"], label="length of v_b", show_value=True)
    mo.hstack([angle, length], justify="start", gap=2, wrap=True)
    return angle, length


@app.cell
def _(angle, download_buttons, length, mo, show_figure, view):
    parts = view.extract_summand(float(angle.value), length=float(length.value))
    _figure = view.sum_figure(parts)
    mo.vstack(
        [
            mo.md(view.extraction_text(parts)),
            show_figure(
                _figure, label="Two summands, their sum and its projections; error and noise gain against the angle"
            ),
            download_buttons(_figure, view.curve_columns(float(length.value)), name="subspace"),
        ]
    )


@app.cell
def _(angle, error, fields, length, listing, mo, view, wanted, write_link):
    _link = {
        "shares": wanted, "error": error.value, "angle": float(angle.value), "length": float(length.value),
    }  # fmt: skip
    write_link(mo.query_params(), _link, fields)
    listing(view.python_for(wanted, error=float(error.value), angle_degrees=_link["angle"], length=_link["length"]))


if __name__ == "__main__":
    app.run()
