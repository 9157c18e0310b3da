"""What averaging does to moments."""

import pytest

from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        (
            "Averaging two heads with independent outputs of equal variance halves the variance.",
            ("Let X ⫫ Y. Let Var(X) = Var(Y). Then Var((X + Y)/2) = Var(X)/2",),
        ),
        (
            "Averaging two independent random variables with the same variance halves the standard deviation.",
            ("Let X ⫫ Y. Let Var(X) = Var(Y). Then Std((X + Y)/2) = Std(X)/2",),
        ),
    ],
)
def test_sentences(sentence, claims):
    assert read_prose(sentence).claims == claims


def test_draws():
    found = read_prose("Averaging n independent copies divides the variance by n.").claims[0]
    assert found.endswith("Then Var((1/n) \\sum_{i=1}^{n} X_i) = Var(X_1) / n")


def test_of_which_variance_is_not_plain():
    assert read_prose("Averaging two independent random variables halves the variance.") is None
