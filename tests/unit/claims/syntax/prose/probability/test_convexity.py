"""Functions that are only called convex, and Jensen's inequality in words."""

import pytest

from regard.claims.check import check
from regard.claims.syntax.prose.chart import Unreadable
from regard.claims.syntax.prose.probability.convexity import FAMILIES, name_functions
from regard.claims.syntax.prose.reading import read_prose


def test_each_convex_function_is_a_statement():
    claims = read_prose("For a convex function f we have f(E[X]) ≤ E[f(X)].").claims
    assert claims == tuple(f"Let f(t) = {one}. Then f(E[X]) ≤ E[f(X)]" for one in FAMILIES["convex"])


def test_what_is_said_of_the_function_itself_is_not_read():
    with pytest.raises(Unreadable):
        name_functions("Let f is ⟨convex function⟩. Then f ≥ 0")


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("If f is convex, then f((x + y)/2) ≤ (f(x) + f(y))/2.", "holds"),
        ("If f is convex, then f(x + y) ≤ f(x) + f(y).", "fails"),
        ("If f is concave, then f(E[X]) ≤ E[f(X)].", "fails"),
        ("The logarithm of an average is at least the average of the logarithms.", "holds"),
        ("The logarithm of an average is at most the average of the logarithms.", "fails"),
        ("The square of the mean never exceeds the mean of the squares.", "holds"),
    ],
)
def test_verdicts(claim, verdict):
    assert check(claim).verdict == verdict


def test_a_strict_order_is_not_read():
    assert read_prose("The logarithm of an average is larger than the average of the logarithms.") is None
