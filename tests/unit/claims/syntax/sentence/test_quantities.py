"""Quantities named in words become formulas of equal length."""

import pytest

from regard.claims.syntax.sentence.quantities import write_quantities


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("the covariance of Ax + b is A S A^T", "Cov[Ax + b] = A S A^T"),
        ("the expected value of x is 0", "E[x] = 0"),
        ("x ~ N(0, I_d), so the score q^T x has mean 0 and variance d.", "E[q^T x]=0,Var[q^T x]=d."),
        ("the gradient of logsumexp(z) is p", "∇_z logsumexp(z) = p"),
        ("the derivative of σ(x) is 1", "∂σ(x)/∂x = 1"),
        ("in expectation, k_i^T k_j = 0", "E[k_i^T k_j] = 0"),
        ("With probability 1/2, s_a > s_b if q = 0", "P(s_a > s_b) = 1/2 if q = 0"),
        ("q ~ N(0, I): q_1 > 0 with probability 1/2", "P(q_1 > 0) = 1/2"),
        ("c → v_a as C grows", "as   C → ∞"),
        ("if the keys are orthonormal then c = 0", "K K^T = I then c = 0"),
        ("q and k have i.i.d. N(0,1) entries", "~ N(0, I)"),
        ("The entries of q and k are independent with mean 0 and variance 1.", "q and k ~ N(0, I)."),
        ("u ~ N(0, 1) independent of w ~ N(0, 1)", "and w ~ N(0, 1)"),
        ("Var(q·k) = d_k", "Var(q·k) = d"),
    ],
)
def test_words_become_a_formula_in_their_place(text, formula):
    written = write_quantities(text)
    assert formula in written
    assert len(written) == len(text)


@pytest.mark.parametrize(
    "text",
    [
        "x has mean 0 and variance 1",
        "the mean of the values is c",
        "d_k = d_v",
        "Var(q·k) = d_k d",
        "q_1 > 0 with certainty",
    ],
)
def test_what_means_something_else_is_left(text):
    assert write_quantities(text) == text
