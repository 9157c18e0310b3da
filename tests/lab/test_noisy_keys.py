"""Chapter 3 in a real browser."""

import re

import pytest
from tests.support.lab import expect

CHAPTER = "chapter/noisy-keys/"
WIDTHS = {"phone": (390, 844), "laptop": (1280, 900), "projector": (1920, 1080)}


@pytest.fixture
def chapter(visit):
    opened(visit, CHAPTER)
    yield visit
    assert visit.errors == []
    assert visit.outside() == []


def opened(visit, path):
    page = visit.open(path)
    page.get_by_text("Show the Python for this").wait_for()
    return page


def cells(page, design):
    """Exact variance, sampled variance and probability of a flip."""
    row = page.get_by_role("row").filter(has_text=design)
    row.wait_for()
    return row.get_by_role("cell").all_inner_texts()[1:]


def test_pulling_flips_pushing_does_not_and_draws_are_live(chapter):
    page = chapter.page
    exact, sampled, flips = cells(page, "one pull head")
    assert float(sampled) == pytest.approx(float(exact), rel=0.1)
    assert float(flips) == pytest.approx(0.756, abs=0.001)
    assert cells(page, "one push head")[2] == "below 1e-9"
    page.get_by_role("button", name="Draw again").click()
    page.wait_for_url(re.compile("seed=1"))
    pull = page.get_by_role("row").filter(has_text="one pull head").get_by_role("cell")
    expect(pull.nth(2)).not_to_have_text(sampled)
    assert cells(page, "one pull head")[0] == exact


def test_a_link_reproduces_the_view(chapter):
    page = opened(chapter, CHAPTER + "?scale=1&variance=0.25&n=4")
    assert float(cells(page, "one pull head")[2]) < 0.01
    expect(page.get_by_role("img", name="Draws of the noisy key")).to_be_visible()


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_is_wider_than_the_window(visit, width, tmp_path):
    visit.page.set_viewport_size(dict(zip(("width", "height"), WIDTHS[width], strict=True)))
    page = opened(visit, CHAPTER)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.screenshot(path=tmp_path / f"noisy-{width}.png")
