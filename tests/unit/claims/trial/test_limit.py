"""Limits: which are tried, what vanishes, how fast, and from where on it is below one per cent."""

import math

import numpy as np
import pytest

from regard.claims.check import check
from regard.claims.trial.limit import fit_rate, is_vanishing, one_percent_scale, possible_limits


def test_the_least_limit_comes_first():
    words = [limit.words for limit in possible_limits({"C": "large", "alpha": "small"})]
    assert words == ["alpha → 0", "C → ∞", "C → ∞ and alpha → 0"]
    assert list(possible_limits({})) == []


def test_a_gap_vanishes_if_it_is_nothing_or_falls_steadily():
    gaps = np.array([[1e-8, 0.01, 0.5, 0.02], [1e-8, 0.005, 0.5, 0.019], [1e-8, 0.002, 0.5, 0.0185]])
    assert is_vanishing(gaps).tolist() == [True, True, False, False]


@pytest.mark.parametrize("power", [0.5, 1.0, 3.0])
def test_rates_of_known_gaps(power):
    scales = (8.0, 16.0, 32.0)
    assert fit_rate([(s, s**-power) for s in scales]) == ("power", pytest.approx(power))
    assert fit_rate([(s, math.exp(-power * s)) for s in scales]) == ("exponential", pytest.approx(power))


def test_the_scale_of_one_per_cent():
    assert one_percent_scale(lambda scales: [math.exp(-s) for s in scales]) == pytest.approx(math.log(100), rel=1e-3)
    assert one_percent_scale(lambda scales: [0.5 for _ in scales]) == math.inf


def test_what_no_place_satisfies_in_the_limit_is_not_judged(unchecked):
    """Noisy keys have no given length once their noise is gone: nothing would be compared."""
    assert check("if ‖k_i‖ = 1 then c → v_j", setting="noisy-keys").verdict == "not-understood"


@pytest.mark.parametrize("given", ["x_i^T x_j = δ_ij", "x_i orthonormal"])
def test_premises_that_hold_to_the_digits_of_float64_only_hide_no_gap(given, unchecked):
    assert check(f"Let {given}. Let α → 0. Then α + C x_1^T x_1 → 7C").verdict == "fails"
    assert check(f"Let {given}. Let α → 0. Then α + C x_1^T x_1 → C").verdict == "holds-in-limit"


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("lim_{z→∞} e^z (1 − σ(z)) = 0", "fails"),
        ("lim_{z→∞} e^z (1 − σ(z)) = 1", "holds-in-limit"),
        ("lim_{z→∞} e^{2z} (1 − tanh(z)) = 0", "fails"),
        ("lim_{z→∞} e^{2z} (1 − tanh(z)) = 2", "holds-in-limit"),
        ("lim_{z→∞} z (1 − tanh(z)) = 0", "holds-in-limit"),
    ],
)
def test_a_gap_that_rounding_hides_is_seen(claim, verdict):
    found = check(claim)
    assert found.verdict == verdict
    assert found.counterexample is None or found.counterexample.left != found.counterexample.right
