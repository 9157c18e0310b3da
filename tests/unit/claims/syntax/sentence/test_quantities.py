"""Quantities named in words become formulas of equal length."""

import pytest

from regard.claims.syntax.sentence.quantities import write_quantities


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("x ~ N(0, I_d), so the score q^T x has mean 0 and variance d.", "E[q^T x]=0,Var[q^T x]=d."),
        ("in expectation, k_i^T k_j = 0", "E[k_i^T k_j] = 0"),
        ("With probability 1/2, s_a > s_b if q = 0", "P(s_a > s_b) = 1/2 if q = 0"),
        ("q ~ N(0, I): q_1 > 0 with probability 1/2", "P(q_1 > 0) = 1/2"),
        ("c → v_a as C grows", "as   C → ∞"),
        ("if the keys are orthonormal then c = 0", "K K^T = I then c = 0"),
        ("u ~ N(0, 1) independent of w ~ N(0, 1)", "and w ~ N(0, 1)"),
        ("Var(q·k) = d_k", "Var(q·k) = d"),
        ("x has mean 0 and variance 1", "x ~ N(0,                 1)"),
        ("let x be standard normal.", "x ~ N(0,          1)."),
    ],
)
def test_words_become_a_formula_in_their_place(text, formula):
    written = write_quantities(text)
    assert formula in written
    assert len(written) == len(text)


@pytest.mark.parametrize(
    "text",
    [
        "d_k = d_v",
        "Var(q·k) = d_k d",
        "q_1 > 0 with certainty",
    ],
)
def test_what_means_something_else_is_left(text):
    assert write_quantities(text) == text
