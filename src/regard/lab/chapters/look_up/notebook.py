import marimo

app = marimo.App(width="medium", app_title="Look-up")


@app.cell
def _():
    import marimo as mo

    from regard.lab.chapters.look_up import view as copying
    from regard.lab.page import listing, opening
    from regard.lab.url_state import number, points, read_view, whole, write_view
    from regard.lab.widgets.attention_plane import EXTENT, MOST_KEYS, SCALES, AttentionPlane

    return (
        AttentionPlane, EXTENT, MOST_KEYS, SCALES, copying, listing, mo, number, opening, points, read_view, whole,
        write_view,
    )  # fmt: skip


@app.cell
def _(AttentionPlane, EXTENT, MOST_KEYS, SCALES, mo, number, points, read_view, whole):
    fields = {
        "keys": points(AttentionPlane.EXAMPLE, most=MOST_KEYS, extent=EXTENT),
        "query": points([[0.6, 0.7]], most=1, extent=EXTENT),
        "scale": number(3.0, *SCALES),
        "key": whole(0, 0, MOST_KEYS - 1),
    }
    view = read_view(mo.query_params().to_dict(), fields)
    return fields, view


@app.cell
def _(opening, view):
    opening(
        "look-up",
        "A query $q$ reads keys $k_i$ with weights $\\alpha = \\mathrm{softmax}(C\\,Kq)$ and gets $c = \\sum_i"
        " \\alpha_i v_i$; here the values are colours. Drag the query or a key, or focus one and use the arrow keys.",
        view.complaints,
    )


@app.cell
def _(AttentionPlane, mo, view):
    plane = mo.ui.anywidget(
        AttentionPlane(
            view.values["keys"],
            query=view.values["query"][0],
            scale=view.values["scale"],
            chosen=min(view.values["key"], len(view.values["keys"]) - 1),
        )
    )
    plane
    return (plane,)


@app.cell
def _(copying, mo, plane):
    now = copying.situation(plane.value)
    confirmed = None if now is None else copying.confirm(now)
    mo.md("*The browser is drawing …*" if confirmed is None else copying.agreement(confirmed))
    return confirmed, now


@app.cell
def _(confirmed, copying, mo, now, plane):
    aim = None
    if now is not None:
        _bound = confirmed.bound
        aim = mo.ui.button(
            label=f"Aim at key {now.chosen}" if _bound is None else f"Give key {now.chosen} all it can have",
            on_click=lambda _: plane.widget.update(copying.aimed(now, _bound)),
            disabled=_bound is not None and _bound.query is None,
        )
    return (aim,)


@app.cell
def _(aim, confirmed, copying, mo, now):
    None if now is None else mo.vstack([mo.md(copying.answer(now, confirmed)), aim])


@app.cell
def _(copying, listing, now):
    None if now is None else listing(copying.python_for(now))


@app.cell
def _(copying, fields, mo, now, write_view):
    if now is not None:
        write_view(mo.query_params(), copying.view_of(now), fields)


if __name__ == "__main__":
    app.run()
