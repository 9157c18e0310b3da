"""Chapter 2 in a real browser."""

import re

import pytest
from tests.support.lab import expect

CHAPTER = "chapter/average-and-subspace/"
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


def press(page, label, *keys):
    """Move a slider as the keyboard does."""
    page.locator("marimo-slider").filter(has_text=label).get_by_role("slider").focus()
    for key in keys:
        page.keyboard.press(key)


def test_turning_the_angle_changes_the_error_and_the_address(chapter):
    page = chapter.page
    expect(page.get_by_text("an error of 0.75")).to_be_visible()
    press(page, "angle between the subspaces", "End")
    page.get_by_text(re.compile(r"an error of \d\.\d+e-\d\d|an error of 0 ")).wait_for()
    page.wait_for_url(re.compile("angle=90"))


def test_shares_are_mixed_and_a_link_reproduces_them(chapter):
    page = chapter.page
    press(page, "share of key 2", "ArrowRight")
    page.wait_for_url(re.compile(r"shares=1(,|%2C)1(,|%2C)1(,|%2C)0(,|%2C)0"))
    again = opened(chapter, CHAPTER + "?shares=3,1&angle=30&length=0.5")
    expect(again.get_by_text("gives these weights exactly")).to_be_visible()
    expect(again.get_by_text("an error of 0.433")).to_be_visible()


def test_the_figures_and_their_data_are_saved(chapter, tmp_path):
    for place, (kind, start) in enumerate({"SVG": b"<?xml", "PNG": b"\x89PNG", "CSV": b"key,wanted,reached"}.items()):
        with chapter.page.expect_download() as download:
            chapter.page.locator("marimo-download").filter(has_text=kind).locator("a").first.click()
        assert download.value.suggested_filename == f"average.{kind.lower()}"
        download.value.save_as(tmp_path / str(place))
        assert (tmp_path / str(place)).read_bytes().startswith(start)


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_is_wider_than_the_window(visit, width, tmp_path):
    visit.page.set_viewport_size(dict(zip(("width", "height"), WIDTHS[width], strict=True)))
    page = opened(visit, CHAPTER)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.screenshot(path=tmp_path / f"average-{width}.png")
