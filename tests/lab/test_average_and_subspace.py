"""Chapter 2 in a real browser."""

import re

import numpy as np
import pytest
from tests.support.lab import expect, open_chapter, press, run_listing

CHAPTER = "average-and-subspace"


@pytest.fixture(scope="module")
def opened_page(shared_visit):
    return open_chapter(shared_visit, CHAPTER)


@pytest.fixture
def untouched_page(opened_page):
    """The chapter as it opens, for tests that move nothing."""
    opened_page.bring_to_front()
    return opened_page


def test_python_agrees_with_the_browser(untouched_page):
    expect(untouched_page.get_by_text(re.compile(r"Python agrees: .* at most \d\.\de-1[0-9]\.$"))).to_be_visible()


def test_turning_the_angle_changes_the_error_and_the_address(chapter):
    page = open_chapter(chapter, CHAPTER)
    expect(page.get_by_text("an error of 0.75")).to_be_visible()
    press(page, "angle between the subspaces", "End")
    page.get_by_text(re.compile(r"an error of \d(\.\d+)?e-\d\d|an error of 0 ")).wait_for()
    page.wait_for_url(re.compile("angle=90"))
    page.go_back()
    expect(page.get_by_text("an error of 0.75")).to_be_visible()


def test_shares_are_mixed_and_a_link_reproduces_them(chapter):
    page = open_chapter(chapter, CHAPTER)
    press(page, "share of key 2", "ArrowRight")
    page.wait_for_url(re.compile("shares=1,1,1,0,0"))
    again = open_chapter(chapter, CHAPTER, "shares=3,1&angle=30&length=0.5")
    expect(again.get_by_text("gives these weights exactly")).to_be_visible()
    expect(again.get_by_text("an error of 0.433")).to_be_visible()


def test_fewer_keys_and_more_again_keep_the_shares(chapter):
    page = open_chapter(chapter, CHAPTER, "shares=1,2,3,4,5")
    press(page, "keys", "ArrowLeft", "ArrowLeft")
    page.wait_for_url(re.compile("shares=1,2,3(&|$)"))
    press(page, "keys", "ArrowRight", "ArrowRight")
    page.wait_for_url(re.compile("shares=1,2,3,4,5"))


def test_nothing_wanted_is_no_mix(chapter):
    page = open_chapter(chapter, CHAPTER, "shares=0,1")
    press(page, "share of key 1", "Home")
    page.wait_for_url(re.compile("shares=1,0"))


def test_the_sum_follows_the_pointer(chapter):
    page = open_chapter(chapter, CHAPTER)
    box = page.get_by_role("img", name="Two summands").bounding_box()
    page.mouse.click(box["x"] + box["width"] * 0.45, box["y"] + box["height"] * 0.4)
    page.wait_for_url(re.compile("angle="))


def test_the_shown_python_gives_the_shown_numbers(chapter):
    page = open_chapter(chapter, CHAPTER, "shares=3,2,0&error=0.001&angle=25&length=0.7")
    names = run_listing(page)
    told = page.locator(".answer").first.inner_text()
    shown = [float(part) for part in re.search(r"q = \(([^)]*)\)", told)[1].split(",")]
    np.testing.assert_allclose(shown, names["design"].query, rtol=1e-3)
    expect(page.get_by_text(f"may grow by {names['found'].noise_gain:.4g}")).to_be_visible()


def test_the_figures_and_their_data_are_saved(untouched_page, tmp_path):
    for place, (kind, start) in enumerate({"SVG": b"<svg", "PNG": b"\x89PNG", "CSV": b"key,wanted,reached"}.items()):
        with untouched_page.expect_download() as download:
            untouched_page.get_by_role("button", name=f"Save as {kind}").first.click()
        assert download.value.suggested_filename == f"average.{kind.lower()}"
        download.value.save_as(tmp_path / str(place))
        assert (tmp_path / str(place)).read_bytes().startswith(start)
