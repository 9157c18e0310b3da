"""What chapter 5 says of its model, against plain loops and closed forms."""

import contextlib
import io
import math

import numpy as np
import pytest

from regard.errors import VocabularyError
from regard.lab.chapters.words import view
from regard.lab.chapters.words.models import word_model
from regard.lab.chapters.words.view import (
    draw_sentences,
    nearest_words,
    next_words,
    python_for,
)
from regard.lab.jobs import JobProgress


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
    with pytest.raises(VocabularyError, match=r"'kings' is not among the 14 most frequent words of the text; try"):
        nearest_words(found, "kings")


def test_sentences_come_from_the_seed_and_are_escaped(settings):
    found = word_model(settings, quiet())
    lines = draw_sentences(found, temperature=0.5, seed=1)
    assert lines == draw_sentences(found, temperature=0.5, seed=1) != draw_sentences(found, temperature=0.5, seed=2)
    assert {word for line in lines for word in line.split()} <= {*found.words, "…"}
    assert view.sentence_list(["a < b"]).count("<li>a &lt; b</li>") == 1


def test_the_figure_names_marks(settings):
    found = word_model(settings, quiet())
    figure = view.word_figure(found, "old")
    labels = [label.get_text() for axes in figure.axes for label in axes.get_yticklabels()]
    assert "</s>" not in labels
    assert set(view.word_columns(found, "old")) == {"nearest", "cosine", "next", "probability"}


def test_the_shown_python_gives_the_shown_words(settings):
    found = word_model(settings, quiet())
    names, printed = {}, io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(python_for(settings, word="king", temperature=0.5, seed=4), names)  # our own text
    assert names["near"] == nearest_words(found, "king")
    assert [line.strip() for line in printed.getvalue().splitlines()[1:]] == draw_sentences(
        found, temperature=0.5, seed=4
    )
