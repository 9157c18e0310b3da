"""The start page in a real browser."""

import pytest
from tests.support.lab import WIDTHS, expect, resize, wait_until_drawn

from regard.lab.contents import CHAPTERS
from regard.lab.html_pages import start_page


def test_it_has_a_card_for_every_chapter_and_fits_every_width(visit):
    page = visit.open("")
    expect(page.locator("a.card")).to_have_count(len(CHAPTERS))
    for width in WIDTHS:
        resize(page, width)
        wait_until_drawn(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
    assert visit.errors == []
    assert visit.outside() == []


PICTURES = "[...document.querySelectorAll('canvas')].map((canvas) => canvas.toDataURL())"


FRAMES = """n => new Promise((done) => {
  const next = () => (n-- ? requestAnimationFrame(next) : done());
  next();
})"""
"""Wait until the window has been drawn so many times: a picture that moves has moved by then."""


def drawn_pictures(page):
    """The pictures, once each shows something of its own."""
    page.wait_for_function(f"n => new Set({PICTURES}).size === n", arg=len(CHAPTERS))
    return page.evaluate(PICTURES)


@pytest.fixture
def all_cards(visit):
    """The page as it is once every chapter is written."""
    body = start_page(CHAPTERS)
    visit.page.route(visit.address, lambda route: route.fulfill(body=body, content_type="text/html"))
    return visit


def test_every_picture_is_drawn_and_moves(all_cards):
    page = all_cards.open("")
    page.set_viewport_size({"width": 1280, "height": 3000})
    before = drawn_pictures(page)
    page.wait_for_function(f"before => {PICTURES}.every((picture, i) => picture !== before[i])", arg=before)
    assert all_cards.errors == []


def test_pictures_stand_still_for_those_who_want_that(all_cards):
    all_cards.page.emulate_media(reduced_motion="reduce")
    page = all_cards.open("")
    before = drawn_pictures(page)
    page.evaluate(FRAMES, 20)
    assert page.evaluate(PICTURES) == before


def test_a_card_opens_its_chapter_by_keyboard(visit):
    page = visit.open("")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/chapter/look-up/")
    page.get_by_role("heading", name="Look-up").wait_for()
    page.get_by_role("link", name="All chapters").click()
    page.get_by_role("heading", name="Regard").wait_for()
