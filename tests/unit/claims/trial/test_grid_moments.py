"""Integrals over one or two normal numbers: against closed forms, and never surer than they are."""

import math

import numpy as np
import pytest

from regard.claims.check import check
from regard.claims.trial.grid_moments import GridMoments, _grids


@pytest.mark.parametrize(
    ("function", "expected", "digits"),
    [
        (np.cos, math.exp(-0.5), 1e-13),
        (lambda z: np.exp(3 * z), math.exp(4.5), 1e-12),
        (np.abs, math.sqrt(2 / math.pi), 1e-4),
    ],
)
def test_mean_of_one_number(function, expected, digits):
    for nodes, weights in _grids(1):
        found = GridMoments(weights).mean(function(nodes)[:, :, None])
        assert abs(found.item() / expected - 1) < digits


def test_a_kink_along_the_diagonal_does_not_fool_both_grids():
    exact = 1 / math.sqrt(math.pi)
    found = [GridMoments(weights).mean(nodes.max(axis=1)[:, None, None]).item() for nodes, weights in _grids(2)]
    assert abs(found[0] - exact) <= 3 * abs(found[0] - found[1])


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("X, Y ~ N(0, 1) independent ⇒ E[max(X, Y)] = 1/√π", "holds"),
        ("X, Y ~ N(0, 1) independent ⇒ E[max(X, Y)] = 0.56", "fails"),
        ("X ~ N(0, σ²) ⇒ E[cos X] = e^{-σ²/2}", "holds"),
        ("X ~ N(μ, 1) ⇒ E[Φ(X)] = Φ(μ/√2)", "holds"),
        ("Y = e^X, X ~ N(0, σ²) ⇒ Var(Y) = e^{σ²} − 1", "fails"),
    ],
)
def test_verdicts_by_integrals(claim, verdict):
    found = check(claim)
    assert (found.verdict, found.how.split(" of ")[0]) == (verdict, "integrals over the noise")
