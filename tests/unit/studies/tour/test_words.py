"""Part C of the tour: figures of a tiny training, against the same computed by other means."""

import numpy as np
import pytest

from regard import train_ngram
from regard.studies.tour.evidence import Origin
from regard.studies.tour.words import measure


def test_the_answer_keeps_the_rules(keeps_the_rules):
    keeps_the_rules("C1")


def test_the_models_are_told_from_best_to_worst(answer):
    found = answer("C1")
    (table,) = found.tables
    figures = [row[1] for row in table.rows]
    assert figures == sorted(figures)
    assert {row[1] for row in table.rows} == {each.value for each in found.numbers[:3]}
    assert found.number("change of perplexity by saving and restoring").value == 0
    assert any("Python's manual" in note for note in found.notes)
    assert f"{found.number('perplexity per word, Kneser–Ney').value:.2f}" in found.sentences[1]


def test_a_perplexity_has_the_error_of_its_tokens():
    model = train_ngram("to be or not to be\n" * 9, order=2, progress=False)
    nats = -model.score("to be\n").log_probs_nats
    number = measure(model, "to be\n", "counts", Origin(1))
    assert number.value == pytest.approx(np.exp(nats.mean()))
    assert number.error == pytest.approx(np.exp(nats.mean()) * nats.std() / np.sqrt(6))
    assert number.how == "measured; standard error over 6 tokens"
