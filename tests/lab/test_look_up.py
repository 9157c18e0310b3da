"""Chapter 1 in a real browser, as a person would use it."""

import re
from urllib.parse import parse_qsl, urlsplit

import numpy as np
import pytest
from tests.support.lab import expect, open_chapter, run_listing, wait_until_drawn

CHAPTER = "look-up"
COUNT_ENTRIES = """() => {
  window.pushed = 0;
  const push = history.pushState;
  history.pushState = (...given) => { window.pushed += 1; push.apply(history, given); };
}"""


@pytest.fixture(scope="module")
def opened_page(shared_visit):
    return open_chapter(shared_visit, CHAPTER)


@pytest.fixture
def untouched_page(opened_page):
    """The chapter as it opens, for tests that move nothing."""
    opened_page.bring_to_front()
    return opened_page


def handle(page, name):
    return page.locator(f'.plane .handle[aria-label="{name}"]')


def place(page, name):
    """The coordinates that a screen reader is told."""
    spoken = handle(page, name).get_attribute("aria-valuetext")
    return tuple(float(number) for number in re.findall(r"[xy] (-?[\d.]+)", spoken))


def from_link(url, name):
    """The points that the page has written into the address bar."""
    rows = dict(parse_qsl(urlsplit(url).query)).get(name, "")
    return [tuple(float(part) for part in row.split(",")) for row in rows.split(";") if row]


def drag(page, name, *, by):
    box = handle(page, name).locator(".dot, .query-mark").bounding_box()  # without the name that stands beside it
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + by[0], y + by[1], steps=8)
    page.mouse.up()
    wait_until_drawn(page)


def test_python_agrees_with_the_browser(untouched_page):
    text = untouched_page.get_by_text("Python agrees").inner_text()
    assert float(re.search(r"at most ([\d.e+-]+)\.$", text)[1]) < 1e-12


def test_dragging_a_key_reaches_python_and_the_address(chapter):
    page = open_chapter(chapter, CHAPTER)
    before = place(page, "Key 3")
    drag(page, "Key 3", by=(60, -40))
    page.get_by_role("heading", name="Copying key 3").wait_for()
    after = place(page, "Key 3")
    assert after[0] > before[0] + 0.2
    assert after[1] > before[1] + 0.1
    page.wait_for_url(lambda url: from_link(url, "keys")[3:4] == [pytest.approx(after, abs=0.006)])


def test_a_link_reproduces_the_view(chapter):
    page = open_chapter(chapter, CHAPTER, "keys=1,0;-1,0;0,0.25&query=0.5,-0.75&scale=7.5&key=1")
    assert place(page, "Key 2") == (0.0, 0.25)
    assert place(page, "Query") == (0.5, -0.75)
    expect(page.get_by_role("slider", name="scale C of the query")).to_have_attribute("aria-valuetext", "7.50")
    expect(page.get_by_role("heading", name="Copying key 1")).to_be_visible()
    drag(page, "Query", by=(30, 0))
    dragged_to = place(page, "Query")
    assert dragged_to[0] > 0.6
    page.wait_for_url(lambda url: from_link(url, "query") == [pytest.approx(dragged_to, abs=0.006)])
    again = open_chapter(chapter, CHAPTER, urlsplit(page.url).query)
    assert place(again, "Query") == dragged_to
    assert place(again, "Key 2") == (0.0, 0.25)


def test_a_wrong_link_is_told_in_the_page(chapter):
    page = open_chapter(chapter, CHAPTER, "scale=loud&keys=9,9")
    complaint = "scale in this link should be a number from 0.1 to 1000, not 'loud'; 3 is used instead"
    expect(page.get_by_text(complaint)).to_be_visible()
    expect(page.get_by_text("keys in this link should be 1 to 50 points")).to_be_visible()


def test_the_keyboard_moves_and_chooses(chapter):
    page = open_chapter(chapter, CHAPTER)
    handle(page, "Key 4").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowUp")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Key 4 can never win").wait_for()
    assert place(page, "Key 4") == (0.15, 0.45)
    handle(page, "Key 4").focus()
    page.keyboard.press("Delete")
    page.wait_for_url(re.compile("keys="))
    expect(handle(page, "Key 4")).to_have_count(0)


def test_a_key_inside_the_hull_gets_its_bound_and_no_more(chapter):
    page = open_chapter(chapter, CHAPTER, "keys=1,1;-1,1;-1,-1;1,-1;0,0&key=4")
    assert "never more than 0.20" in handle(page, "Key 4").get_attribute("aria-valuetext")
    expect(page.get_by_role("heading", name="Key 4 can never win")).to_be_visible()
    page.get_by_role("button", name="Give key 4 all it can have").click()
    page.wait_for_url(lambda url: from_link(url, "query") == [(0.0, 0.0)])
    expect(handle(page, "Key 4")).to_have_attribute("aria-valuetext", re.compile("weight 0.20"))


