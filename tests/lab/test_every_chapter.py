"""What holds for every chapter: it fits phone, laptop and projector, its console is quiet, it asks nobody else."""

import pytest
from tests.support.lab import SMALL, WIDTHS, open_chapter, resize

from regard.lab.contents import available_chapters

QUERIES = {**SMALL, "check": "claim=q+%3D+C%28%5Cmu_a+%2B+%5Cmu_b%29&setting=magnitude-noise"}
"""What a chapter is opened with; a claim that fails, as its counterexample takes the most room."""
LAST = {"check": "Fails"}


@pytest.mark.parametrize("slug", [chapter.slug for chapter in available_chapters()])
def test_nothing_is_wider_than_the_window(chapter, slug, tmp_path):
    resize(chapter.page, "phone")  # the narrowest first: what does not fit when it is drawn may fit after a resize
    page = open_chapter(chapter, slug, QUERIES.get(slug, ""))
    if slug in LAST:
        page.get_by_text(LAST[slug]).first.wait_for()
    for width in WIDTHS:
        resize(page, width)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
        page.screenshot(path=tmp_path / f"{slug}-{width}.png")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_plane_fits_in_light_and_dark(chapter, scheme, tmp_path):
    chapter.page.emulate_media(color_scheme=scheme)
    resize(chapter.page, "phone")
    page = open_chapter(chapter, "look-up")
    for width, (pixels, _) in WIDTHS.items():
        resize(page, width)
        box = page.locator(".attention-figure .plane").bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= pixels
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
        page.screenshot(path=tmp_path / f"look-up-{width}-{scheme}.png")
