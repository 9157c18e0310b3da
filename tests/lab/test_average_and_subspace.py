"""Chapter 2 in a real browser."""

import re

from tests.support.lab import expect, open_chapter, press

CHAPTER = "average-and-subspace"


def test_turning_the_angle_changes_the_error_and_the_address(chapter):
    page = open_chapter(chapter, CHAPTER)
    expect(page.get_by_text("an error of 0.75")).to_be_visible()
    press(page, "angle between the subspaces", "End")
    page.get_by_text(re.compile(r"an error of \d\.\d+e-\d\d|an error of 0 ")).wait_for()
    page.wait_for_url(re.compile("angle=90"))


def test_shares_are_mixed_and_a_link_reproduces_them(chapter):
    page = open_chapter(chapter, CHAPTER)
    press(page, "share of key 2", "ArrowRight")
    page.wait_for_url(re.compile(r"shares=1(,|%2C)1(,|%2C)1(,|%2C)0(,|%2C)0"))
    again = open_chapter(chapter, CHAPTER, "shares=3,1&angle=30&length=0.5")
    expect(again.get_by_text("gives these weights exactly")).to_be_visible()
    expect(again.get_by_text("an error of 0.433")).to_be_visible()


def test_the_figures_and_their_data_are_saved(chapter, tmp_path):
    page = open_chapter(chapter, CHAPTER)
    for place, (kind, start) in enumerate({"SVG": b"<?xml", "PNG": b"\x89PNG", "CSV": b"key,wanted,reached"}.items()):
        with page.expect_download() as download:
            page.locator("marimo-download").filter(has_text=kind).locator("a").first.click()
        assert download.value.suggested_filename == f"average.{kind.lower()}"
        download.value.save_as(tmp_path / str(place))
        assert (tmp_path / str(place)).read_bytes().startswith(start)
