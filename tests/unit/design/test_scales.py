"""Closed forms for the scale of a query, against the printed figures and against weights computed by a loop."""

import math

import numpy as np
import pytest
from scipy.optimize import brentq

from regard.design import average_scale, copy_scale, logit_gap, outside_weight, smallest_scale
from regard.errors import ValueRangeError


def leak_by_loop(wanted_logits, other_logits):
    wanted = sum(math.exp(s) for s in wanted_logits)
    other = sum(math.exp(s) for s in other_logits)
    return other / (wanted + other)


@pytest.mark.parametrize(
    ("n_keys", "error", "scale"),
    [
        (2, 0.01, 4.595120),
        (10, 0.01, 6.792344),
        (100, 1e-3, 11.501875),
        (1000, 1e-3, 13.813510),
        (10**6, 1e-6, 27.631019),
    ],
)
def test_copy_scale_of_orthonormal_keys(n_keys, error, scale):
    assert copy_scale(n_keys, error) == pytest.approx(scale, abs=5e-7)
    assert logit_gap(n_keys, error) == copy_scale(n_keys, error)


@pytest.mark.parametrize(
    ("n_keys", "n_chosen", "error", "scale"),
    [
        (10, 2, 1e-3, 8.293049),
        (100, 2, 1e-3, 10.798575),
        (100, 5, 1e-3, 9.851194),
        (1000, 10, 1e-6, 18.410629),
    ],
)
def test_average_scale_of_orthonormal_keys(n_keys, n_chosen, error, scale):
    assert average_scale(n_keys, n_chosen, error) == pytest.approx(scale, abs=5e-7)
    leak = leak_by_loop([scale] * n_chosen, [0.0] * (n_keys - n_chosen))
    assert leak == pytest.approx(error, abs=0, rel=1e-6)


@pytest.mark.parametrize(
    ("n_keys", "weight"), [(2, 0.731059), (4, 0.475367), (10, 0.231969), (100, 0.026724), (1000, 0.002714)]
)
def test_an_unscaled_query_copies_badly(n_keys, weight):
    assert 1 - outside_weight(n_keys, 1, 1.0) == pytest.approx(weight, abs=5e-7)


@pytest.mark.parametrize("error", [1e-300, 1e-16, 1e-3, 0.3, 0.6])
def test_outside_weight_undoes_average_scale(error):
    assert outside_weight(10, 3, average_scale(10, 3, error)) == pytest.approx(error, abs=0, rel=1e-12)


def test_coherence_divides_the_gap():
    # Unit keys with the same k_i·k_j = 0.6: every gap is C(1 − 0.6), so the error is met with equality.
    keys = np.linalg.cholesky(np.full((5, 5), 0.6) + 0.4 * np.eye(5))
    logits = keys @ (copy_scale(5, 0.02, coherence=0.6) * keys[2])
    assert leak_by_loop([logits[2]], np.delete(logits, 2)) == pytest.approx(0.02, abs=0, rel=1e-12)


def test_extreme_errors_do_not_overflow():
    assert copy_scale(2, 1e-300) == pytest.approx(300 * math.log(10), abs=0, rel=1e-15)
    assert copy_scale(2, 1 - 1e-16) == 0.0
    assert outside_weight(10, 1, 1e4) == 0.0
    assert outside_weight(10, 1, -1e4) == 1.0


def test_no_scale_is_needed_where_the_error_is_met_already():
    assert copy_scale(1, 0.01) == 0.0
    assert average_scale(7, 7, 0.01) == 0.0
    assert outside_weight(7, 7, 0.0) == 0.0
    assert copy_scale(4, 0.75) == pytest.approx(0.0, abs=1e-15)  # q = 0 gives key j one quarter
    assert copy_scale(4, 0.9) == 0.0


@pytest.mark.parametrize("error", [0.0, 1.0, -0.1, 1.5, math.nan, math.inf])
def test_errors_that_no_query_can_have(error):
    for refused in (lambda: copy_scale(3, error), lambda: average_scale(3, 3, error)):
        with pytest.raises(ValueRangeError, match=r"error must lie strictly between 0 and 1; got "):
            refused()


def test_impossible_counts_and_coherence():
    with pytest.raises(ValueRangeError, match=r"expected 1 ≤ n_chosen ≤ n_keys; got 5 chosen of 4 keys"):
        average_scale(4, 5, 0.1)
    with pytest.raises(ValueRangeError, match=r"got 1 chosen of 0 keys"):
        copy_scale(0, 0.1)
    with pytest.raises(ValueRangeError, match=r"must lie in \[-1, 1\); got 1\.0"):
        copy_scale(4, 0.1, coherence=1.0)


@pytest.mark.parametrize("error", [0.4, 1e-2, 1e-9, 1e-200])
def test_smallest_scale_solves_for_unequal_gaps(error):
    offsets, gaps = np.array([0.3, -2.0, 5.0]), np.array([1.0, 0.25, 7.0])
    excess = lambda scale: math.log(sum(np.exp(offsets - scale * gaps))) - math.log(error) + math.log1p(-error)
    by_bisection = brentq(excess, 0.0, 2500.0, xtol=1e-12)
    assert smallest_scale(offsets, gaps, error=error) == pytest.approx(by_bisection, abs=0, rel=1e-10)


def test_smallest_scale_at_its_ends():
    assert smallest_scale(np.array([]), np.array([]), error=0.1) == 0.0
    assert smallest_scale(np.array([-9.0]), np.array([1.0]), error=0.1) == 0.0
    with pytest.raises(
        ValueRangeError, match=r"gaps must be positive, or no scale is large enough; the smallest is -1"
    ):
        smallest_scale(np.zeros(2), np.array([1.0, -1.0]), error=0.1)
