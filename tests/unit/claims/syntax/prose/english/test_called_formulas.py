"""Formulas with what they are called."""

import pytest

from regard.claims.check import check
from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        ("The leftover 1 − σ(x) equals σ(−x).", ("1 − σ(x) = σ(−x)",)),
        ("The smooth maximum log(1 + e^x) is positive.", ("log(1 + e^x) > 0",)),
        ("The expected loss ‖x − y‖² equals 1.", ("E[‖x − y‖²] = 1",)),
        ("This length component m·k has variance 2.", ("Var(m·k) = 2",)),
    ],
)
def test_sentences(sentence, claims):
    assert read_prose(sentence).claims == claims


@pytest.mark.parametrize(
    "sentence",
    [
        "The leftover x equals 1.",  # a letter does not say what it is
        "The steepest slope x − y equals 1.",  # one of many
        "The softmax puts x − y equals 1.",
        "The two leftover x − y equals 1.",
        "The not leftover x − y equals 1.",
    ],
)
def test_words_that_do_something_to_a_formula_are_no_name(sentence):
    assert read_prose(sentence) is None


def test_verdicts():
    claim = "The smooth maximum τ log Σ_i exp(x_i/τ) tends to {} x_i as τ ↓ 0."
    assert [check(claim.format(one)).is_true for one in ("max_i", "min_i")] == [True, False]


@pytest.mark.parametrize(
    ("claim", "is_true"),
    [
        ("For X ~ N(μ, Σ) the linear forms aᵀX and bᵀX are independent if and only if aᵀΣb = 0.", True),
        ("For X ~ N(μ, Σ) the linear forms aᵀX and bᵀX are independent if and only if aᵀb = 0.", False),
    ],
)
def test_what_two_formulas_are_called_together(claim, is_true):
    assert check(claim).is_true is is_true


def test_what_restricts_is_no_name():
    assert read_prose("The symmetric leftover A B + C has trace 1.") is None
