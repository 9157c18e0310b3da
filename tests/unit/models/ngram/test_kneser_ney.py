"""Kneser–Ney worked by hand, against dictionaries, and against figures known for Penn Treebank."""

import gzip
import itertools
import os
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
from tests.support.ngram_oracle import DictionaryModel, segments

from regard.models.ngram import counts as counts_module
from regard.models.ngram.counts import NgramCounts
from regard.models.ngram.kneser_ney import FALLBACK, KneserNey, discounts_of

DATA = Path(os.environ.get("REGARD_DATA") or Path(__file__).parents[5] / "shared" / "data")
needs_data = pytest.mark.skipif(
    not DATA.is_dir() and os.environ.get("CI") != "true", reason=f"needs the corpora in {DATA}: set REGARD_DATA"
)


def random_ids(seed, *, size=300, vocab_size=5, start_id=None):
    rng = np.random.default_rng(seed)
    ids = (rng.random(size) ** 2 * vocab_size).astype(np.int64)
    if start_id is not None:
        ids[rng.random(size) < 0.1] = start_id
    return ids


def test_discounts_by_hand():
    # k = 4, 2, 1, 1: Y = 4/8; 1 − 2·½·2/4, 2 − 3·½·1/2, 3 − 4·½·1/1
    assert_allclose(discounts_of(np.array([1, 1, 1, 1, 2, 2, 3, 4, 9])), [0, 0.5, 1.25, 1.0])
    # nothing seen four times leaves D₃ = 3
    assert_allclose(discounts_of(np.array([1, 1, 2, 3])), [0, 0.5, 0.5, 3.0])


@pytest.mark.parametrize(
    "counts",
    [[], [0, 0], [1, 1, 1], [2, 3], [7], [1, 2, 4], [1, 2, 3, 3, 3]],  # the last one would have D₂ = 2 − 3·(1/3)·3 < 0
)
def test_discounts_fall_back_where_counts_of_counts_say_nothing(counts):
    assert_array_equal(discounts_of(np.array(counts, dtype=np.int64)), FALLBACK)


def test_a_bigram_model_by_hand():
    # text 0 1 0 1 0: bigrams 01 twice, 10 twice; 0 opens the text and follows 1, so it has two continuations, 1 has one
    model = KneserNey.fit(np.array([0, 1, 0, 1, 0]), vocab_size=2, order=2)
    unigram = np.array([(2 - 1) / 3, (1 - 0.5) / 3]) + (1 + 0.5) / 3 / 2
    after_0 = np.array([0, (2 - 1) / 2]) + 1 / 2 * unigram
    assert_allclose(np.exp(model.next_log_probs(np.array([1, 0]))), after_0, rtol=1e-14)
    assert_allclose(np.exp(model.next_log_probs(np.zeros(0, dtype=np.int64))), unigram, rtol=1e-14)


@pytest.mark.parametrize("order", [1, 2, 5])
@pytest.mark.parametrize("start_id", [None, 0, 5])
def test_every_probability_is_that_of_dictionaries(order, start_id):
    ids, text = random_ids(0, start_id=start_id), random_ids(1, size=40, start_id=start_id)
    model = KneserNey.fit(ids, vocab_size=5, order=order, start_id=start_id)
    oracle = DictionaryModel(segments(ids, start_id), vocab_size=5, order=order, start_id=start_id)
    found = np.exp(model.log_probs(text))
    for t, symbol in enumerate(text.tolist()):
        expected = 1.0 if symbol == start_id else oracle.kneser_ney(text[:t], symbol)
        assert_allclose(found[t], expected, rtol=1e-12)


@pytest.mark.parametrize("start_id", [None, 0, 5])
def test_distributions_sum_to_one_and_agree_with_scores(start_id):
    ids, text = random_ids(2, start_id=start_id), random_ids(3, size=60, start_id=start_id)
    model = KneserNey.fit(ids, vocab_size=5, order=4, start_id=start_id)
    after = model.next_log_probs_of([text[:t] for t in range(len(text))])
    assert_allclose(np.exp(after).sum(axis=1), 1, atol=1e-12)
    scored = np.flatnonzero(text != start_id)
    assert_allclose(model.log_probs(text)[scored], after[scored, text[scored]], atol=1e-12)
    assert_allclose(after[7], model.next_log_probs(text[:7]), rtol=1e-14)


