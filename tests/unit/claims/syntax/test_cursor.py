"""What stands below and above a name: indices, powers, transposes, inverses."""

import pytest

from regard.claims.syntax.grammar import parse
from regard.claims.syntax.printer import as_plain


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("k_a^⊤ q = 0", "k_aᵀ q = 0"),
        ("x^{-1/2} = 0", "x^(-1/2) = 0"),
        ("q1 = 0", "q_1 = 0"),
    ],
)
def test_scripts(text, expected):
    assert as_plain(parse(text)) == as_plain(parse(expected))
