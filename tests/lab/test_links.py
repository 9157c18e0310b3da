"""Links that the lab writes: an address can be opened again however long the view; what is too long is left out."""

import re

import pytest
from tests.support.lab import expect, open_chapter

from regard.lab.contents import CHAPTERS
from regard.lab.html_pages import join_modules

WIDE = "語"
"""Nine characters in an address for one in a text."""
LONGEST = """wide => {
  for (const box of document.querySelectorAll("textarea, input[type=text], input:not([type])")) {
    box.value = wide.repeat(box.maxLength > 0 ? box.maxLength : 5000);
    box.dispatchEvent(new Event("input", { bubbles: true }));
    box.dispatchEvent(new Event("change", { bubbles: true }));
  }
}"""


TYPED = [chapter.slug for chapter in CHAPTERS if re.search("textarea|textBox", join_modules(chapter.script))]
"""Chapters in which something is written; what is dragged has few digits."""


@pytest.mark.parametrize("slug", TYPED)
def test_the_longest_texts_make_an_address_that_opens(visit, slug):
    page = open_chapter(visit, slug)
    page.evaluate(LONGEST, WIDE)
    page.wait_for_timeout(600)  # the hand rests after a quarter of a second
    address = page.url
    assert page.goto(address).status == 200
    page.locator("body[data-ready]").wait_for()
    expect(page.locator(".complaint")).to_have_count(0)


def test_a_text_that_is_too_long_is_told_and_kept_until_the_page_is_left(chapter):
    page = open_chapter(chapter, "check", "claim=a%3Da")
    claim = page.get_by_role("textbox", name="Claim", exact=True)
    claim.fill(WIDE * 4000)
    told = page.get_by_text("A text of this view is too long for a link: the address leaves it out.")
    expect(told).to_be_visible()
    assert "claim" not in page.url
    page.reload()
    expect(claim).to_have_value(WIDE * 4000)
    claim.fill("a = b")
    page.wait_for_url(re.compile("claim=a"))
    expect(told).to_be_hidden()
