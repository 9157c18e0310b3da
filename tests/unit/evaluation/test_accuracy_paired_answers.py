"""Two classifiers on the same texts, counted by hand."""

import math

import numpy as np
import pytest
from scipy.stats import binomtest

from regard.errors import NothingScoredError
from regard.evaluation.accuracy import compare_paired


def right(*counts):
    """Whether each of two is right: so many texts both, only the first, only the second, neither."""
    return np.repeat([True, True, False, False], counts), np.repeat([True, False, True, False], counts)


def test_by_hand():
    found = compare_paired(*right(80, 4, 10, 6))
    assert (found.only_first, found.only_second) == (4, 10)
    assert found.difference == pytest.approx(0.06)
    assert found.p_value == pytest.approx(binomtest(4, 14).pvalue)


def test_the_error_is_that_of_the_mean_difference():
    first, second = right(5, 2, 7, 6)
    differences = second.astype(float) - first
    assert compare_paired(first, second).standard_error == pytest.approx(differences.std() / math.sqrt(20))


def test_the_same_answers_are_no_difference():
    found = compare_paired(*right(3, 0, 0, 2))
    assert (found.difference, found.standard_error, found.p_value) == (0, 0, 1)
    assert compare_paired(*right(0, 5, 5, 0)).p_value == 1


def test_nothing_to_compare():
    with pytest.raises(NothingScoredError, match="no text that both have classified"):
        compare_paired(np.zeros(0, dtype=bool), np.zeros(0, dtype=bool))
