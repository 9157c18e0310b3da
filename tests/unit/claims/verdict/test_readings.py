"""Readings of a claim in one setting: which are refused, and which decide."""

import pytest

from regard.claims.check import check
from regard.claims.syntax.grammar import parse
from regard.claims.verdict.readings import undefined_function


@pytest.mark.parametrize(
    ("claim", "setting", "verdict"),
    [
        ("H(α) > 0 for all n ≥ 1", "attention", "fails"),  # H was any number before α
        ("H(2α) = 2 H(α)", "attention", "fails"),
        ("H(α) ≤ log n", "attention", "holds"),
        ("σ(2x) = 2σ(x)", "attention", "fails"),
        ("f(2x) = 2 f(x)", "attention", "not-understood"),
        ("J(x + y) = J(x) + J(y)", None, "not-understood"),
        ("J(x + y) = J x + J y", None, "holds"),
    ],
)
def test_a_function_is_no_factor(claim, setting, verdict, unchecked):
    assert check(claim, setting=setting).verdict == verdict


def test_a_letter_is_a_function_where_a_bracket_follows_each_time():
    assert undefined_function(parse("f(2x) = 2 f(x)"), {"f", "x"}) == "f"
    assert undefined_function(parse("L(x + y) = L(x) + L(y)"), {"L", "x", "y"}) == "L"
    assert undefined_function(parse("L(x + y) = L x + L y"), {"L", "x", "y"}) is None
    assert undefined_function(parse("f = 2, f(x + y) = 2x + 2y"), {"f", "x", "y"}) is None
