"""Sentences of this kind, and what becomes of them."""

import pytest

from regard.claims.syntax.english.rewriting import rewrite


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("c ≈ v_a when β is large, and the error vanishes as β → ∞.", "c ≈ v_a as β → ∞."),
        ("h ≈ ε x A for small ε", "h ≈ ε x A as ε → 0"),
        ("tanh(x) ≈ x near x = 0, with an error that is O(x^3) as x → 0", "(tanh(x) - (x)) / x^2 → 0 as x → 0"),
        ("x is small", "x is small"),
        ("α_a + α_b = 1, whatever the query is", "α_a + α_b = 1"),
    ],
)
def test_becomes(text, expected):
    assert rewrite(text)[0] == expected
