"""Chapter 3 in a real browser."""

import re

import pytest
from tests.support.lab import expect, open_chapter, press, run_listing, wait_until_drawn

CHAPTER = "noisy-keys"


@pytest.fixture(scope="module")
def untouched_page(shared_visit):
    """The chapter as it opens, for tests that move nothing."""
    return open_chapter(shared_visit, CHAPTER)


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
    variance = float(facts(page, "variance")[0])
    handle = page.get_by_role("slider", name="Length noise of key 0")
    handle.focus()
    for _ in range(4):
        page.keyboard.press("Shift+ArrowLeft")
    page.wait_for_url(re.compile("lengths=0,0,0"))
    assert float(facts(page, "variance")[0]) < variance / 2
    expect(page.get_by_text(re.compile(r"Python agrees: .* at most \d\.\de-(0[6-9]|1\d)\.")).last).to_be_visible()


def test_push_in_the_plane_does_not_see_the_length(chapter):
    page = open_chapter(chapter, CHAPTER, "view=plane&spread=0&lengths=1,0,0")
    assert float(facts(page, "variance")[0]) > 0.05
    page.get_by_role("button", name="Push").click()
    expect(page.get_by_text("Key 1 was put on the line through key 0 and the origin.")).to_be_visible()
    expect(page.get_by_role("row").filter(has_text="flips").get_by_role("cell").first).to_have_text("0.0 %")
    assert float(facts(page, "variance")[0]) < 1e-3
    assert float(facts(page, "weight of values 0 and 1")[0]) == pytest.approx(0.95, abs=0.005)
    page.wait_for_url(re.compile("keys="))
    page.reload()  # the address keeps the line
    expect(page.get_by_role("row").filter(has_text="flips").get_by_role("cell").first).to_have_text("0.0 %")


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


def test_the_search_moves_the_query_and_more_heads_can_be_had(chapter):
    page = open_chapter(chapter, CHAPTER, "view=plane")
    before = float(facts(page, "mean squared error")[0])
    page.get_by_role("button", name="Search for the best").click()
    page.get_by_text("Found.").wait_for()
    assert float(facts(page, "mean squared error")[0]) < before / 3
    page.get_by_role("button", name="One head more").click()
    expect(page.get_by_role("slider", name="Query of head 1")).to_be_visible()
    page.wait_for_url(re.compile("queries=[^&]*;"))
    names = run_listing(page)
    assert names["law"].variance == pytest.approx(float(facts(page, "variance")[0]), rel=0.02)
