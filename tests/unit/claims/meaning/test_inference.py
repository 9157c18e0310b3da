"""Letters get their kinds from how they are used, and sizes stay as open as the claim leaves them."""

import pytest

from regard.claims.check import check
from regard.claims.meaning.inference import infer_settings
from regard.claims.syntax.grammar import parse


def kinds(text):
    return {spec.name: spec.meaning for spec in next(infer_settings(parse(text)))[1].symbols}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(a + b)^2 = a^2 + 2ab + b^2", {"a": "a number", "b": "a number"}),
        ("x^T A x = 0", {"x": "a vector", "A": "a matrix"}),
        ("KL(p || q) ≥ 0", {"p": "a distribution", "q": "a distribution"}),
        ("softmax(x + c) = softmax(x)", {"x": "a vector", "c": "a number"}),
        ("σ_1 + σ_2 = 0", {"sigma_1": "a number", "sigma_2": "a number"}),
    ],
)
def test_kinds(text, expected):
    assert kinds(text) == expected


def test_a_matrix_stays_rectangular_unless_something_makes_it_square():
    [matrix] = next(infer_settings(parse("A^T A = I")))[1].symbols
    assert matrix.shape[0] != matrix.shape[1]
    [square] = next(infer_settings(parse("A A = I")))[1].symbols
    assert square.shape[0] == square.shape[1]


def test_more_sizes_than_there_are_letters_for():
    ranks = " + ".join(f"rank({letter})" for letter in "ABCFGQRSW")
    assert check(f"{ranks} = 0").verdict == "fails"


def test_words_are_no_products_of_letters():
    assert list(infer_settings(parse("onto = x"))) == []


def test_a_letter_of_the_claim_in_a_named_setting(unchecked):
    found = check("K u = 0 ⇒ softmax(K(q + u)) = α", setting="attention")
    assert found.verdict == "holds"
    assert "letters of the claim as they are used: u a vector" in found.notes
