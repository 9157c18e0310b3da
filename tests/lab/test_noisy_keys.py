"""Chapter 3 in a real browser."""

import re
from xml.etree import ElementTree

import pytest
from tests.support.lab import expect, open_chapter, press, run_listing, wait_until_drawn

CHAPTER = "noisy-keys"


@pytest.fixture(scope="module")
def opened_page(shared_visit):
    return open_chapter(shared_visit, CHAPTER)


@pytest.fixture
def untouched_page(opened_page):
    """The chapter as it opens, for tests that move nothing."""
    opened_page.bring_to_front()
    return opened_page


def cells(page, design):
    """Exact variance, sampled variance and probability of a flip."""
    wait_until_drawn(page)
    row = page.get_by_role("row").filter(has_text=design)
    row.wait_for()
    return row.get_by_role("cell").all_inner_texts()


def facts(page, name):
    """What is exact and what is counted, in the plane."""
    wait_until_drawn(page)
    return page.get_by_role("row").filter(has_text=name).get_by_role("cell").all_inner_texts()


def test_python_agrees_with_the_browser(untouched_page):
    expect(untouched_page.get_by_text(re.compile(r"Python agrees: .* at most \d\.\de-(09|1\d)\."))).to_be_visible()


def test_pulling_flips_pushing_does_not_and_draws_are_live(chapter):
    page = open_chapter(chapter, CHAPTER)
    exact, sampled, flips = cells(page, "one pull head")
    assert float(sampled) == pytest.approx(float(exact), rel=0.1)
    assert float(flips) == pytest.approx(0.756, abs=0.001)
    assert cells(page, "one push head")[2] == "< 1e-9"
    page.get_by_role("button", name="Draw again").click()
    page.wait_for_url(re.compile("seed=1"))
    pull = page.get_by_role("row").filter(has_text="one pull head").get_by_role("cell")
    expect(pull.nth(1)).not_to_have_text(sampled)
    assert cells(page, "one pull head")[0] == exact


def test_a_link_reproduces_the_view(chapter):
    page = open_chapter(chapter, CHAPTER, "scale=1&variance=0.25&n=4")
    assert float(cells(page, "one pull head")[2]) < 0.01
    expect(page.get_by_role("img", name="Draws of the noisy key")).to_be_visible()


def test_that_the_length_changes_nothing_is_said_only_where_it_is_true(chapter):
    page = open_chapter(chapter, CHAPTER)
    assert float(cells(page, "one push head")[0]) > 0.005
    expect(page.get_by_text("comes from the noise in every direction")).to_be_visible()
    assert page.get_by_text("changes nothing").count() == 0
    page.get_by_role("combobox", name="noise in every direction").select_option("0")
    expect(page.get_by_text("it changes nothing at all")).to_be_visible()
    assert cells(page, "one push head")[0] == "0"
    expect(page.get_by_text("one push head: 0 at every scale")).to_be_visible()
    page.wait_for_url(re.compile("everywhere=0"))


@pytest.mark.parametrize("query", ["scale=20&variance=0.25&n=5&everywhere=0.001", "everywhere=0"])
def test_the_shown_python_gives_the_shown_numbers(chapter, query):
    page = open_chapter(chapter, CHAPTER, query)
    pull, push = cells(page, "one pull head"), cells(page, "one push head")
    numbers = [float(word) for word in run_listing(page)["printed"].split()]
    assert [float(pull[0]), float(pull[2]), float(push[0])] == pytest.approx(numbers[:3], rel=1e-2, abs=1e-12)


def test_the_scale_is_announced_and_moves_by_key_and_by_pointer(chapter):
    page = open_chapter(chapter, CHAPTER)
    press(page, "scale C", "End")
    expect(page.get_by_role("slider", name="scale C")).to_have_attribute("aria-valuetext", "100")
    page.wait_for_url(re.compile("scale=100"))
    box = page.get_by_role("img", name="Variance of the output").bounding_box()
    page.mouse.click(box["x"] + 90, box["y"] + box["height"] / 2)
    page.wait_for_url(re.compile(r"scale=0\.\d+"))


