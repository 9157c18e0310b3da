"""Notation with a form of its own: fractions, roots, derivatives, sums, limits, functions."""

from fractions import Fraction

import pytest

from regard.claims.syntax.expressions import Expressions
from regard.claims.syntax.grammar import arrange, parse
from regard.claims.syntax.lexer import tokenise
from regard.claims.syntax.tree import Binary, Call, Derivative, Number, OneOf, Relation, SumOver, Symbol
from regard.errors import NotUnderstood

X, Y, ONE, TWO = Symbol("x"), Symbol("y"), Number(Fraction(1)), Number(Fraction(2))


def read(text):
    return Expressions(arrange(tokenise(text)[0])).expression()


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        (r"\frac12", Binary("/", ONE, TWO)),
        (r"\sqrt{x}", Call("sqrt", (X,))),
        (r"\sqrt[2]{x}", Binary("^", X, Binary("/", ONE, TWO))),
        ("∂x/∂y", Derivative(X, Y)),
        (r"\frac{\partial x}{\partial y}", Derivative(X, Y)),
        (r"\nabla_y x", Derivative(X, Y)),
        ("⟨x, y⟩", Binary("·", X, Y)),
        ("log_2 x", Call("log", (X, TWO))),
        (r"\sum_{i \ne a, b} x_i", SumOver("i", ("a", "b"), Symbol("x", ("i",)))),
        (r"\prod_{i=1}^{2} x", SumOver("i", (), X, ONE, TWO, "*")),
        ("KL(x, y)", Call("KL", (X, Y))),
    ],
)
def test_tree(text, tree):
    assert read(text) == tree


def test_the_letter_sigma_is_a_sum_or_a_matrix():
    assert read("Σ_i x") == OneOf((SumOver("i", (), X), Binary("*", Symbol("Sigma", ("i",)), X)))
    assert read("Σ_a") == Symbol("Sigma", ("a",))


def test_a_limit_is_noted_beside_the_term():
    reader = Expressions(tokenise(r"\lim_{x \to 1} y")[0])
    assert (reader.expression(), reader.limits) == (Y, [Relation("→", X, ONE)])


def test_a_sum_needs_an_index():
    with pytest.raises(NotUnderstood, match="expected the index of the sum"):
        read(r"\sum x")


def test_expectations_without_a_bracket_where_something_is_random():
    random = parse("X ~ N(0, 1) ⇒ E X^2 = 1").statements[0].left
    assert isinstance(random, Call)
    assert random.function == "E"
    assert not isinstance(parse("E X = 1").statements[0].left, Call)
