"""Noun phrases in signs."""

import pytest

from regard.claims.syntax.prose.chart import Unreadable
from regard.claims.syntax.prose.english.nouns import derivative, hessian
from regard.claims.syntax.prose.phrases import Thing, letter_of
from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    ("phrase", "signs"),
    [
        ("the entropy of p", "H(p)"),
        ("the squared norm of x + y", "‖x + y‖²"),
        ("the dot product of u and v", "u^T v"),
        ("the variance of q·k", "Var(q·k)"),
        ("the largest eigenvalue of A", "eigmax(A)"),
        ("twice the trace of A", "2 tr(A)"),
        ("the norm of x plus the norm of y", "‖x‖ + ‖y‖"),
        ("the gradient of xᵀAx with respect to x", "∂/∂x (xᵀAx)"),
        ("the Hessian of f with respect to z", "∂²(f)/∂z²"),
        ("the derivative of tanh", "∂/∂x (tanh(x))"),
        ("the KL divergence between p and q", "KL(p || q)"),
        ("the probability that X > 1", "P(X > 1)"),
        ("the Gram matrix AᵀA", "AᵀA"),
        ("3 bits per token", "(3 log(2))"),
        ("the smaller of rank(A) and rank(B)", "min(rank(A), rank(B))"),
        ("the orthogonal projection of x onto the line spanned by u", "(u^T x / ‖u‖²) u"),
    ],
)
def test_phrases(phrase, signs):
    assert read_prose(f"{phrase} is at most 1.").claims == (f"{signs} ≤ 1",)


def test_derivatives_are_taken_by_the_letter_that_is_plain():
    assert letter_of(Thing("½‖Ax - b‖²")) == "x"
    assert derivative(Thing("f(z)"), None).signs == "∂/∂z (f(z))"
    assert hessian(Thing("L"), Thing("w")).signs == "∂²(L)/∂w²"
    with pytest.raises(Unreadable):
        letter_of(Thing("1 + 2"))


def test_the_largest_of_something_is_not_dropped():
    assert read_prose("the largest weight α_i is at most 1.") is None


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        ("The matrix A + B (B symmetric) has trace 1.", ("Let B is symmetric. Then tr(A + B) = 1",)),
        ("The matrix u uᵀ (u a unit vector) has trace 1.", ("Let u is unit. Let u is a vector. Then tr(u uᵀ) = 1",)),
        ("The trace of A, with A symmetric, is 1.", ("Let A is symmetric. Then tr(A) = 1",)),
    ],
)
def test_what_is_given_of_a_thing_beside_it(sentence, claims):
    assert set(read_prose(sentence).claims[0].split(". ")) == set(claims[0].split(". "))


def test_words_in_a_bracket_that_are_not_read_are_not_left_out():
    assert read_prose("The matrix A + B (only B symmetric) has trace 1.") is None


def test_that_of_another():
    assert read_prose("The rank of A B is at most that of A.").claims == ("rank(A B) ≤ rank(A)",)
    assert read_prose("The trace of A is 1, and that of B is 2.").claims == ("tr(A) = 1", "tr(B) = 2")
