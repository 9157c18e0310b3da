"""Sentences of this kind, and what becomes of them; what is half understood stays as it is."""

import pytest

from regard.claims.syntax.english.rewriting import rewrite

ROWS = [
    ("H(p, q) is never negative and is zero only if p = q.", "H(p, q) ≥ 0; if H(p, q) = 0 then p = q"),
    ("e^x ≈ 1 + x, with an error O(x^2) as x → 0", "(e^x - (1 + x)) / x^1 → 0 as x → 0"),
    ("f is about g, and the relative error vanishes as x → 0", "f / (g) → 1 as x → 0"),
]


@pytest.mark.parametrize(("text", "expected"), ROWS, ids=[row[0] for row in ROWS])
def test_becomes(text, expected):
    assert rewrite(text)[0] == expected