def test_noise_in_the_plane_is_dragged_and_its_flips_are_counted(chapter):
    page = open_chapter(chapter, CHAPTER, "view=plane")
    exact = float(facts(page, "flips")[0].removesuffix(" %")) / 100
    expect(page.get_by_text(re.compile(r"^\d+ of (1[5-9]|2\d)\d\d$"))).to_be_visible()
    flipped, total = map(int, facts(page, "flips")[1].split(" of "))
    assert flipped / total == pytest.approx(exact, abs=0.05)
    variance = float(designs(page)["Pull"][2])
    handle = page.get_by_role("slider", name="Length noise of key 0")
    handle.focus()
    for _ in range(4):
        page.keyboard.press("Shift+ArrowLeft")
    page.wait_for_url(re.compile("lengths=0,0,0"))
    assert float(designs(page)["Pull"][2]) < variance / 2
    agrees(page)


def designs(page):
    """Length, error and variance of each query of the plane that has them, by its name."""
    wait_until_drawn(page)
    rows = page.locator("table.designs tbody tr:visible").all()
    return {row.get_by_role("rowheader").inner_text(): row.get_by_role("cell").all_inner_texts() for row in rows}


def error(page, name):
    return float(designs(page)[name][1])


def open_plane(visit, query="view=plane"):
    """The plane, once the robust query has been found and Python has answered."""
    page = open_chapter(visit, CHAPTER, query)
    agrees(page)
    return page


def agrees(page):
    line = page.locator(".confirmation:visible")
    expect(line).to_have_text(re.compile(r"Python agrees: .* at most \d\.\de-(09|1\d)\."))


def direction(page, name):
    """The slope of an arrow."""
    spoken = page.get_by_role("slider", name=f"{name} query").get_attribute("aria-valuetext")
    x, y, _ = (float(number) for number in re.findall(r"-?[\d.]+", spoken))
    return y / x


def drag(page, name, dx, dy):
    """Take a point of the plane by the pointer and move it by so many pixels."""
    box = page.get_by_role("slider", name=name, exact=True).locator(".reach").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + dx / 2, y + dy / 2, steps=3)
    page.mouse.move(x + dx, y + dy, steps=3)
    page.mouse.up()
    wait_until_drawn(page)


@pytest.mark.usefixtures("still")
def test_three_queries_stand_in_one_plane_each_with_its_error(chapter):
    page = open_plane(chapter)
    for name in ("Pull query", "Push query", "Robust query"):
        expect(page.get_by_role("slider", name=name, exact=True)).to_be_visible()
    found = designs(page)
    assert list(found) == ["Pull", "Push", "Robust"]
    assert error(page, "Robust") < error(page, "Push") < error(page, "Pull")
    assert float(found["Push"][2]) < float(found["Pull"][2]) / 50  # it does not see the length
    printed = run_listing(page)["printed"].split("\n")
    for line, name in zip(printed, ("pull", "push", "robust"), strict=False):
        assert line.startswith(name)
        assert [float(number) for number in line.split()[1:]] == pytest.approx(
            [float(cell) for cell in found[name.capitalize()][1:]], rel=0.01
        )


@pytest.mark.usefixtures("still")
def test_each_arrow_is_dragged_and_selected_by_pointer_and_by_keyboard(chapter):
    page = open_plane(chapter)
    before = designs(page)
    drag(page, "Push query", 20, -15)
    expect(page.get_by_role("button", name="Push, moved", pressed=True)).to_be_visible()
    after = designs(page)
    assert (after["Pull"], after["Robust"]) == (before["Pull"], before["Robust"])
    assert float(after["Push, moved"][0]) > float(before["Push"][0])
    agrees(page)
    page.wait_for_url(re.compile("design=push.*&push="))
    arrow = page.get_by_role("slider", name="Robust query", exact=True)
    arrow.focus()
    page.keyboard.press("Shift+ArrowRight")
    expect(page.get_by_role("button", name="Robust, moved", pressed=True)).to_be_visible()
    expect(arrow).to_be_focused()
    assert error(page, "Robust, moved") > float(before["Robust"][1])
    page.wait_for_url(re.compile("design=robust.*&robust="))
    page.go_back()
    expect(page.get_by_role("button", name="Push, moved", pressed=True)).to_be_visible()
    assert designs(page)["Robust"] == before["Robust"]
    page.get_by_role("button", name="Put it back").click()
    page.wait_for_url(re.compile(r"design=push$"))
    assert designs(page) == before