def test_aiming_copies_the_chosen_key(chapter):
    page = open_chapter(chapter, CHAPTER, "key=2")
    page.get_by_role("button", name="Aim at key 2").click()
    page.wait_for_url(re.compile("query="))
    expect(handle(page, "Key 2")).to_have_attribute("aria-valuetext", re.compile(r"weight (0\.99|1\.0)"))


@pytest.mark.parametrize(("kind", "start"), [("SVG", b"<svg"), ("PNG", b"\x89PNG"), ("CSV", b"key,x,y,red")])
def test_the_figure_and_its_data_are_saved(untouched_page, kind, start, tmp_path):
    with untouched_page.expect_download() as download:
        untouched_page.get_by_role("button", name=f"Save as {kind}").click()
    assert download.value.suggested_filename == f"attention-plane.{kind.lower()}"
    download.value.save_as(tmp_path / "saved")
    assert (tmp_path / "saved").read_bytes().startswith(start)
    if kind == "SVG":  # whole in itself: its colours written out, nothing that only this page knows
        text = (tmp_path / "saved").read_text()
        assert re.search(r'fill="rgb\(\d+,\d+,\d+\)"', text)
        assert not re.search(r"var\(|class=|currentcolor", text)


def test_fifty_keys_are_drawn_and_dragged(chapter):
    rows = ";".join(f"{1.6 * (n % 10) / 9 - 0.8:.2f},{1.6 * (n // 10) / 4 - 0.8:.2f}" for n in range(50))
    page = open_chapter(chapter, CHAPTER, f"keys={rows}")
    expect(page.locator(".plane .handle")).to_have_count(51)
    drag(page, "Key 27", by=(30, 20))
    dragged_to = place(page, "Key 27")
    page.wait_for_url(lambda url: from_link(url, "keys")[27:28] == [pytest.approx(dragged_to, abs=0.006)])


@pytest.mark.parametrize("query", ["", "keys=1,1;-1,1;-1,-1;1,-1;0.1,0.3&key=4&scale=3.3&query=0.5,-0.25"])
def test_the_shown_python_gives_the_shown_numbers(chapter, query):
    page = open_chapter(chapter, CHAPTER, query)
    names = run_listing(page)
    shown = [handle(page, f"Key {n}").get_attribute("aria-valuetext") for n in range(5)]
    weights = [float(re.search(r"weight ([\d.e-]+)", text)[1]) for text in shown]
    np.testing.assert_allclose(names["weights"], weights, rtol=0.05, atol=0.005)
    assert (names["bound"] is None) == (query == "")
    if query:
        expect(page.locator(".answer")).to_contain_text(f"= {names['bound'].bound:.4g}")


def test_dragging_is_one_entry_and_back_brings_the_view_again(chapter):
    page = open_chapter(chapter, CHAPTER)
    page.evaluate(COUNT_ENTRIES)
    start = place(page, "Query")
    drag(page, "Query", by=(60, 0))
    page.wait_for_url(re.compile("query="))
    first = place(page, "Query")
    drag(page, "Query", by=(0, 50))
    second = place(page, "Query")
    page.wait_for_url(lambda url: from_link(url, "query") == [pytest.approx(second, abs=0.006)])
    page.go_back()
    expect(handle(page, "Query")).to_have_attribute("aria-valuetext", f"x {first[0]:.2f}, y {first[1]:.2f}")
    page.go_back()
    expect(handle(page, "Query")).to_have_attribute("aria-valuetext", f"x {start[0]:.2f}, y {start[1]:.2f}")
    page.go_forward()
    expect(handle(page, "Query")).to_have_attribute("aria-valuetext", f"x {first[0]:.2f}, y {first[1]:.2f}")
    assert page.evaluate("pushed") == 2


def test_a_hand_that_comes_back_at_once_loses_no_entry(chapter):
    page = open_chapter(chapter, CHAPTER)
    box = handle(page, "Query").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 30, y)
    page.wait_for_url(re.compile("query="))  # the hand rests on its way
    page.mouse.move(x + 60, y)
    page.mouse.up()
    page.mouse.down()
    wait_until_drawn(page)
    first = handle(page, "Query").get_attribute("aria-valuetext")
    page.mouse.move(x + 60, y + 50)
    page.mouse.up()
    wait_until_drawn(page)
    second = place(page, "Query")
    page.wait_for_url(lambda url: from_link(url, "query") == [pytest.approx(second, abs=0.006)])
    page.go_back()
    expect(handle(page, "Query")).to_have_attribute("aria-valuetext", first)


