"""Signs that are typed as words."""

import pytest

from regard.claims.syntax.sentence.shorthand import with_signs


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("A in R^(d x m), m < d", "A ∈ R^{d×m}, m < d"),
        ("for all s in R^n, t in R", "for all s ∈ R^n, t ∈ R"),
        ("k_i^T k_j = δ_ij (i, j = 1..n), q = k_1", "k_i^T k_j = δ_ij, q = k_1"),
    ],
)
def test_signs(text, wanted):
    assert with_signs(text) == wanted


@pytest.mark.parametrize("text", ["x is in Rome", "the rows in R are equal", "p_t (t = 1..M)"])
def test_words_are_left_alone(text):
    assert with_signs(text) == text