@pytest.mark.usefixtures("still")
def test_pull_push_and_robust_follow_the_keys_and_what_was_moved_stays(chapter):
    page = open_plane(chapter)
    before = designs(page)
    drag(page, "Push query", 20, -15)
    moved = page.get_by_role("slider", name="Push query").get_attribute("aria-valuetext")
    handle = page.get_by_role("slider", name="Length noise of key 0")
    handle.focus()
    for _ in range(4):
        page.keyboard.press("Shift+ArrowLeft")
    page.wait_for_url(re.compile("lengths=0,0,0"))
    agrees(page)
    assert page.get_by_role("slider", name="Push query").get_attribute("aria-valuetext") == moved
    bound = float(before["Robust"][1]) / 5
    for _ in range(60):  # the search goes on while the page shows how far it has come
        if error(page, "Robust") < bound:
            break
        page.wait_for_timeout(500)
    assert error(page, "Robust") < bound
    robust, pull = direction(page, "Robust"), direction(page, "Pull")
    assert robust == pytest.approx(pull, abs=0.05)  # without length noise it pulls
    text = page.url
    page.goto("about:blank")
    page.goto(text)
    agrees(page)
    assert page.get_by_role("slider", name="Push query").get_attribute("aria-valuetext") == moved


@pytest.mark.usefixtures("still")
def test_what_rains_is_what_the_selected_query_reads(chapter):
    page = open_plane(chapter)
    rain = page.locator("svg.triangle")
    pull = rain.get_attribute("aria-label")
    assert float(facts(page, "flips")[0].removesuffix(" %")) > 4
    page.get_by_role("button", name="Push").click()
    expect(page.get_by_role("row").filter(has_text="flips").get_by_role("cell").first).to_have_text("0.0 %")
    expect(rain).not_to_have_attribute("aria-label", pull)
    agrees(page)
    curve = page.get_by_role("img", name="Weight of key 0").locator("path.line").first
    expect(curve).to_have_class(re.compile(r"\bs9$"))  # a colour that no key has
    press(page, "length of the selected query", "End")
    assert designs(page)["Push, moved"][0] == "300"
    agrees(page)


def test_it_rains_in_a_tab_that_is_not_in_front(chapter, window):
    page = open_chapter(chapter, CHAPTER, "view=plane")
    front = window.new_page()  # frames of the other one come once a second from now on
    expect(page.get_by_text(re.compile(r"^\d+ of 2400$"))).to_be_visible()
    front.close()


def test_letters_of_figures_have_subscripts(untouched_page):
    names = untouched_page.locator(".axis-name", has_text="along")
    assert names.all_text_contents() == ["along μa", "along μb"]
    low, high = (names.first.locator("tspan").nth(place).bounding_box() for place in (2, 1))
    assert low["y"] + low["height"] > high["y"] + high["height"]
    assert untouched_page.locator("svg text", has_text="_").count() == 0


def test_a_search_is_watched_and_moves_its_own_arrow(chapter):
    page = open_plane(chapter)
    best = error(page, "Robust")
    drag(page, "Robust query", 60, 60)
    assert error(page, "Robust, moved") > 1.3 * best
    pull = designs(page)["Pull"]
    page.evaluate(
        """() => {
          globalThis.places = new Set();
          const arrow = document.querySelector(".handle.query-robust");
          new MutationObserver(() => places.add(arrow.getAttribute("transform"))).observe(arrow, { attributes: true });
        }"""
    )
    page.get_by_role("button", name="Search for the best").click()
    page.get_by_text(re.compile(r"^Found\.")).wait_for()
    assert page.evaluate("places.size") >= 3
    assert error(page, "Robust") == pytest.approx(best, rel=0.01)
    assert designs(page)["Pull"] == pull
    agrees(page)


