"""What is said of letters in words, and what becomes of it."""

import pytest

from regard.claims.syntax.english.descriptions import drop_descriptions, write_properties


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("E[σ(x)] = 1/2, σ the logistic sigmoid", "E[σ(x)] = 1/2"),
        ("∂p_i = δ_{ij}, where δ_{ij} is the Kronecker delta", "∂p_i = δ_{ij}"),
        ("P(X ≤ x) = Φ(x), where Φ is the standard normal cdf.", "P(X ≤ x) = Φ(x)."),
        ("x = σ y, where σ is positive", "x = σ y, where σ is positive"),
        ("∂p/∂x = J where p = softmax(x) is a column", "∂p/∂x = J where p = softmax(x)"),
    ],
)
def test_known_descriptions_are_dropped(text, expected):
    assert drop_descriptions(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("for every x with a unique maximum", "for every x uniquemax"),
        ("if the maximum of x is unique", "if x uniquemax"),
        ("A of full column rank", "A fullcolumn"),
        ("A has full rank", "A fullrank"),
        ("for distributions p, q on n outcomes", "for distributions p, q ∈ R^n"),
        ("for x in R^n", "for x ∈ R^n"),
    ],
)
def test_conditions_become_properties(text, expected):
    assert write_properties(text) == expected
