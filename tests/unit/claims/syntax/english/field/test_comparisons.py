"""Sentences of this kind, and what becomes of them; what is half understood stays as it is."""

import pytest

from regard.claims.syntax.english.rewriting import rewrite

ROWS = [
    ("x is at least 1 and at most 2", "1 ≤ x ≤ 2"),
    ("the gap vanishes as x → 0", "the gap → 0 as x → 0"),
    ("α_i never exceeds one", "α_i ≤ 1"),
    ("x is always strictly larger than one half", "x > 1/2"),
]


@pytest.mark.parametrize(("text", "expected"), ROWS, ids=[row[0] for row in ROWS])
def test_becomes(text, expected):
    assert rewrite(text)[0] == expected