@pytest.mark.parametrize(
    ("ids", "vocab_size"), [([], 3), ([1], 3), ([0] * 50, 1), ([2] * 50, 3), ([0, 1], 2), ([0, 1, 2] * 20, 3)]
)
def test_degenerate_texts_give_distributions(ids, vocab_size):
    model = KneserNey.fit(np.array(ids, dtype=np.int64), vocab_size=vocab_size, order=6)
    for context in ([], [0], ids, [0] * 9):
        log_probs = model.next_log_probs(np.array(context, dtype=np.int64))
        assert np.isfinite(log_probs).all()
        assert_allclose(np.exp(log_probs).sum(), 1, atol=1e-12)
    assert model.log_probs(np.zeros(0, dtype=np.int64)).shape == (0,)


def test_nothing_learnt_is_uniform():
    model = KneserNey.fit(np.zeros(0, dtype=np.int64), vocab_size=4, order=3)
    assert_allclose(np.exp(model.log_probs(np.array([3, 0]))), 0.25)


def test_a_start_id_within_the_vocabulary_is_never_predicted_and_costs_nothing():
    ids, text = random_ids(4, vocab_size=4, start_id=4), random_ids(5, vocab_size=4, start_id=4)
    outside = KneserNey.fit(ids, vocab_size=4, order=3, start_id=4)
    inside = KneserNey.fit(ids, vocab_size=5, order=3, start_id=4)
    assert_allclose(inside.log_probs(text), outside.log_probs(text), rtol=1e-14)
    assert inside.next_log_probs(text)[4] == -np.inf
    assert (inside.log_probs(text)[text == 4] == 0).all()


def test_lines_may_stand_in_any_order():
    lines = [[5, 0, 1, 2], [5, 1, 1], [5, 3, 0, 4, 4]]
    model, other = (
        KneserNey.fit(np.concatenate(some), vocab_size=5, order=3, start_id=5) for some in (lines, lines[::-1])
    )
    assert_allclose(model.log_probs(np.array(lines[0])), other.log_probs(np.array(lines[0])), rtol=1e-14)


def test_long_texts_are_scored_in_pieces_to_the_same_figures(monkeypatch):
    ids, text = random_ids(6), random_ids(7, size=50)
    model = KneserNey.fit(ids, vocab_size=5, order=5)
    whole = model.log_probs(text)
    monkeypatch.setattr(counts_module, "PIECE", 3)
    assert_array_equal(model.log_probs(text), whole)


def penn_treebank(n_words):
    """Ids of the most frequent words, everything else unknown; each line begins with a mark and ends with </s>."""
    lines = {}
    for part in ("train", "valid"):
        with gzip.open(DATA / "ptb" / f"ptb.{part}.txt.gz", "rt", encoding="utf-8") as file:
            lines[part] = [[*line.split(), "</s>"] for line in file]
    tally = Counter(word for line in lines["train"] for word in line)
    index = {word: i for i, (word, _) in enumerate(tally.most_common(n_words))}
    return [
        np.array([i for line in part for i in (n_words, *(index.get(w, index["<unk>"]) for w in line))])
        for part in lines.values()
    ]


@pytest.mark.slow
@needs_data
def test_perplexities_known_for_penn_treebank_with_2000_words():
    train, valid = penn_treebank(2000)
    for order, expected in ((2, 69.11), (3, 55.9)):
        model = KneserNey.fit(train, vocab_size=2000, order=order, start_id=2000)
        perplexity = np.exp(-model.log_probs(valid).sum() / (valid != 2000).sum())
        assert perplexity == pytest.approx(expected, abs=0.06)


def test_counts_of_pairs_are_those_of_the_text():
    ids = np.array([3, 0, 1, 1, 3, 2, 1, 3, 0, 1])  # 3 opens a line
    matrix = np.zeros((4, 3), int)
    for before, after in itertools.pairwise(ids):
        if after != 3:
            matrix[before, after] += 1
    by_pairs = KneserNey.of_bigrams(csr_array(matrix)).counts
    by_text = NgramCounts.count(ids, vocab_size=3, order=2, start_id=3)
    for name, array in by_text.to_arrays().items():
        np.testing.assert_array_equal(by_pairs.to_arrays()[name], array)
