"""Derivatives as they are written."""

import pytest

from regard.claims.syntax.grammar import parse
from regard.claims.syntax.printer import as_plain
from regard.errors import NotUnderstood


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"∇ ½‖x‖² = x", "∂(½ ‖x‖^2)/∂x = x"),
        (r"∇ log Σ_j exp(x_j) = p", "∂log(∑_{j} exp(x_j))/∂x = p"),
        (r"∂²f/∂x∂y = 0", "∂(∂f/∂y)/∂x = 0"),
    ],
)
def test_written(text, expected):
    assert as_plain(parse(text)) == expected


def test_a_gradient_of_two_letters_says_by_which():
    with pytest.raises(NotUnderstood, match="what the gradient is taken by"):
        parse("∇ log(x y) = 0")
