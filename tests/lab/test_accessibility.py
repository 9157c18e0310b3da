"""axe-core on the start page; and that it finds what it should. The chapters' turn is in test_every_chapter."""

import pytest
from tests.support.accessibility import assert_accessible, grave_findings
from tests.support.lab import open_chapter


def test_what_it_finds_is_found(page):
    page.set_content("<html lang=en><title>x</title><main><h1>x</h1><button></button><img src=x></main>")
    assert {line.split(": ")[1] for line in grave_findings(page)} == {"button-name", "image-alt"}


def test_the_start_page(visit):
    assert_accessible(visit.open(""))


def test_a_colour_that_is_hard_to_read_in_the_dark_is_found(visit):
    page = open_chapter(visit, "look-up")
    page.evaluate("document.documentElement.style.setProperty('--soft', '#59616e')")  # the light theme's
    with pytest.raises(AssertionError, match="dark"):
        assert_accessible(page)
