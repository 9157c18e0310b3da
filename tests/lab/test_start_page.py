"""The start page in a real browser."""

import time

import pytest

from regard.lab.contents import CHAPTERS, written_chapters
from regard.lab.server import start_page

WIDTHS = {"phone": (390, 844), "laptop": (1280, 900), "projector": (1920, 1080)}


@pytest.mark.parametrize("width", WIDTHS)
def test_it_has_a_card_for_every_chapter(visit, width, tmp_path):
    visit.page.set_viewport_size(dict(zip(("width", "height"), WIDTHS[width], strict=True)))
    page = visit.open("")
    page.screenshot(path=tmp_path / f"start-{width}.png", full_page=True)
    assert page.locator("a.card").count() == len(written_chapters())
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert visit.errors == []
    assert visit.outside() == []


def pictures(page):
    return page.evaluate("[...document.querySelectorAll('canvas')].map((canvas) => canvas.toDataURL())")


@pytest.fixture
def all_cards(visit):
    """The page as it is once every chapter is written."""
    body = start_page(CHAPTERS)
    visit.page.route(visit.address, lambda route: route.fulfill(body=body, content_type="text/html"))
    return visit


def test_every_picture_is_drawn_and_moves(all_cards):
    page = all_cards.open("")
    page.set_viewport_size({"width": 1280, "height": 3000})
    page.wait_for_timeout(500)
    before = pictures(page)
    page.wait_for_timeout(1000)
    assert len(set(before)) == len(CHAPTERS)
    assert all(old != new for old, new in zip(before, pictures(page), strict=True))
    assert all_cards.errors == []


def test_pictures_stand_still_for_those_who_want_that(all_cards):
    all_cards.page.emulate_media(reduced_motion="reduce")
    page = all_cards.open("")
    page.wait_for_timeout(500)
    before = pictures(page)
    assert len(set(before)) == len(CHAPTERS)
    time.sleep(0.5)
    assert pictures(page) == before


def test_a_card_opens_its_chapter_by_keyboard(visit):
    page = visit.open("")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/chapter/look-up/")
    page.get_by_role("heading", name="Look-up").wait_for()
    page.get_by_role("link", name="All chapters").click()
    page.get_by_role("heading", name="Regard").wait_for()
