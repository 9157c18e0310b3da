import math
from itertools import product

import numpy as np

from regard.models.classifier.ngrams import NgramAverage, distinct_rows, endings
from regard.text.word_bags import buckets, ngram_hashes, word_bags

BITS = 10


def table(n_labels: int = 2) -> NgramAverage:
    numbers = np.random.default_rng(0).standard_normal((1 << BITS, n_labels)).astype(np.float32)
    return NgramAverage.round_numbers(numbers, (1, 2, 3), bias=np.arange(n_labels, dtype=np.float32))


def number(made: NgramAverage, row: int, label: int) -> float:
    return float(made.largest[label]) * (int(made.table[row, label]) / 127) ** 3


def test_scores_are_those_of_a_plain_loop() -> None:
    long = " ".join(f"w{i % 23}" for i in range(50))
    made, texts = table(), ["good good film good film", "", "bad", "a b c d e a b", long]
    for text, scores in zip(texts, made.scores(word_bags(texts)), strict=True):
        expected = made.bias.astype(float)
        for n, (words, share) in product((1, 2, 3), ((text, 1), (" ".join(text.split()[-20:]), 0.2))):
            rows = {int(row) for row in buckets(ngram_hashes(word_bags([words]), n)[0], BITS)}
            for label in range(2):
                expected[label] += share * sum(number(made, row, label) for row in rows) / math.sqrt(max(1, len(rows)))
        np.testing.assert_allclose(scores, expected, rtol=1e-4, atol=1e-4)


def test_shares_add_up_to_the_score() -> None:
    made, bags = table(), word_bags([" ".join(f"w{i % 23}" for i in range(50))])
    np.testing.assert_allclose(made.shares(bags).sum(axis=0) + made.bias, made.scores(bags)[0], rtol=1e-4, atol=1e-4)


def test_the_end_is_the_last_twenty_words() -> None:
    texts = [" ".join(f"w{i}" for i in range(n)) for n in (0, 3, 25)]
    found = endings(word_bags(texts))
    assert found.offsets.tolist() == [0, 0, 3, 23]
    assert found.hashes[3] == word_bags(["w5"]).hashes[0]


def test_a_word_said_twice_counts_once() -> None:
    rows, bounds = distinct_rows(word_bags(["good good", "good"]), 1, bits=BITS)
    assert rows.tolist() == [rows[0]] * 2
    assert bounds.tolist() == [0, 1, 2]


def test_rounding_is_finest_near_zero() -> None:
    numbers = np.array([[100.0], [-100.0], [1.0], [-0.01], [0.0]], np.float32)
    made = NgramAverage.round_numbers(numbers, (1,))
    assert [number(made, row, 0) for row in (0, 1, 4)] == [100, -100, 0]
    np.testing.assert_allclose([number(made, 2, 0)], [1.0], rtol=0.06)
    np.testing.assert_allclose([number(made, 3, 0)], [-0.01], rtol=0.25)


def test_a_few_rows_make_the_same_table() -> None:
    numbers = np.zeros((1 << BITS, 1), np.float32)
    numbers[[5, 900], 0] = 3.0, -1.0
    whole = NgramAverage.round_numbers(numbers, (1,), bias=np.ones(1, np.float32))
    few = NgramAverage.of_rows(
        np.array([900, 5, 5]),
        np.array([[-1.0], [2.0], [1.0]], np.float32),
        bits=BITS,
        orders=(1,),
        bias=np.ones(1, np.float32),
    )
    for name, array in whole.arrays().items():
        np.testing.assert_array_equal(few.arrays()[name], array)
