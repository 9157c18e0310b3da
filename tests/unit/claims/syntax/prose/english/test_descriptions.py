"""What may be said of random letters."""

import pytest

from regard.claims.syntax.prose.chart import Unreadable
from regard.claims.syntax.prose.english.descriptions import Description, describe_names


@pytest.mark.parametrize(
    ("names", "said", "relations"),
    [
        (("X", "Y"), Description(frozenset({"independent"})), ("(X, Y) are independent",)),
        (("X", "Y"), Description(facts=(("mean", ("0",)),)), ("E[X] = 0", "E[Y] = 0")),
        (("X", "Y"), Description(facts=(("mean", ("a", "b")),)), ("E[X] = a", "E[Y] = b")),
        (("X", "Y"), Description(facts=(("same variance", ()),)), ("Var(X) = Var(Y)",)),
        (("X", "Y"), Description(facts=(("covariance", ("c",)),)), ("Cov(X, Y) = c",)),
        (("x",), Description(facts=(("covariance", ("S",)),)), ("Cov(x) = S",)),
        (("X_i",), Description(facts=(("correlation", ("ρ",)),)), ("Corr(X_i, X_j) = ρ",)),
        (("X",), Description(frozenset({"standard"})), ("X ~ N(0, 1)",)),
        (("x",), Description(frozenset({"standard"}), kind="vector"), ("x ~ N(0, I_d)",)),
    ],
)
def test_relations(names, said, relations):
    assert describe_names(names, said) == relations


def test_what_does_not_fit_is_not_read():
    for names, said in (
        (("X",), Description(frozenset({"independent"}))),
        (("X", "Y", "Z"), Description(facts=(("mean", ("a", "b")),))),
        (("X",), Description(facts=(("correlation", ("ρ",)),))),
    ):
        with pytest.raises(Unreadable):
            describe_names(names, said)
