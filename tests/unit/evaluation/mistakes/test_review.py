"""Texts as rules read them: words in their places, scores from the classifier, parts cut between words."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.classifiers import LinearClassifier, film_critic

from regard.evaluation.mistakes import review as reading

TEXTS = ["A good film.<br />But AWFUL end", "not good, awful", "zyzzyva isn’t dull"]


def test_a_word_scores_what_the_classifier_says_of_it_alone():
    lexicon = reading.read_words(film_critic(scale=1.0), TEXTS)
    assert list(lexicon.ids) == ["a", "good", "film", "but", "awful", "end", "not", "zyzzyva", "isn't", "dull"]
    odds = lexicon.scores[:, 1] - lexicon.scores[:, 0]
    np.testing.assert_allclose(odds, [0, 2, 0, 0, -4, 0, -0.5, 0, 0, -1.5], atol=1e-12)
    assert lexicon.counts.tolist() == [1, 2, 1, 1, 2, 1, 1, 1, 1, 1]
    known = dict(zip(lexicon.ids, lexicon.is_known.tolist(), strict=True))
    assert known == {word: word not in ("a", "end", "zyzzyva", "isn't") for word in known}


def test_which_label_is_praise_is_learnt_from_the_classifier():
    assert reading.label_leanings(film_critic(scale=1.0)) == (-1, 1)
    assert reading.label_leanings(film_critic(scale=0.01)) == (0, 0)
    vectors = {"good": [0.0, 3.0, 0.0], "bad": [0.0, 0.0, 3.0], "awful": [0.0, 0.0, 9.0]}
    assert reading.label_leanings(LinearClassifier(vectors, ("fact", "praise", "blame"))) == (0, 1, -1)


def test_a_tenth_of_all_words_is_strong():
    texts = ["awful"] * 5 + ["good bad"] * 5 + ["film"] * 85
    assert reading.read_words(film_critic(scale=1.0), texts).strength == pytest.approx(2)
    assert reading.read_words(film_critic(), ["film"] * 100).strength == reading.MIN_STRENGTH


def test_cases_speak_for_the_answer():
    critic = film_critic(scale=1.0)
    log_probs = critic.log_probs(TEXTS)
    first, second, third = reading.read_reviews(critic, TEXTS, log_probs)
    assert (first.answer, first.runner_up) == (0, 1)
    assert first.words == ["a", "good", "film", "but", "awful", "end"]
    assert [first.text[start:end] for start, end in first.spans] == ["A", "good", "film", "But", "AWFUL", "end"]
    np.testing.assert_allclose(first.scores, [0, -2, 0, 0, 4, 0], atol=1e-12)
    assert [first.text[slice(*span)] for span in first.sentences] == ["A good film.", "<br />But AWFUL end"]
    np.testing.assert_allclose(second.scores, [0.5, -2, 4], atol=1e-12)
    # "not good," and "awful" of "not good, awful": by hand (−.5 + 2) / 3 and −4, less the bias of .1
    np.testing.assert_allclose([second.first_half, second.last_third], [-1.5 / 3 + 0.1, 4.1], atol=1e-12)
    assert third.words == ["zyzzyva", "isn't", "dull"]


def test_words_between_places():
    review = next(reading.read_reviews(film_critic(), ["one two three"], np.log([[0.5, 0.5]])))
    assert review.words_between(0, 13) == (0, 3)
    assert review.words_between(4, 8) == (1, 2)
    assert review.words_between(5, 5) == (2, 2)


def test_a_text_without_words():
    (review,) = reading.read_reviews(film_critic(), ["..."], np.log([[0.4, 0.6]]))
    assert review.words == []
    assert review.scores.shape == (0,)
    assert review.lexicon.strength == reading.MIN_STRENGTH or np.isinf(review.lexicon.strength)


@settings(max_examples=30)
@given(st.text(alphabet="ab İẞ<>'’.\n", max_size=60), st.floats(0, 1))
def test_parts_put_together_are_the_text(text, share):
    first, second = reading.cut_part(text, 0.0, share), reading.cut_part(text, share, 1.0)
    assert (first + second).split() == text.split() or (first + " " + second).split() == text.split()
    assert len(reading.plain_text(text)) == len(text)
