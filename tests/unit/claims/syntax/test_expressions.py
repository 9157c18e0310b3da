"""Sums, products, powers and names, each as the tree one would draw."""

from fractions import Fraction

import pytest

from regard.claims.syntax.expressions import Expressions
from regard.claims.syntax.lexer import tokenise
from regard.claims.syntax.tree import Binary, Call, Number, OneOf, Symbol
from regard.errors import NotUnderstood

A, B, C = Symbol("A"), Symbol("B"), Symbol("C")


def read(text):
    return Expressions(tokenise(text)[0]).expression()


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("A - B + C", Binary("+", Binary("-", A, B), C)),
        ("-A B", Call("negative", (Binary("*", A, B),))),
        ("A B^2", Binary("*", A, Binary("^", B, Number(Fraction(2))))),
        ("A^{-T}", Call("transpose", (Call("inverse", (A,)),))),
        ("(A B)_i", Call("entry", (Binary("*", A, B), Symbol("i")))),
        ("W_1", Symbol("W", ("1",))),
        ("|A|", Call("abs", (A,))),
        ("e^A", Call("exp", (A,))),
    ],
)
def test_tree(text, tree):
    assert read(text) == tree


def test_two_readings_are_kept():
    assert read("A/B C") == OneOf((Binary("*", Binary("/", A, B), C), Binary("/", A, Binary("*", B, C))))
    assert read("AB") == OneOf((Symbol("AB"), Binary("*", A, B)))


def test_a_missing_operand_is_refused():
    with pytest.raises(NotUnderstood, match="the claim ends here; expected a number, a name or a bracket"):
        read("A +")


@pytest.mark.parametrize("norm", ["||x||_inf", "||x||_{inf}", "‖x‖_∞", "\\|x\\|_{\\infty}"])
def test_the_largest_norm_in_words_and_signs(norm):
    assert Expressions(list(tokenise(norm)[0])).expression().function == "norm_inf"
