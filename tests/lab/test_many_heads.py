"""Chapter 4 in a real browser."""

import re

import pytest
from tests.support.lab import expect, open_chapter

CHAPTER = "many-heads"


def numbers(page, design):
    """Variance, squared bias and error, of the first table that has the design."""
    row = page.get_by_role("row").filter(has_text=design).first
    row.wait_for()
    return [float(text) for text in row.get_by_role("cell").all_inner_texts()[1:]]


def test_the_classic_exercise_and_its_neighbours(chapter):
    page = open_chapter(chapter, CHAPTER, "everywhere=0")
    pull, two = numbers(page, "one pull head"), numbers(page, "2 pull heads")
    assert pull[0] / two[0] == pytest.approx(15.393, rel=1e-3)
    assert two[0] + two[1] == pytest.approx(two[2], rel=1e-3)
    expect(page.get_by_text("below C = 2.174")).to_be_visible()
    expect(page.get_by_role("img", name="Error against scale for each design")).to_be_visible()
    page.get_by_role("combobox", name="wanted keys and heads, h").select_option("4")
    page.wait_for_url(re.compile("heads=4"))
    page.get_by_role("row").filter(has_text="4 pull heads").wait_for()
    slider = page.get_by_role("slider").first
    slider.focus()
    slider.press("ArrowRight")
    page.wait_for_url(re.compile("scale=15"))
    page.get_by_role("combobox", name="keys whose length varies").select_option("every key, all together")
    page.wait_for_url(re.compile("noise=together"))
    page.get_by_text("The search needs keys that vary independently").wait_for()
    expect(page.get_by_role("button", name="Find the robust design")).to_have_count(0)


def test_the_robust_design_is_found_and_its_steps_are_drawn(chapter):
    page = open_chapter(chapter, CHAPTER, "n=6&everywhere=0.01&robust=2")
    two = numbers(page, "2 pull heads")[2]
    page.get_by_role("button", name="Find the robust design").click()
    page.get_by_role("button", name="Find the robust design again").wait_for()
    assert re.fullmatch(
        r"\d+ designs tried; the smallest error so far is [\d.e-]+", page.get_by_role("status").first.inner_text()
    )
    assert "head 1" in page.get_by_label("What has been written").inner_text()
    page.get_by_role("img", name="How the error fell").wait_for()
    found = numbers(page, "of the search")[2]
    assert found < two / 10
    steps = page.get_by_role("slider").last
    steps.focus()
    steps.press("Home")
    page.get_by_role("row").filter(has_text="step 1 of the search").wait_for()
    assert numbers(page, "step 1 of the search")[2] > found
    page.get_by_text("Show the Python for this").click()
    page.get_by_role("region", name="Show the Python for this").get_by_text("regard.robust").wait_for()
    with page.expect_download() as download:
        page.locator("marimo-download").filter(has_text="CSV").locator("a").last.click()
    assert download.value.suggested_filename == "robust-design.csv"


def test_the_search_can_be_stopped(chapter):
    page = open_chapter(chapter, CHAPTER, "n=12&heads=4&robust=4&noise=each&everywhere=0")  # a minute of work
    page.get_by_role("button", name="Find the robust design").click()
    page.get_by_text("designs tried").first.wait_for()
    page.get_by_role("button", name="Stop").click()
    page.get_by_text("Stopped.").wait_for()
    page.get_by_role("img", name="How the error fell").wait_for()


def test_wrong_links_and_wishes_that_do_not_fit_are_told(chapter):
    page = open_chapter(chapter, CHAPTER, "scale=loud&n=5&heads=6")
    expect(
        page.get_by_text("scale in this link should be a number from 0.3 to 100, not 'loud'; 10 is used instead")
    ).to_be_visible()
    expect(page.get_by_text("6 wanted keys need at least one other key: 7 keys are used instead of 5.")).to_be_visible()
