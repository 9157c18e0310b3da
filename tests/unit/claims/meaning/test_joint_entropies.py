"""Entropies of two random variables with a joint table drawn at random."""

import pytest

from regard.claims.check import check
from regard.claims.meaning.joint_entropies import given_independence, read_joint


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("H(X,Y) = H(Y) + H(X|Y)", "holds"),
        ("H(X,Y) = H(X) + H(Y)", "fails"),
        ("I(X;Y) = H(X) + H(Y) - H(X,Y)", "holds"),
        ("I(X;Y) = H(X) - H(Y|X)", "fails"),
        ("H(X|Y) ≤ H(X)", "holds"),
        ("H(X | Y = y) ≤ H(X)", "fails"),
        ("I(X;Y) > 0", "fails"),  # of one certain outcome
        ("If X and Y are independent, then H(X, Y) = H(X) + H(Y).", "holds"),
        ("If X and Y are independent, then H(X|Y) = 0.", "fails"),
        ("H(X, Y) ≤ H(X) + H(Y), with equality if and only if X and Y are independent.", "holds"),
    ],
)
def test_verdicts(claim, verdict):
    assert check(claim).verdict == verdict


@pytest.mark.parametrize(
    "claim",
    [
        "I(X;Y) ≤ C",  # a letter that nothing is said of
        "I(X;Y) ≤ 1",  # true of two outcomes
        "H(X,Y,Z) = H(X) + H(Y,Z)",
        "H(X|X) = 0",
        "For continuous X and Y, H(X|Y) ≥ 0.",
        "H(X|Y) = 0 if and only if X and Y are independent.",
    ],
)
def test_what_is_not_read(claim):
    assert check(claim).verdict == "not-understood"


def test_letters():
    assert read_joint("I(X;Y) = H(X) − H(X|Y)", are_independent=False).text.split() == ["M", "=", "A", "−", "C"]
    assert read_joint("H(Y,X) ≥ H(Y)", are_independent=False).text.split() == ["J", "≥", "B"]


def test_independence_has_to_be_given():
    assert given_independence("For independent X and Y, H(X,Y) = H(X) + H(Y).") is True
    assert given_independence("H(X,Y) ≤ H(X) + H(Y), with equality iff X and Y are independent.") is False
    assert given_independence("X and Y are not independent, so H(X,Y) < H(X) + H(Y).") is None
    assert given_independence("I(X;Y) ≥ 0. If X and Y are independent, it is 0.") is None
