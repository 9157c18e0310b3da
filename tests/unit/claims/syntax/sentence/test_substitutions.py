"""Functions that a claim defines are put in place."""

from regard.claims.check import check
from regard.claims.syntax.grammar import parse
from regard.claims.syntax.printer import as_plain


def test_the_body_stands_where_the_function_was():
    assert as_plain(parse("f(x) = x^2 + 1; f(y) = 2")) == "y^2 + 1 = 2"


def test_a_gradient_of_a_function(unchecked):
    assert check("f(x) = x^T A x ⇒ ∇_x f = (A + A^T) x").verdict == "holds"
    assert check("f(x) = x^T A x ⇒ ∇_x f = 2 A x").verdict == "fails"


def test_a_function_of_an_expectation_has_to_be_defined():
    assert check("f(E[X]) ≥ E[f(X)]").verdict == "not-understood"
    assert check("Let f(t) = t^2. Then f(E[X]) ≤ E[f(X)]").verdict == "holds"
