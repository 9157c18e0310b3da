"""Equations that are joined by `or`."""

from fractions import Fraction

from regard.claims.syntax.printer import as_plain
from regard.claims.syntax.sentence.sets import either_of
from regard.claims.syntax.tree import Number, Relation, Symbol


def test_one_of_two_equations_is_a_product_that_vanishes():
    one, two = (Relation("=", Symbol("x"), Number(Fraction(value))) for value in (1, 2))
    assert as_plain(either_of(one, two)) == "|x - 1| |x - 2| = 0"
