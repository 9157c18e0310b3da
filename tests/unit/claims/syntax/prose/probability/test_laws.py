"""Laws that are told in words."""

import pytest

from regard.claims.syntax.prose.chart import Unreadable
from regard.claims.syntax.prose.probability.laws import split_list, state_laws


@pytest.mark.parametrize(
    ("conditions", "claimed", "expected"),
    [
        (["X is normal", "E[X] = μ", "Var(X) = σ²"], "A", (["X ~ N(μ, σ²)"], "A")),
        (["x is normal", "E[x] = μ", "Cov(x) = Σ"], "A", (["x ~ N(μ, Σ)"], "A")),
        (["(X, Y) are independent", "X ~ N(0, 1)", "Y ~ N(0, 1)"], "A", (["X ~ N(0, 1)", "Y ~ N(0, 1)"], "A")),
        (["(X, Y) are independent"], "A", (["X ⫫ Y"], "A")),
        (["Cov(X, Y) = 0"], "(X^2, Y) are independent", (["Cov(X, Y) = 0"], "X^2 ⫫ Y")),
        ([], "(X, Y) are uncorrelated does not hold", ([], "Cov(X, Y) = 0 does not hold")),
        (["X ~ N(0, 1)"], "2 X is normal", (["X ~ N(0, 1)"], "2 X ~ N(E[2 X], Var(2 X))")),
        (["X_i is iid", "X_i ~ N(0, 1)"], "A", (["X_i ~ N(0, 1)"], "A")),
        (["x = 1"], "A", (["x = 1"], "A")),
    ],
)
def test_laws(conditions, claimed, expected):
    assert state_laws(conditions, claimed) == expected


@pytest.mark.parametrize(
    ("conditions", "claimed"),
    [
        (["X ~ N(0, 1)", "Y ~ N(0, 1)"], "(X, Y) are independent"),
        ([], "(X, Y, Z) are independent"),
        ([], "(X, Y) is jointly normal"),
        (["X is normal", "Y is normal", "Corr(X, Y) = 1/2"], "A"),
        (["Var(X_i) = 1"], "A"),
        (["x = 1"], "E⟨mean⟩[x] = 1"),
    ],
)
def test_too_little_is_said(conditions, claimed):
    with pytest.raises(Unreadable):
        state_laws(conditions, claimed)


def test_samples_of_no_stated_law_are_not_normal():
    conditions, _ = state_laws(["X_i is iid", "Var(X_i) = 1"], "A")
    assert len(conditions) == 2
    assert "^2 - 1)/sqrt(2)" in conditions[1]


def test_commas_inside_of_brackets_part_nothing():
    assert split_list("f(x, y), z") == ["f(x, y)", "z"]
