"""Odd moments and limits of Gaussian vectors."""

import pytest

from regard.claims.check import check
from regard.claims.syntax.prose.chart import Unreadable
from regard.claims.syntax.prose.probability.moments import in_mean_square
from regard.claims.syntax.prose.reading import read_prose

GROWING = ["x ~ N(0, I_d)", "d → ∞"]


def test_odd_moments():
    claims = read_prose("All odd central moments of a normal distribution are zero.").claims
    assert claims == tuple(f"Let X ~ N(μ, σ²). Then E[(X - E[X])^{k}] = 0" for k in (1, 3, 5))


def test_a_limit_is_one_of_the_mean_square():
    assert in_mean_square(GROWING, "‖x‖/√d → 1") == "E[(‖x‖²/d - (1)^2)^2] → 0"
    assert in_mean_square(GROWING, "E[‖x‖²]/d → 1") == "E[‖x‖²]/d → 1"
    assert in_mean_square(["x ~ N(0, I_d)"], "‖x‖/√d → 1") == "‖x‖/√d → 1"


def test_other_quotients_are_refused():
    with pytest.raises(Unreadable):
        in_mean_square(GROWING, "1/‖x‖ → 0")


@pytest.mark.parametrize(("limit", "verdict"), [("1", "holds-in-limit"), ("2", "fails")])
def test_verdicts(limit, verdict):
    assert check(f"For x ~ N(0, I_d), ‖x‖/√d → {limit} as d → ∞.").verdict == verdict
