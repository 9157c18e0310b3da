"""Part F of the tour: sentences by a rule, variants compared, errors explained."""

from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest

from regard.studies.tour.reviews import BLAME, NEGATIONS, PRAISE, make_reviews


@pytest.mark.parametrize("identifier", ["F1", "F2"])
def test_every_answer_keeps_the_rules(keeps_the_rules, identifier):
    keeps_the_rules(identifier)


def test_made_sentences_keep_to_their_rule():
    """The last judging word decides, turned round by a word of negation right before it."""
    made = list(make_reviews(np.random.default_rng(0), 200))
    for text, label in made:
        words = text.rstrip(".").split()
        negates = text.rstrip(".").removesuffix(f" {words[-1]}").endswith(NEGATIONS)
        assert (words[-1] in PRAISE.split()) != (words[-1] in BLAME.split())
        assert label == ("positive" if (words[-1] in PRAISE.split()) != negates else "negative")
    assert {label for _, label in made} == {"positive", "negative"}
    assert 0.1 < np.mean([", but " in text for text, _ in made]) < 0.3


def test_variants_are_compared_with_the_classic_form(answer):
    found = answer("F1")
    (table,) = found.tables
    assert table.rows[0][:2] == ("usual", "classic")
    assert {row[0] for row in table.rows[1:]} == {"dropout", "depth", "weights", "form"}
    assert any("made by a rule" in note for note in found.notes)


def test_each_error_is_explained(answer):
    found = answer("F2")
    assert 1 <= len(found.samples) <= 5
    for sample in found.samples:
        assert "but truly" in sample.caption
        assert "words that decided: " in sample.text
        assert "\nwhy: " in sample.text


def test_links_lead_to_the_form_and_to_the_worst_error(answer):
    form = parse_qs(urlsplit(answer("F1").link).query)
    assert form["form"][0] in ("classic", "strong")
    review = parse_qs(urlsplit(answer("F2").link).query)["review"][0]
    assert answer("F2").samples[0].text.startswith(review)