def test_steps_set_the_view_check_what_was_done_and_explain(chapter):
    page = open_chapter(chapter, CHAPTER)
    steps = page.get_by_role("region", name="Steps")
    steps.get_by_role("button", name="Next step").click()
    expect(steps.get_by_role("heading")).to_have_text("Step 1 of 4")
    expect(page.get_by_role("heading", name="Copying key 3")).to_be_visible()
    expect(steps.get_by_text("Not yet")).to_be_visible()
    page.get_by_role("button", name="Aim at key 3").click()
    expect(steps.get_by_text("Done.")).to_be_visible()
    expect(steps.get_by_text("dot product")).to_be_visible()
    steps.get_by_role("button", name="Next step").click()
    steps.get_by_role("button", name="Yes, one that points exactly at it").click()
    expect(steps.locator(".step-answer")).to_contain_text("No. Key 4 is a mix of the other keys")
    steps.get_by_role("button", name="Next step").click()
    expect(steps.get_by_text("It still lies inside")).to_be_visible()
    drag(page, "Key 4", by=(0, 250))  # the query does not lie upon it
    expect(steps.get_by_text("Done.")).to_be_visible()
    steps.get_by_role("button", name="Previous step").click()
    page.wait_for_url(re.compile("step=2"))
    page.reload()
    expect(steps.get_by_role("heading")).to_have_text("Step 2 of 4")
    assert page.evaluate("JSON.parse(localStorage.getItem('regard-lab-steps'))['look-up']") == [1, 3]
    page.evaluate("localStorage.clear()")


def test_presenting_hides_answers_until_asked_and_follows_the_keyboard(chapter):
    page = open_chapter(chapter, CHAPTER)
    before = page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)")
    page.get_by_role("button", name="Present").click()
    steps = page.get_by_role("region", name="Steps")
    expect(steps.get_by_role("heading")).to_have_text("Step 1 of 4")
    assert page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)") > before
    page.keyboard.press("PageDown")
    expect(steps.get_by_role("heading")).to_have_text("Step 2 of 4")
    steps.get_by_role("button", name="No", exact=True).click()
    expect(steps.locator(".step-answer")).to_be_empty()
    page.keyboard.press("r")
    expect(steps.locator(".step-answer")).to_contain_text("Yes. Key 4 is a mix")
    page.keyboard.press("PageUp")
    expect(steps.get_by_role("heading")).to_have_text("Step 1 of 4")
    page.get_by_role("button", name="End presenting").click()
    page.evaluate("localStorage.clear()")


def test_steps_that_were_done_in_two_tabs_are_both_kept(chapter, window):
    page = open_chapter(chapter, CHAPTER, "step=2")
    other = window.new_page()
    other.goto(page.url.replace("step=2", "step=4"))
    other.get_by_role("button", name="Nearly the average of all colours").click()
    other.close()
    page.bring_to_front()
    page.get_by_role("button", name="No", exact=True).click()
    expect(page.locator(".step-answer")).to_contain_text("Yes.")
    assert page.evaluate("JSON.parse(localStorage.getItem('regard-lab-steps'))['look-up']") == [2, 4]
    page.evaluate("localStorage.clear()")


def test_a_lab_that_has_ended_is_told_in_words(visit):
    page = open_chapter(visit, CHAPTER)
    page.route("**/api/**", lambda route: route.abort())
    handle(page, "Query").focus()
    page.keyboard.press("ArrowLeft")
    told = "Python gave no answer: the lab cannot be reached; see whether it still runs."
    expect(page.locator(".confirmation")).to_have_text(told)


def test_back_to_fewer_keys_asks_python_about_as_many_colours(chapter):
    page = open_chapter(chapter, CHAPTER)
    for n in (6, 7):
        page.get_by_role("button", name="Add a key").click()
        page.wait_for_url(lambda url, n=n: len(from_link(url, "keys")) == n)
    refused = []
    page.on("response", lambda response: refused.append(response.status) if response.status >= 400 else None)
    with page.expect_response("**/api/look-up/confirm"):
        page.go_back()
    expect(page.locator(".plane .key")).to_have_count(6)
    assert refused == []


def test_a_step_brings_back_the_keys_that_were_removed(chapter):
    page = open_chapter(chapter, CHAPTER)
    page.get_by_role("button", name="Remove the chosen key").click()
    expect(page.locator(".plane .key")).to_have_count(4)
    page.get_by_role("button", name="Next step").click()
    expect(page.locator(".plane .key")).to_have_count(5)
    expect(page.get_by_text("Not yet: look at the bar of key 3.")).to_be_visible()


def test_a_link_has_the_colours_of_keys_that_are_left(chapter):
    page = open_chapter(chapter, CHAPTER)
    page.get_by_role("button", name="Remove the chosen key").click()
    page.wait_for_url(lambda url: len(from_link(url, "keys")) == 4)
    output = page.locator(".panel .heading").first
    shown = output.text_content()
    page.reload()
    expect(output).to_have_text(shown)