@pytest.mark.usefixtures("still")
def test_with_several_heads_the_selected_designs_arrows_are_shown(chapter):
    page = open_plane(chapter)
    page.get_by_role("button", name="2 heads").click()
    for name in ("Pull query of head 0", "Pull query of head 1"):
        expect(page.get_by_role("slider", name=name)).to_be_visible()
    expect(page.get_by_role("slider", name=re.compile("^(Push|Robust) query"))).to_have_count(0)
    assert designs(page)["Robust"] == ["not searched for yet"]
    agrees(page)
    drag(page, "Pull query of head 1", 10, 20)
    page.wait_for_url(re.compile("pull=[^&]*;"))
    agrees(page)
    names = run_listing(page)
    [_, found, variance] = designs(page)["Pull, moved"]
    assert names["laws"]["pull"].variance == pytest.approx(float(variance), rel=0.01)
    page.get_by_role("button", name="Search for the best").click()
    page.get_by_text(re.compile(r"^Found\.")).wait_for()
    expect(page.get_by_role("slider", name="Robust query of head 1")).to_be_visible()
    assert error(page, "Robust") < float(found)


@pytest.mark.usefixtures("still")
def test_a_link_may_give_queries_of_its_own(chapter):
    page = open_plane(chapter, "view=plane&queries=0.9,1.1&strength=3")
    expect(page.get_by_role("button", name="Given", pressed=True)).to_be_visible()
    assert designs(page)["Given"][0] == "4.26"
    expect(page.get_by_role("slider", name="Pull query")).to_be_visible()
    drag(page, "Given query", -30, 0)
    page.wait_for_url(re.compile("queries=[^&]*&strength=1"))
    agrees(page)
    two = open_plane(chapter, "view=plane&queries=1,0;0,1&strength=5")
    expect(two.get_by_role("slider", name="Given query of head 1")).to_be_visible()
    expect(two.get_by_role("button", name="2 heads", pressed=True)).to_be_visible()


@pytest.mark.usefixtures("still")
def test_flips_that_the_page_cannot_tell_are_counted_and_not_compared(chapter):
    page = open_plane(chapter, "view=plane&design=push&push=-75.41,279.817&keys=2,-1.57;-2,-0.822;-0.2,-1.3")
    exact, counted = facts(page, "flips")
    assert exact == "–"
    assert re.fullmatch(r"\d+ of 900", counted)
    agrees(page)


@pytest.mark.usefixtures("still")
def test_where_there_is_no_pull_or_push_the_table_says_why(chapter):
    page = open_plane(chapter, "view=plane&keys=1,0;-1,0;0,-1&design=push")
    assert designs(page)["Pull"] == ["keys 0 and 1 cancel"]
    expect(page.get_by_role("slider", name="Pull query")).to_have_count(0)
    page.get_by_role("button", name="Pull").click()
    wait_until_drawn(page)
    expect(page.get_by_role("row").filter(has_text="flips")).to_have_count(0)


@pytest.mark.usefixtures("still")
def test_a_saved_figure_has_the_arrows_that_are_shown_and_no_others(chapter, tmp_path):
    page = open_plane(chapter)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as SVG").and_(page.locator(":visible")).click()
    download.value.save_as(tmp_path / "figure.svg")
    shown = [
        group.get("aria-label")
        for group in ElementTree.parse(tmp_path / "figure.svg").getroot().iter("{http://www.w3.org/2000/svg}g")
        if "query" in (group.get("aria-label") or "") and group.get("visibility") == "visible"
    ]
    assert sorted(shown) == ["Pull query", "Push query", "Robust query"]
