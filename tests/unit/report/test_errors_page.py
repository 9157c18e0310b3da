"""The page of errors: self-contained, escaped, with every chart and table; charts put their marks where they belong."""

import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import numpy as np
import pytest
from tests.support.classifiers import film_critic

from regard.records import GroupAccuracy, LabelledTexts, RuleCount
from regard.report import accuracy_charts
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


def group(name, n, accuracy, confidence):
    return GroupAccuracy(name, n, accuracy, 0.0, accuracy - 0.1, min(1.0, accuracy + 0.05), confidence)


def circles(drawing):
    return [(float(each.get("cx")), float(each.get("cy"))) for each in ElementTree.fromstring(drawing).iter("circle")]


def test_reliability_puts_calibrated_bins_on_the_diagonal():
    drawing = accuracy_charts.reliability([group("a", 50, 0.5, 0.5), group("b", 50, 0.9, 0.9)])
    root = ElementTree.fromstring(drawing)
    diagonal = next(line for line in root.iter("line") if "dash" in line.get("class"))
    x1, y1, x2, y2 = (float(diagonal.get(name)) for name in ("x1", "y1", "x2", "y2"))
    for (x, y), share in zip(circles(drawing), (0.5, 0.9), strict=True):
        assert (x, y) == pytest.approx((x1 + share * (x2 - x1), y1 + share * (y2 - y1)), abs=0.1)
    assert {"confidence, mean of the bin", "accuracy"} <= {text.text for text in root.iter("text")}


def test_groups_stand_side_by_side_and_higher_is_better():
    drawing = accuracy_charts.by_group([group("short <", 50, 0.9, 0.9), group("long", 50, 0.7, 0.9)], label="length")
    (x1, y1), (x2, y2) = circles(drawing)
    assert x1 < x2
    assert y1 < y2  # y grows downwards
    names = [text.text for text in ElementTree.fromstring(drawing).iter("text")]
    assert {"short <", "long", "length", "accuracy", "60%", "100%"} <= set(names)


def test_ratios_stand_right_of_one_if_they_go_with_errors():
    counts = [
        RuleCount("turn", "?", 10, 90, 5, 10, 4.5, 2.0, 9.9, "goes with errors"),
        RuleCount("even", "?", 10, 90, 5, 45, 1.0, 0.5, 2.0, "says little"),
        RuleCount("never", "?", 10, 90, 0, 0, 1.0, 0.1, 10.0, "never seen here"),
    ]
    drawing = accuracy_charts.likelihood_ratios(counts)
    root = ElementTree.fromstring(drawing)
    one = float(next(line for line in root.iter("line") if line.get("class") == "ink").get("x1"))
    (turn, _), (even, _) = circles(drawing)
    assert even == pytest.approx(one, abs=0.1)
    assert turn > one
    assert "never" not in [text.text for text in root.iter("text")]
