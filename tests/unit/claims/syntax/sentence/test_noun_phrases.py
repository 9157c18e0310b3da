"""Noun phrases in symbols."""

import pytest

from regard.claims.check import check
from regard.claims.syntax.grammar import parse
from regard.claims.syntax.sentence.noun_phrases import write_in_symbols
from regard.errors import NotUnderstood


@pytest.mark.parametrize(
    ("text", "symbols"),
    [
        ("The trace of AB equals the trace of BA", "tr(AB) = tr(BA)"),
        ("the trace of the inverse of A is 1", "tr((A)^{-1}) = 1"),
        ("The derivative of tanh(x) is 1 - tanh(x)^2", "∂/∂x (tanh(x)) = 1 - tanh(x)^2"),
        ("The derivative of x^3 is 3x^2", "∂/∂x (x^3) = 3x^2"),
        ("The gradient of x^T A x with respect to x is 2 A x", "∂/∂x (x^T A x) = 2 A x"),
        ("The gradient of cross-entropy with respect to the logits is p - y", "∂CE/∂s = p - y"),
        ("The Hessian of f(x) is 0", "∂²(f(x))/∂x² = 0"),
        ("The entries of softmax(x) sum to one", "sum_i softmax(x)_i = 1"),
        ("The attention weights sum to 1", "sum_i α_i = 1"),
        ("The covariance of X and Y is 0", "Cov(X, Y) = 0"),
        ("Every attention weight is between 0 and 1", "0 <= α_i <= 1"),
        ("If q = 0 the attention weights are uniform", "If q = 0 , α_i = 1/n"),
        ("q and k have i.i.d. N(0, 1) entries", "q, k ~ N(0, I)"),
        ("the entries of q are independent with mean 0 and variance 1", "q ~ N(0, I)"),
        ("the norm of x plus the norm of y", "||x|| + ||y||"),
        ("A^T A is the identity", "A^T A = I"),
    ],
)
def test_what_the_words_stand_for(text, symbols):
    assert " ".join(write_in_symbols(text)[0].split()) == symbols


@pytest.mark.parametrize(
    "text",
    [
        "c = v_a",
        "x is a vector",
        "A is symmetric",
        "P is a projection",
        "the query q is large",
        "for large C, the output c tends to v_a",
        r"where $\Sigma$ is positive definite",
        "k_i is orthogonal to k_j",
        "the mean of softmax(x) would be 1/n",
    ],
)
def test_what_stays_as_it_is(text):
    assert write_in_symbols(text) == (text, [])


def test_the_reading_is_told():
    assert "the words were read as: tr(A) = 0" in check("the trace of A is zero").notes


def test_places_stay_where_symbols_are_shorter():
    text = "The rank of A A^T equals the rank of B, x = 1"
    assert write_in_symbols(text)[0].index("x = 1") == text.index("x = 1")


@pytest.mark.parametrize("text", ["1 minusculus x = 1", "expected x = 1", "det A = the sum of their determinants"])
def test_other_words_are_no_products_of_letters(text):
    try:
        parse(text)
    except NotUnderstood:
        return
    assert check(text).verdict == "not-understood"
