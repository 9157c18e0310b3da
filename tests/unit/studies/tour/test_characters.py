"""Part D of the tour: a tiny network that writes, and characters against words."""

import pytest

from regard.studies.tour.characters import TEMPERATURES, invented_share


@pytest.mark.parametrize("identifier", ["D1", "D2"])
def test_every_answer_keeps_the_rules(keeps_the_rules, identifier):
    keeps_the_rules(identifier)


def test_a_sample_at_each_temperature_and_a_curve(answer):
    found = answer("D1")
    assert [sample.caption for sample in found.samples] == [f"Drawn at temperature {each:g}" for each in TEMPERATURES]
    assert all(sample.text.startswith("The") for sample in found.samples)
    first, last = (found.number(f"loss held back, {which} checkpoint, nats").value for which in ("first", "last"))
    assert last < first
    assert found.drawings


def test_characters_and_words_are_measured_on_the_same_text(answer):
    found = answer("D2")
    (table,) = found.tables
    assert [row[0] for row in table.rows] == ["ngram-char", "ngram-word"]
    characters, words = (found.number(f"share of unknown tokens, {row[0]}").value for row in table.rows)
    assert characters < 0.01
    assert words > 0.05


def test_invented_words_are_those_that_the_training_text_has_not():
    assert invented_share("to be or nit to b", "to be or not to be") == pytest.approx(1 / 5)
    assert invented_share("", "to be") == 0
