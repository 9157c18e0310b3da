import math

import numpy as np
from scipy import sparse

from regard.text.word_bags import buckets, ngram_hashes, word_bags
from regard.training.averaging.ngrams import build_ngram_texts, count_by_fold, log_ratios


def test_ratios_worked_by_hand() -> None:
    # of the label: 3 and 1 texts; of others: 0 and 1; a = 1, so 4/6 against 1/3, and 2/6 against 2/3
    found = log_ratios(np.array([3.0, 1.0]), np.array([0.0, 1.0]), smoothing=1.0)
    np.testing.assert_allclose(found, [math.log(4 / 6 / (1 / 3)), math.log(2 / 6 / (2 / 3))])


def test_an_ngram_that_was_never_met_says_nothing() -> None:
    found = log_ratios(np.array([[3.0, 0.0]]), np.array([[1.0, 0.0]]), smoothing=0.5)
    assert found[0, 1] == 0
    assert found[0, 0] != 0


def test_counts_by_fold_are_those_of_a_loop() -> None:
    rng = np.random.default_rng(0)
    has, chosen, folds = rng.random((12, 5)) < 0.4, rng.random(12) < 0.5, rng.integers(0, 3, 12)
    expected = [[sum(has[i, g] for i in range(12) if chosen[i] and folds[i] == f) for g in range(5)] for f in range(3)]
    found = count_by_fold(sparse.csr_array(has.astype(np.float32)), chosen, folds, 3)
    np.testing.assert_array_equal(found, expected)


def test_the_matrix_holds_the_ngrams_that_enough_texts_have() -> None:
    texts = ["good film", "good good film", "bad"]
    found = build_ngram_texts(word_bags(texts), order=2, bits=16, least=2)
    wanted = [int(buckets(ngram_hashes(word_bags([text]), n)[0], 16)[0]) for text, n in
              (("good", 1), ("film", 1), ("good film", 2))]  # fmt: skip
    assert sorted(found.rows.tolist()) == sorted(wanted)
    assert found.groups.tolist() == [1, 1, 11]  # two texts have each: group log₂ 2; the pair comes after ten groups
    dense = dict(zip(found.rows.tolist(), found.matrix.toarray().T.tolist(), strict=True))
    # a short text is its own end: all counts 0.2 more
    np.testing.assert_allclose(dense[wanted[0]], [1.2 / math.sqrt(2), 1.2 / math.sqrt(2), 0], rtol=1e-6)
    np.testing.assert_allclose(dense[wanted[2]], [1.2, 1.2 / math.sqrt(2), 0], rtol=1e-6)
    assert set(found.has().data.tolist()) == {1.0}


def test_what_stands_at_the_end_counts_more() -> None:
    words = ["good", "film", *(f"w{i}" for i in range(18)), "bad"]  # 21 words: the first is not of the end
    found = build_ngram_texts(word_bags([" ".join(words)]), order=1, bits=24, least=1)
    dense = dict(zip(found.rows.tolist(), found.matrix.toarray()[0].tolist(), strict=True))
    rows = [int(buckets(word_bags([word]).hashes, 24)[0]) for word in ("good", "film", "bad")]
    early, late = 1 / math.sqrt(21), 1 / math.sqrt(21) + 0.2 / math.sqrt(20)
    np.testing.assert_allclose([dense[row] for row in rows], [early, late, late], rtol=1e-6)
