"""Sentences of this kind, and what becomes of them; what is half understood stays as it is."""

import pytest

from regard.claims.syntax.english.rewriting import rewrite

JACOBIAN = "(diag(softmax(z)) - softmax(z) softmax(z)^T)"
ROWS = [
    ("The softmax Jacobian is symmetric and singular.", f"{JACOBIAN} = {JACOBIAN}^T; det({JACOBIAN}) = 0"),
    ("Each row of the Jacobian of the softmax sums to zero.", f"({JACOBIAN} 1)_i = 0"),
]
LEFT = ["The softmax Jacobian is symmetric and charming"]


@pytest.mark.parametrize(("text", "expected"), ROWS, ids=[row[0] for row in ROWS])
def test_becomes(text, expected):
    assert rewrite(text)[0] == expected


@pytest.mark.parametrize("text", LEFT)
def test_what_is_half_understood_stays(text):
    assert rewrite(text)[0] == text
