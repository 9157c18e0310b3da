"""Things, clauses, and what `it` means."""

import pytest

from regard.claims.syntax.prose.chart import Unreadable
from regard.claims.syntax.prose.phrases import (
    EQUALITY,
    IT,
    ITS,
    Clause,
    Thing,
    bind,
    bind_own,
    both,
    claim,
    fill,
    given_by,
    merged,
)
from regard.claims.syntax.prose.signs import has_relation, is_limit, letters_of, substitute, symbols_in


def test_a_factor_has_brackets_where_it_needs_them():
    assert Thing("x + y").factor == "(x + y)"
    assert Thing("k_i").factor == "k_i"
    assert Thing("softmax(z)").factor == "softmax(z)"


def test_templates_are_filled_with_bare_expressions_or_factors():
    assert fill("tr([0]) {1}", Thing("A + B"), Thing("c + d")) == "tr(A + B) (c + d)"
    with pytest.raises(Unreadable):
        fill("[0]", None)


def test_what_is_given_is_merged_once():
    assert merged(Thing("A", ("A is square",)), None, Thing("B", ("A is square", "B > 0"))) == ("A is square", "B > 0")


def test_a_letter_is_replaced_in_products_but_not_in_names():
    assert substitute("Ax + exp(x)", "x", "(2 x)") == "A(2 x) + exp((2 x))"
    assert substitute("max_i x_i", "x", "y") == "max_i y_i"
    with pytest.raises(Unreadable):
        substitute("A b", "x", "y")


def test_the_letters_of_an_expression():
    assert symbols_in("‖Ax - b‖ + softmax(z)") == ["A", "x", "b", "z"]
    assert letters_of(["for square matrices ABC and a vector x"]) >= {"A", "B", "C", "x"}


def test_relations_outside_of_brackets():
    assert has_relation("p = softmax(z)")
    assert not has_relation("P(X > 1)")
    assert is_limit("T → 0")
    assert not is_limit("T > 0")


def test_it_is_what_the_clause_before_was_about():
    first = claim("P = P^T", of=Thing("P"))
    second = Clause((f"{IT} is idempotent", f"tr({ITS}) = 1"), subject=Thing(IT))
    assert both(first, second).claims == ("P = P^T", "P is idempotent", "tr(P) = 1")


def test_its_is_what_the_subject_is_of():
    trace = Thing("tr(P)", about=Thing("P"))
    assert bind_own(claim(f"tr(P) = rank({ITS})"), trace).claims == ("tr(P) = rank(P)",)
    assert bind(Clause((f"det({ITS}) = 1",)), trace).claims == ("det(P) = 1",)


def test_equality_is_that_of_the_inequality_before():
    found = both(claim("a ≤ b"), Clause((f"{EQUALITY} iff x = 0",)))
    assert found.claims == ("a ≤ b", "a = b iff x = 0")
    with pytest.raises(Unreadable):
        both(claim("a = b"), Clause((f"{EQUALITY} iff x = 0",)))


def test_a_condition_of_which_a_part_was_not_read_is_none():
    with pytest.raises(Unreadable):
        given_by(Clause(("x = 1",), unread=("so it goes",)))
