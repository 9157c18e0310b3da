"""Letters without a law in E, Var and Cov: nothing is taken for granted that the claim does not say."""

import pytest

from regard.claims.check import check
from regard.claims.meaning.letter_laws import with_unstated_laws
from regard.claims.syntax.grammar import parse


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("Var(X + Y) = Var(X) + Var(Y)", "fails"),
        ("Var(X + Y) = Var(X) + Var(Y) for independent X, Y", "holds"),
        ("E[XY] = E[X] E[Y]", "fails"),
        ("E[aX + b] = aE[X] + b", "holds"),
        ("Cov(Ax) = A Cov(x) A^T", "holds"),
        ("E[X^4] = 3 Var(X)^2 + 6 Var(X) E[X]^2 + E[X]^4", "fails"),
    ],
)
def test_verdict(claim, verdict):
    assert check(claim).verdict == verdict


def test_letters_that_stand_outside_of_a_moment_are_not_random():
    found = with_unstated_laws(parse("Var(aX) = a^2 Var(X)"), as_vectors=False)
    assert [one.left.name for one in found.premises if one.comparison == "="] == ["X"]


def test_a_claim_that_states_a_law_keeps_it():
    assert with_unstated_laws(parse("X ~ N(0, 1) ⇒ Var(X) = 1"), as_vectors=False) is None
