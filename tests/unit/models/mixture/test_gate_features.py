"""What a gate looks at, worked by hand; and outlooks cut anew."""

import math

import numpy as np
import pytest

from regard.models.mixture.gate import context_features, no_features
from regard.models.ngram.predictions import Predictions, cut_evenly


def test_entropy_largest_and_overlap():
    one = Predictions(np.log([[0.5, 0.25, 0.25]]), np.array([[4.0, 1.5]]))
    other = Predictions.plain(np.log([[0.8, 0.1, 0.1]]))
    entropy = -(0.8 * math.log(0.8) + 0.2 * math.log(0.1))
    expected = [1, 1.5 * math.log(2), -math.log(2), entropy, math.log(0.8), math.log(0.45), 4.0, 1.5]
    np.testing.assert_allclose(context_features([one, other])[0], expected, rtol=1e-12)
    np.testing.assert_array_equal(no_features([one, other]), [[1.0]])


def test_three_members_have_three_pairs():
    predictions = [Predictions.plain(np.log(np.full((2, 4), 0.25)))] * 3
    assert context_features(predictions).shape == (2, 1 + 2 * 3 + 3)


def test_members_that_exclude_each_other_have_finite_features():
    with np.errstate(divide="ignore"):
        predictions = [Predictions.plain(np.log([[1.0, 0.0]])), Predictions.plain(np.log([[0.0, 1.0]]))]
    assert np.isfinite(context_features(predictions)).all()


@pytest.mark.parametrize("lengths", [[], [1], [3, 0, 4, 1], [7, 1], [2, 2, 2]])
@pytest.mark.parametrize("size", [1, 3, 100])
def test_outlooks_cut_anew_are_the_same_positions(lengths, size):
    table = np.arange(sum(lengths) * 2.0).reshape(-1, 2)
    ends = np.cumsum(lengths, dtype=int)
    pieces = [Predictions(table[end - n : end], -table[end - n : end]) for n, end in zip(lengths, ends, strict=True)]
    found = list(cut_evenly(pieces, size=size))
    assert [len(piece) for piece in found[:-1]] == [size] * (len(found) - 1)
    assert all(0 < len(piece) <= size for piece in found)
    np.testing.assert_array_equal(np.concatenate([table[:0], *(piece.log_probs for piece in found)]), table)
    np.testing.assert_array_equal(np.concatenate([table[:0], *(piece.familiarity for piece in found)]), -table)
