"""The widget without the lab: any host that gives it a model, as Jupyter does."""

import pytest
from tests.lab.conftest import hear
from tests.support.head_study import KINDS, head_patterns, head_table
from tests.support.lab import expect, wait_until_drawn

from regard.lab.widgets.attention_plane import AttentionPlane
from regard.lab.widgets.head_map import HeadMap
from regard.report.heads_page import study_data

HOST = """
async ([module, css, state]) => {
  document.head.append(Object.assign(document.createElement("style"), { textContent: css }));
  const address = URL.createObjectURL(new Blob([module], { type: "text/javascript" }));
  const heard = {};
  window.model = {
    state, saved: 0,
    get: (name) => state[name],
    set(name, value) { state[name] = value; (heard[`change:${name}`] ?? []).forEach((listener) => listener()); },
    on(name, listener) { (heard[name] ??= []).push(listener); },
    save_changes() { this.saved += 1; },
  };
  const widget = (await import(address)).default;
  widget.render({ model: window.model, el: document.body.appendChild(document.createElement("div")) });
}
"""


@pytest.fixture
def host(page):
    plane = AttentionPlane([[1, 0], [0, 1], [-1, -1]], query=[0.5, 0.0], scale=2)
    state = {name: value for name, value in plane.get_state().items() if not name.startswith("_")}
    page.goto("about:blank")
    page.evaluate(HOST, [str(plane._esm), str(plane._css), state])
    return page


def test_it_draws_computes_and_tells(host):
    expect(host.locator(".handle")).to_have_count(4)
    weights = host.evaluate("model.state.weights")
    powers = [2.718281828459045**1, 1, 2.718281828459045**-1]
    assert weights == pytest.approx([power / sum(powers) for power in powers])
    assert host.evaluate("model.saved") == 1


def test_dragging_sets_the_model(host):
    box = host.get_by_role("slider", name="Query", exact=True).bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    host.mouse.move(x, y)
    host.mouse.down()
    host.mouse.move(x - 30, y - 60, steps=4)
    host.mouse.up()
    wait_until_drawn(host)
    query = host.evaluate("model.state.query")
    assert query[0] < 0.45
    assert query[1] > 0.1


def test_what_python_sets_is_shown(host):
    host.evaluate("model.set('query', [-1.5, 0.25])")
    expect(host.get_by_role("slider", name="Query", exact=True)).to_have_attribute("aria-valuetext", "x -1.50, y 0.25")
    host.evaluate("model.set('points', [[1, 1], [0, 0]])")
    expect(host.locator(".handle")).to_have_count(3)


def test_keys_are_added_up_to_the_most_and_removed_down_to_two(host):
    press_often = "(button) => { for (let n = 0; n < 60; n += 1) button.click(); }"
    host.get_by_role("button", name="Add a key").evaluate(press_often)
    host.locator('button[aria-label="Add a key"]:disabled').wait_for()
    expect(host.locator(".handle.key")).to_have_count(50)
    host.get_by_role("button", name="Remove the chosen key").evaluate(press_often)
    host.locator('button[aria-label="Remove the chosen key"]:disabled').wait_for()
    expect(host.locator(".handle.key")).to_have_count(2)


@pytest.fixture
def map_host(page):
    """The map of four heads in a host of its own, and what it complained of."""
    widget = HeadMap(study=study_data(head_table(), head_patterns(), kinds=KINDS))
    with hear(page) as said:
        page.said = said
        page.goto("about:blank")
        page.evaluate(HOST, [str(widget._esm), str(widget._css), {"study": widget.study}])
        page.wait_for_selector("[data-ready=yes]")
        yield page


def test_the_map_of_heads_is_drawn_and_a_head_chosen(map_host):
    expect(map_host.locator(".cell")).to_have_count(4)
    map_host.get_by_role("button", name="layer 0 head 1: previous token").click()
    expect(map_host.get_by_role("heading", level=2).last).to_have_text("Layer 0, head 1: previous token")
    map_host.get_by_label("coloured by").select_option("previous")
    expect(map_host.locator(".cell").nth(1)).to_have_attribute("fill", "rgb(0,84,140)")
    assert map_host.said == []


def test_a_map_without_a_study_says_so(page):
    widget = HeadMap()
    page.goto("about:blank")
    page.evaluate(HOST, [str(widget._esm), str(widget._css), {"study": widget.study}])
    expect(page.locator("body")).to_contain_text("no heads")
    study = study_data(head_table(), head_patterns(), kinds=KINDS)
    page.evaluate("(study) => model.set('study', study)", study)
    expect(page.locator(".cell")).to_have_count(4)
    expect(page.locator("body")).not_to_contain_text("no heads")
