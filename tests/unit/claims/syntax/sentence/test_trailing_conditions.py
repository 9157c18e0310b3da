"""Conditions at the end of a list, without a word."""

import pytest

from regard.claims.check import check
from regard.claims.syntax.grammar import parse
from regard.claims.syntax.printer import as_plain


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("x z = y z, z ≠ 0", "x z = y z given z ≠ 0"),
        ("‖A x‖ = ‖x‖, A^T A = I", "‖A x‖ = ‖x‖ given Aᵀ A = I"),
        ("x^T A y = y^T A x, A symmetric", "xᵀ A y = yᵀ A x given A is symmetric"),
        ("x_i z ≤ z, 0 < x_i ≤ 1", "x_i z ≤ z given 0 < x_i and x_i ≤ 1"),
        ("P = A A^T, P symmetric", "P = A Aᵀ; P is symmetric"),
        ("α_j x ≤ x, α_j ≥ 0", "α_j x ≤ x; α_j ≥ 0"),
        ("A^T A = I, A^T B = 0", "Aᵀ A = I; Aᵀ B = 0"),
    ],
)
def test_what_only_restricts_a_letter_is_given(text, plain):
    assert as_plain(parse(text)) == plain


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("‖v‖² = ‖A A^T v‖² + ‖v − A A^T v‖², A^T A = I", "holds"),
        ("‖v‖² = ‖A A^T v‖² − ‖v − A A^T v‖², A^T A = I", "fails"),
        ("∂CE(y, softmax(z))/∂z = softmax(z) − y, y one-hot", "holds"),
        ("∂CE(y, softmax(z))/∂z = y − softmax(z), y one-hot", "fails"),
        ("\\sum_i α_i = 1, α_i > 1", "fails"),
    ],
)
def test_verdicts_under_conditions_without_a_word(text, verdict):
    assert check(text).verdict == verdict
