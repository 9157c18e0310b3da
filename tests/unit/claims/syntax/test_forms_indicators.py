"""Indicators of equal indices."""

from fractions import Fraction

import pytest

from regard.claims.syntax.expressions import Expressions
from regard.claims.syntax.lexer import tokenise
from regard.claims.syntax.tree import Binary, Number, Symbol

DELTA = Symbol("delta", ("i", "j"))


def read(text):
    return Expressions(tokenise(text)[0]).expression()


@pytest.mark.parametrize(
    "text",
    ["1[i=j]", "1[i = j]", r"\mathbb{1}_{i=j}", r"\mathbf 1[i=j]", "1_{i=j}", "I(i = j)", r"1\{i=j\}", "𝟏{i=j}"],
)
def test_an_equation_of_indices_in_a_bracket_is_a_delta(text):
    assert read(text) == DELTA


def test_an_indicator_of_different_indices_is_one_less_delta():
    assert read("1[i≠j]") == Binary("-", Number(Fraction(1)), DELTA)


def test_a_bracket_without_an_equation_is_a_factor():
    assert read("I(i)") == Binary("*", Symbol("I"), Symbol("i"))
