"""Chapter 4 in a real browser."""

import re
from urllib.parse import parse_qsl, urlsplit

import pytest
from tests.support.lab import expect, open_chapter, press, run_listing, wait_until_drawn

CHAPTER = "many-heads"


def numbers(page, design):
    """Variance, squared bias and error, of the row of a design."""
    wait_until_drawn(page)
    row = page.get_by_role("row").filter(has_text=design).first
    row.wait_for()
    return [float(text) for text in row.get_by_role("cell").all_inner_texts()]


def test_the_classic_exercise_and_its_neighbours(chapter):
    page = open_chapter(chapter, CHAPTER, "everywhere=0")
    pull, two = numbers(page, "one pull head"), numbers(page, "2 pull heads")
    assert pull[0] / two[0] == pytest.approx(15.393, rel=1e-3)
    assert two[0] + two[1] == pytest.approx(two[2], rel=1e-3)
    expect(page.get_by_text("below C = 2.174")).to_be_visible()
    expect(page.get_by_text("One push head has a smaller error than 2 pull heads at every scale")).to_be_visible()
    expect(page.get_by_text("Python agrees")).to_be_visible()
    expect(page.get_by_role("img", name="Error against scale for each design")).to_be_visible()
    page.get_by_role("combobox", name="wanted keys and heads, h").select_option("4")
    page.wait_for_url(re.compile("heads=4"))
    page.get_by_role("row").filter(has_text="4 pull heads").wait_for()
    press(page, "scale C", "ArrowRight")
    page.wait_for_url(re.compile("scale=10.1"))


def test_lengths_that_vary_together_have_a_map_and_no_search(chapter):
    page = open_chapter(chapter, CHAPTER, "noise=together&n=5&scale=3&everywhere=0")
    pull, push = numbers(page, "one pull head"), numbers(page, "one push head")
    assert pull[2] == pytest.approx(push[2], rel=1e-3)
    expect(page.get_by_text(re.compile(r"Python agrees: .* at most \d\.\de-(0[7-9]|1\d)\."))).to_be_visible()
    expect(page.get_by_role("img", name="The design with the smallest error")).to_be_visible()
    assert page.locator(".plot .cell").count() > 40
    expect(page.get_by_text("The search needs keys that vary independently")).to_be_visible()
    expect(page.get_by_role("button", name="Find the robust design")).to_be_disabled()


def test_the_map_is_dragged(chapter):
    page = open_chapter(chapter, CHAPTER)
    box = page.get_by_role("img", name="The design with the smallest error").bounding_box()
    page.mouse.click(box["x"] + box["width"] * 0.6, box["y"] + box["height"] * 0.75)
    page.wait_for_url(re.compile(r"variance=0\.[0-4]"))


def test_the_robust_design_is_found_kept_in_the_link_and_its_steps_are_drawn(chapter):
    page = open_chapter(chapter, CHAPTER, "n=6&everywhere=0.01&robust=2")
    two = numbers(page, "2 pull heads")[2]
    page.get_by_role("button", name="Find the robust design").click()
    page.get_by_role("button", name="Find the robust design again").wait_for()
    expect(page.get_by_text(re.compile(r"^\d+ designs tried; the smallest error so far is [\d.e-]+$"))).to_be_visible()
    expect(page.get_by_role("img", name="How the error fell")).to_be_visible()
    page.wait_for_url(re.compile("design="))  # at rest, all digits are right
    wait_until_drawn(page)
    found = numbers(page, "found by the search")[2]
    assert found < two / 10
    link = urlsplit(page.url).query
    press(page, "step of the search", "Home")
    page.wait_for_url(lambda url: urlsplit(url).query != link)
    assert numbers(page, "found by the search")[2] > found
    with page.expect_download() as download:
        page.get_by_role("region", name="The robust design").get_by_role("button", name="Save as CSV").click()
    assert download.value.suggested_filename == "robust-design.csv"
    again = open_chapter(chapter, CHAPTER, link)
    assert numbers(again, "found by the search")[2] == pytest.approx(found, rel=1e-3)
    expect(again.get_by_text("This design came with the link.")).to_be_visible()
    expect(again.get_by_role("img", name="The queries as bars")).to_be_visible()
    printed = run_listing(again)["printed"].splitlines()[-1]
    assert float(printed.split("; ")[2]) == pytest.approx(found, rel=1e-3)
    width = len(dict(parse_qsl(link))["design"].split(";")[0].split(","))
    press(again, "keys", "ArrowRight")
    expect(
        again.get_by_text(f"The design that was found is for {width} keys, and here are {width + 1}.")
    ).to_be_visible()


@pytest.mark.parametrize("noise", ["one", "each", "together"])
def test_the_shown_python_gives_the_shown_numbers(chapter, noise):
    everywhere = "0" if noise == "together" else "0.001"
    page = open_chapter(chapter, CHAPTER, f"n=6&heads=4&variance=0.25&everywhere={everywhere}&noise={noise}&scale=5")
    designs = ("one pull head", "one push head", "2 pull heads", "4 pull heads")
    for design, line in zip(designs, run_listing(page)["printed"].splitlines(), strict=True):
        name, variance, error = line.split("; ")
        assert name == design
        shown = numbers(page, design)
        assert [float(variance), float(error)] == pytest.approx([shown[0], shown[2]], rel=1e-3, abs=1e-9)


def test_the_search_can_be_stopped(chapter):
    page = open_chapter(chapter, CHAPTER, "n=12&heads=4&robust=4&noise=each&everywhere=0")  # a minute of work
    page.get_by_role("button", name="Find the robust design").click()
    page.get_by_text(re.compile(r"^([2-9]|\d\d+) designs tried")).wait_for()
    page.get_by_role("button", name="Stop").click()
    page.get_by_text("Stopped.").wait_for()
    expect(page.get_by_role("img", name="The queries as bars")).to_be_visible()
    expect(page.get_by_role("row").filter(has_text="found by the search")).to_be_visible()


def test_wrong_links_and_wishes_that_do_not_fit_are_told(chapter):
    page = open_chapter(chapter, CHAPTER, "scale=loud&n=5&heads=6")
    expect(
        page.get_by_text("scale in this link should be a number from 0.3 to 100, not 'loud'; 10 is used instead")
    ).to_be_visible()
    expect(page.get_by_text("6 wanted keys need at least one other key: 7 keys are used instead of 5.")).to_be_visible()


def test_a_step_says_what_the_table_shows(chapter):
    page = open_chapter(chapter, CHAPTER, "step=3&noise=each&everywhere=0")
    steps = page.get_by_role("region", name="Steps")
    steps.get_by_role("button", name="No, now pulling with several heads is best").click()
    expect(steps.locator(".step-answer")).to_contain_text("Yes.")
    errors = [numbers(page, design)[2] for design in ("one pull head", "one push head", "2 pull heads")]
    assert errors == pytest.approx([0.4193, 0.4966, 0.0608], rel=2e-3)
    page.evaluate("localStorage.clear()")
