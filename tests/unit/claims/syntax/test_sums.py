"""Sums over several indices, largest terms, and sums with dots."""

import pytest

from regard.claims.syntax.grammar import parse
from regard.claims.syntax.printer import as_plain
from regard.errors import NotUnderstood


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        (r"x = \sum_{i,j} A_{ij}", "x = ∑_{i} ∑_{j} A_{i,j}"),
        (r"x = \max_{i \ne a} s_i", "x = max_{i≠a} s_i"),
        (r"x = \sum \alpha_i v_i", "x = ∑_{i} α_i v_i"),
        ("x = Σ α_i", "x = ∑_{i} α_i"),
        ("x = Σ v", "x = Σ v"),
        (r"x = \arg\max_i s_i", "x = argmax_{i} s_i"),
        (r"x = p_1 p_2 \cdots p_N", "x = ∏_{r = 1}^{N} p_r"),
        (r"x = a_1 b_1 + \dots + a_n b_n", "x = ∑_{r = 1}^{n} a_r b_r"),
    ],
)
def test_sums(text, plain):
    assert as_plain(parse(text)) == plain


def test_dots_between_unlike_terms_are_refused():
    with pytest.raises(NotUnderstood, match="terms that differ in one index"):
        parse("x = a_1 + … + b_n")
