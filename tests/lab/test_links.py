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


def test_values_of_a_link_that_do_not_fit_together_are_told(chapter):
    page = open_chapter(chapter, "noisy-keys", "view=plane&pull=1,0;0,1&design=pull")
    told = page.get_by_role("alert")
    expect(told).to_have_text("pull in this link has 2 queries, but heads is 1; pull is ignored")
    expect(page.get_by_role("button", name="Pull", pressed=True)).to_be_visible()


def test_a_complaint_says_how_it_is_written(visit):
    page = open_chapter(visit, "noisy-keys", "view=plane&lengths=-1,0,0&design=x&keys=1")
    expect(page.get_by_role("alert")).to_have_text(
        [
            "keys in this link should be 3 points written like 0.5,1;0.5,1, with numbers from -2 to 2, not '1'; "
            "1.1,0.3;1.1,-0.2;-0.2,-1.3 is used instead",
            "lengths in this link should be 3 numbers written like 0.5,1,0, with numbers from 0 to 1, not '-1,0,0'; "
            "0.6,0,0 is used instead",
            "design in this link should be one of pull, push, robust, given, not 'x'; it is ignored",
        ]
    )


def test_halves_of_a_character_are_left_out(chapter):
    page = open_chapter(chapter, "reviews")
    page.evaluate("""() => {
      const box = document.querySelector("textarea");
      box.value = "good \ud83d";
      box.dispatchEvent(new Event("input", { bubbles: true }));
    }""")
    page.wait_for_url(re.compile(r"review=good\+$"))
