import marimo

app = marimo.App(width="medium", app_title="Look-up")


@app.cell
def _():
    import marimo as mo

    from regard.lab.chapters.look_up import view
    from regard.lab.page import introduction, listing
    from regard.lab.url_state import number, points, read_link, whole_number, write_link
    from regard.lab.widgets.attention_plane import EXTENT, MAX_KEYS, SCALES, AttentionPlane

    return (
        AttentionPlane, EXTENT, MAX_KEYS, SCALES, introduction, listing, mo, number, points, read_link, view,
        whole_number, write_link,
    )  # fmt: skip


@app.cell
def _(AttentionPlane, EXTENT, MAX_KEYS, SCALES, mo, number, points, read_link, whole_number):
    fields = {
        "keys": points(AttentionPlane.EXAMPLE, most=MAX_KEYS, extent=EXTENT),
        "query": points([[0.6, 0.7]], most=1, extent=EXTENT),
        "scale": number(3.0, *SCALES),
        "key": whole_number(0, 0, MAX_KEYS - 1),
    }
    link = read_link(mo.query_params().to_dict(), fields)
    return fields, link


@app.cell
def _(introduction, link):
    introduction(
        "look-up",
        "A query $q$ reads keys $k_i$ with weights $\\alpha = \\mathrm{softmax}(C\\,Kq)$ and gets $c = \\sum_i"
        " \\alpha_i v_i$; here the values are colours. Drag the query or a key, or focus one and use the arrow keys.",
        link.complaints,
    )


@app.cell
def _(AttentionPlane, link, mo):
    plane = mo.ui.anywidget(
        AttentionPlane(
            link.values["keys"],
            query=link.values["query"][0],
            scale=link.values["scale"],
            chosen=min(link.values["key"], len(link.values["keys"]) - 1),
        )
    )
    plane
    return (plane,)


@app.cell
def _(mo, plane, view):
    now = view.read_situation(plane.value)
    confirmation = None if now is None else view.confirm(now)
    mo.md("*The browser is drawing …*" if confirmation is None else view.agreement_text(confirmation))
    return confirmation, now


@app.cell
def _(confirmation, mo, now, plane, view):
    aim = None
    if now is not None:
        _bound = confirmation.bound
        aim = mo.ui.button(
            label=f"Aim at key {now.chosen}" if _bound is None else f"Give key {now.chosen} all it can have",
            on_click=lambda _: plane.widget.update(view.aim_query(now, _bound)),
            disabled=_bound is not None and _bound.query is None,
        )
    return (aim,)


@app.cell
def _(aim, confirmation, mo, now, view):
    None if now is None else mo.vstack([mo.md(view.answer_text(now, confirmation)), aim])


@app.cell
def _(listing, now, view):
    None if now is None else listing(view.python_for(now))


@app.cell
def _(fields, mo, now, view, write_link):
    if now is not None:
        write_link(mo.query_params(), view.link_values(now), fields)


if __name__ == "__main__":
    app.run()
