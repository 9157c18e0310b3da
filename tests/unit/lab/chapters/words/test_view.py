"""What chapter 5 says of its model, against plain loops and closed forms."""

import json
import math

import numpy as np
import pytest

from regard.errors import VocabularyError
from regard.lab.chapters.words import models, view
from regard.lab.chapters.words.models import word_model
from regard.lab.chapters.words.view import (
    DerivativesInput,
    ShowInput,
    derivatives,
    draw_sentences,
    nearest_words,
    next_words,
    show,
    train_again,
)
from regard.lab.inputs import read_input
from regard.lab.jobs import JobProgress
from regard.lab.texts import LabText


def quiet():
    return JobProgress(lambda: None)


def test_nearest_words_are_those_of_largest_cosine(settings):
    found = word_model(settings, quiet())
    vocabulary, vectors = list(found.model.tokeniser.vocabulary), found.model.network.vectors.astype(float)

    def cosine(a, b):
        u, v = vectors[vocabulary.index(a)], vectors[vocabulary.index(b)]
        return float(u @ v / math.sqrt(u @ u) / math.sqrt(v @ v))

    cosines = sorted((cosine("king", word) for word in vocabulary[2:] if word != "king"), reverse=True)
    rows = nearest_words(found, "king")
    assert rows[0][0] == "prince"
    np.testing.assert_allclose([value for _, value in rows], cosines[: view.N_NEAREST], atol=1e-6)
    np.testing.assert_allclose([cosine("king", word) for word, _ in rows], [value for _, value in rows], atol=1e-6)


def test_what_follows_is_what_the_text_has(settings):
    found = word_model(settings, quiet())
    rows = next_words(found, "king")
    assert {word for word, _ in rows[:2]} == {"is", "was"}  # half of the times each
    expected = np.sort(np.exp(found.model.next_log_probs("king")))[::-1]
    np.testing.assert_allclose([value for _, value in rows], expected[: len(rows)])


def test_an_unknown_word_is_told_with_one_to_try(settings):
    found = word_model(settings, quiet())
    with pytest.raises(VocabularyError, match="“kings” is not among the 14 words that the model knows; try “"):
        nearest_words(found, "kings")


def test_sentences_come_from_the_seed(settings):
    found = word_model(settings, quiet())
    lines = draw_sentences(found, temperature=0.5, seed=1)
    assert lines == draw_sentences(found, temperature=0.5, seed=1) != draw_sentences(found, temperature=0.5, seed=2)
    assert {word for line in lines for word in line.split()} <= {*found.words, "…"}


@pytest.fixture
def tales(monkeypatch, settings):
    """The tales under the name of a text that is offered."""
    with open(settings.text) as file:
        given = LabText("shakespeare", file.read())
    monkeypatch.setattr(models, "read_text_or_manual", lambda name, progress: given)
    return ShowInput("shakespeare", 10, 3, "Old", 0.5, 1)


def test_an_answer_has_words_sentences_and_how_training_went(tales):
    found = json.loads(json.dumps(show(tales, quiet()), allow_nan=False))
    assert found["word"] == "old"
    assert len(found["nearest"]) == len(found["next"]) == 10
    assert {row["mark"] for row in found["next"]} <= {"", *view.MARKS.values()}
    assert not any(row["word"] in view.MARKS for row in found["nearest"])
    assert found["validation_nats"] == pytest.approx(math.log(found["perplexity"]))
    assert train_again(tales, quiet())["curve"] == tuple(map(tuple, found["curve"]))


def test_without_a_word_one_that_suits_the_text_is_shown_and_an_unknown_one_is_told(tales):
    assert show(read_input(ShowInput, {**vars(tales), "word": " "}), quiet())["word"] == "king"
    found = show(read_input(ShowInput, {**vars(tales), "word": "zebra"}), quiet())
    assert found["unknown"].startswith("“zebra” is not among the 14 words")
    assert found["nearest"] == found["next"] == []
    assert found["sentences"]


@pytest.mark.parametrize("mistake", ["none", "slope"])
def test_derivatives_are_told_with_what_each_method_can_tell(mistake):
    found = json.loads(json.dumps(derivatives(DerivativesInput(0, "sigmoid", mistake)), allow_nan=False))
    wrong = [row["parameter"] for row in found["rows"] if not row["holds"]]
    assert wrong == ([] if mistake == "none" else ["x", "w1", "b1"])
    assert set(found["tolerances"]) == set(found["rows"][0]["gaps"])


@pytest.mark.parametrize("wrong", [{"hidden": 7}, {"text": "/etc/passwd"}, {"word": "x" * 41}, {"temperature": 0}])
def test_what_is_sent_has_bounds(wrong):
    sent = {"text": "python-manual", "hidden": 10, "seed": 0, "word": "", "temperature": 1, "draw": 0}
    with pytest.raises(ValueError, match=f"{next(iter(wrong))} should be "):
        read_input(ShowInput, {**sent, **wrong})
