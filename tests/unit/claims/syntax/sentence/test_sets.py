"""What stands after ∈."""

import pytest

from regard.claims.syntax.grammar import parse
from regard.claims.syntax.printer import as_plain
from regard.errors import NotUnderstood


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("x ∈ [0, 1)", "0 ≤ x; x < 1"),
        ("x ∈ (0, ∞)", "0 < x"),
        ("x ∈ {0, 1}", "(x - 0) (x - 1) = 0"),
        ("A ∈ ℝ^{m×n}", "A ∈ ℝ^{m×n}"),
        ("x ∈ col(A)", "projector(A) x = x"),
        ("x ∈ R_+", "x ∈ ℝ; x > 0"),
    ],
)
def test_membership(text, plain):
    assert as_plain(parse(text)) == plain


def test_other_sets_are_not_understood():
    with pytest.raises(NotUnderstood, match="an interval, a set of numbers in braces"):
        parse("x ∈ S")
