"""Links that the lab writes: an address can be opened again however long the view; what is too long is left out."""

import re
from pathlib import Path

import pytest
from tests.support.lab import SMALL, expect, open_chapter

from regard.lab.contents import CHAPTERS, WEB
from regard.lab.html_pages import module_order

WIDE = "語"
"""Nine characters in an address for one in a text."""
LONGEST = """wide => {
  for (const box of document.querySelectorAll("textarea, input[type=text], input:not([type])")) {
    box.value = wide.repeat(box.maxLength > 0 ? box.maxLength : 5000);
    box.dispatchEvent(new Event("input", { bubbles: true }));
    box.dispatchEvent(new Event("change", { bubbles: true }));
  }
}"""


def has_text_box(chapter):
    own = [path for path in module_order(chapter.script) if path.parent.name == "chapters"]
    return any(re.search("textarea|textBox", path.read_text(encoding="utf-8")) for path in own)


TYPED = [chapter.slug for chapter in CHAPTERS if has_text_box(chapter)]
"""Chapters in which something is written; what is dragged has few digits."""


@pytest.mark.parametrize("slug", TYPED)
def test_the_longest_texts_make_an_address_that_opens(visit, slug):
    page = open_chapter(visit, slug, SMALL.get(slug, ""))
    before = page.url
    page.evaluate(LONGEST, WIDE)
    page.wait_for_function("(before) => location.href !== before || history.state?.long", arg=before)  # the hand rests
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


ADDRESS = "http://fields.test/"
STUB = "export function openPage({ fields }) { globalThis.fields = fields; throw new Error('fields are known'); }"
FUZZ = Path(__file__).parents[1].joinpath("support", "fuzz_links.js").read_text(encoding="utf-8")


def answer(route):
    name = route.request.url.removeprefix(ADDRESS)
    body = STUB if name == "parts/page.js" else (WEB / name).read_text(encoding="utf-8") if name else "<title>x</title>"
    route.fulfill(body=body, content_type="text/javascript" if name else "text/html")


@pytest.mark.parametrize("slug", [chapter.slug for chapter in CHAPTERS])
def test_any_text_for_any_field_gives_a_value_in_range_or_a_complaint(page, slug):
    """What is read is written as a link that gives the same view again."""
    page.route(f"{ADDRESS}**", answer)
    page.goto(ADDRESS)
    found = page.evaluate(FUZZ, [slug, 400])
    assert found["faults"] == []
    assert len(found["names"]) >= 3
    assert found["nRead"] > 10 * len(found["names"])
