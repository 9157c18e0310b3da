"""Joint and conditional entropies in words."""

import pytest

from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        ("Conditioning reduces entropy on average: H(X|Y) ≤ H(X).", ("H(X|Y) ≤ H(X)",) * 2),
        ("Conditioning on another variable can only reduce entropy.", ("H(X|Y) ≤ H(X)",)),
        ("Conditioning never decreases entropy.", ("H(X|Y) ≥ H(X)",)),
        ("For every single value y with P(Y=y) > 0 we have H(X | Y = y) ≤ H(X).", ("H(X | Y = y) ≤ H(X)",)),
        ("The mutual information of X and Y is at most the joint entropy of X and Y.", ("I(X;Y) ≤ H(X, Y)",)),
        (
            "For two discrete random variables, H(X, Y) ≤ H(X) + H(Y), with equality iff X and Y are independent.",
            ("H(X, Y) ≤ H(X) + H(Y)", "H(X, Y) = H(X) + H(Y) iff I(X;Y) = 0"),
        ),
    ],
)
def test_sentences(sentence, claims):
    assert read_prose(sentence).claims == claims


def test_other_conditions_are_not_understood():
    assert read_prose("H(X | Y = y) ≤ H(X) for most values y.") is None
    assert read_prose("H(X|Y) ≤ H(X), with equality iff X and Y have the same law.") is None
