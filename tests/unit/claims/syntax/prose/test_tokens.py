"""Words, marks and formulas of a sentence."""

import pytest

from regard.claims.syntax.prose.tokens import tokenise_sentence


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Let p = softmax(z).", ["let", "p = softmax(z)", "."]),
        ("If A is a 2×2 matrix", ["if", "A", "is", "a", "2×2", "matrix"]),
        ("A matrix A is symmetric", ["a", "matrix", "A", "is", "symmetric"]),
        ("for $x$ and $y \\in \\mathbb{R}^n$", ["for", "x", "and", "y \\in \\mathbb{R}^n"]),
        ("log softmax(z)_i is at most 0", ["log softmax(z)_i", "is", "at", "most", "0"]),
        ("the weight α_a = e^C / (e^C + n)", ["the", "weight", "α_a = e^C / (e^C + n)"]),
        ("w.r.t. x, i.e. so", ["wrt", "x", ",", "ie", "so"]),
        ("it can't exceed 1", ["it", "can", "not", "exceed", "1"]),
        ("||mu||^2 + sigma^2", ["||mu||^2 + sigma^2"]),
        ("q·k/√d is ≥ the bound", ["q·k/√d", "is", "≥", "the", "bound"]),
        ("max_i x_i <= log sum_i exp(x_i)", ["max_i x_i <= log sum_i exp(x_i)"]),
        ("k_1, …, k_n", ["k_1", ",", "…", ",", "k_n"]),
        ("the value 0.5.", ["the", "value", "0.5", "."]),
        ("Cov(x,\\, y)", ["Cov(x,\\, y)"]),
        ("(no bias) and (x ≠ 0)", ["(", "no", "bias", ")", "and", "(", "x ≠ 0", ")"]),
    ],
)
def test_a_text_is_cut_into_words_and_formulas(text, expected):
    assert [token.text for token in tokenise_sentence(text)] == expected


def test_formulas_are_told_from_words():
    kinds = {token.text: token.kind for token in tokenise_sentence("the trace of AB, and softmax of z")}
    assert kinds["AB"] == "formula"
    assert kinds["z"] == "formula"
    assert kinds["softmax"] == "word"
    assert kinds[","] == "mark"


def test_arrows_of_logic_part_formulas():
    assert [token.text for token in tokenise_sentence(r"Q = Q^T ⇒ A = B \implies C => D")] == [
        *("Q = Q^T", "⇒", "A = B", "⇒", "C", "⇒", "D")
    ]
    assert [token.text for token in tokenise_sentence(r"A = 0 \iff B = 0 ⇔ C")] == ["A = 0", "iff", "B = 0", "iff", "C"]
