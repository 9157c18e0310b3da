"""The page of errors: self-contained, escaped, with every chart and table."""

import re
from html.parser import HTMLParser

import numpy as np
import pytest
from tests.support.classifiers import film_critic

from regard.records import LabelledTexts
from regard.report.errors_page import errors_page
from regard.studies import errors

TEXTS = ("awful <script>alert(1)</script> film", "good film", "not bad", "the film is boring", "great but dull")
DATA = LabelledTexts(TEXTS, np.array([1, 1, 1, 0, 0]), ("neg", "pos"))


class Tags(HTMLParser):
    def __init__(self, page):
        super().__init__()
        self.open, self.names = [], set()
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.names.add(tag)
        if tag not in ("meta", "circle", "line", "polyline"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag in ("circle", "line", "polyline"):
            return
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def page():
    study = errors.run(film_critic(), DATA, errors.Config(n=2, model="m<1>", data="d&d"), training_texts=["good  film"])
    return errors_page(study)


def test_the_page_needs_no_other_file(page):
    assert not re.search(r"https?:|src=|href=|url\(|@import|<script", page)
    assert "prefers-color-scheme:dark" in page
    assert 'name="viewport"' in page


def test_the_page_is_well_formed_and_escaped(page):
    tags = Tags(page)
    assert tags.open == []
    assert not tags.names & {"script", "img", "link", "iframe", "a"}
    assert "&lt;" in page
    assert page.count("m&lt;1&gt; on d&amp;d: 5 texts, 3 wrong") == 2  # as title and in the page
    assert "m<1>" not in page


def test_everything_is_there(page):
    for heading in (
        "In short",
        "Where it is right",
        "What goes with errors",
        "The worst errors",
        "The most borderline",
    ):
        assert f"<h2>{heading}" in page
    assert page.count("<article>") == 4
    assert "called neg" in page
    assert "without texts that training has" in page
    assert "1 of the 5 texts also occur in training, word for word" in page
    for name in ("length, words", "words of contrast", "negations", "confidence"):
        assert f'aria-label="Accuracy by {name}"' in page
