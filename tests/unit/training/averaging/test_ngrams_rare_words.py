import numpy as np
from scipy import sparse

from regard.text.vectors.word_vectors import WordVectors
from regard.text.word_bags import buckets, word_bags, word_hashes
from regard.training.averaging.ngrams import (
    HALF_TEXTS,
    RIDGE,
    build_ngram_texts,
    correct_rare_words,
    fit_vector_corrections,
)


def test_corrections_are_those_of_a_weighted_ridge_regression() -> None:
    rng = np.random.default_rng(0)
    vectors, numbers, share = rng.normal(size=(30, 4)), rng.normal(size=(30, 2)), rng.random(30)
    x = np.c_[vectors, np.ones(30)]
    rows = np.concatenate([np.sqrt(share)[:, None] * x, np.sqrt(RIDGE) * np.eye(5)])
    targets = np.concatenate([np.sqrt(share)[:, None] * numbers, np.zeros((5, 2))])
    said = x @ np.linalg.lstsq(rows, targets, rcond=None)[0]
    expected = (1 - share)[:, None] * (said - numbers)
    np.testing.assert_allclose(fit_vector_corrections(numbers, share, vectors), expected, atol=1e-6)


def test_common_words_stay_and_unseen_ones_are_told_by_their_vectors() -> None:
    rng = np.random.default_rng(1)
    words = [f"w{i}" for i in range(200)]
    direction = rng.normal(size=3)
    vectors = rng.normal(size=(200, 3)).astype(np.float32)
    numbers = (vectors @ direction).astype(np.float32)[:, None]
    n_texts = np.where(np.arange(200) < 190, 100 * HALF_TEXTS, 0)
    found = fit_vector_corrections(numbers * (n_texts > 0)[:, None], n_texts / (n_texts + HALF_TEXTS), vectors)
    assert np.abs(found[:190]).max() < 0.05
    np.testing.assert_allclose(found[190:], numbers[190:], atol=0.3)
    assert len(words) == len(found)


def test_the_table_is_read_by_words() -> None:
    bags = word_bags(["good film", "bad film", "good good", "bad bad end"] * 3)
    texts = build_ngram_texts(bags, order=2, bits=12, least=2)
    is_word = texts.groups < 10
    row = int(buckets(word_hashes(["good"]), 12)[0])
    numbers = np.zeros((len(texts.rows), 1), np.float32)
    numbers[is_word & (texts.rows == row)] = 3.0
    vectors = WordVectors(("good", "fine", "zyzzyva"), np.array([[1, 0], [1, 0], [0, 1]], np.float32))
    found = correct_rare_words(texts, numbers, vectors, bits=12)
    good, fine, other, none = (
        float(found.scores(word_bags([word]))[0, 0]) for word in ("good", "fine", "zyzzyva", "x")
    )
    n_texts = 6  # "good" is in six of the twelve texts
    expected = fit_vector_corrections(
        np.array([[3.0], [0], [0]]), np.array([n_texts / (n_texts + HALF_TEXTS), 0, 0]), vectors.vectors
    )[:, 0]
    np.testing.assert_allclose(np.array([good, fine, other]) / 1.2, expected, rtol=0.03, atol=1e-4)
    assert good < 0 < fine
    assert none == 0


def test_no_words_in_the_texts_at_all() -> None:
    texts = build_ngram_texts(word_bags(["one", "two"]), order=1, bits=10, least=2)
    assert sparse.issparse(texts.matrix)
    vectors = WordVectors(("good",), np.array([[1.0, 2.0]], np.float32))
    found = correct_rare_words(texts, np.zeros((0, 1), np.float32), vectors, bits=10)
    assert found.scores(word_bags(["good"]))[0, 0] == 0
