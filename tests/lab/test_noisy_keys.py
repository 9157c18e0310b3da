"""Chapter 3 in a real browser."""

import re

import pytest
from tests.support.lab import expect, open_chapter

CHAPTER = "noisy-keys"


def cells(page, design):
    """Exact variance, sampled variance and probability of a flip."""
    row = page.get_by_role("row").filter(has_text=design)
    row.wait_for()
    return row.get_by_role("cell").all_inner_texts()[1:]


def test_pulling_flips_pushing_does_not_and_draws_are_live(chapter):
    page = open_chapter(chapter, CHAPTER)
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
    page = open_chapter(chapter, CHAPTER, "scale=1&variance=0.25&n=4")
    assert float(cells(page, "one pull head")[2]) < 0.01
    expect(page.get_by_role("img", name="Draws of the noisy key")).to_be_visible()
