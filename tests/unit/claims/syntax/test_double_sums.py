"""Sums over pairs: a second sum stands around one over i ≠ j, unless the j comes from outside."""

import pytest

from regard.claims.check import check
from regard.claims.syntax.grammar import parse
from regard.claims.syntax.tree import SumOver


def test_a_second_sum_is_put_around_where_nothing_else_has_its_index():
    pairs = parse("\\sum_{i≠j} x_i x_j = 0").statements[0].left
    assert isinstance(pairs, SumOver)
    assert isinstance(pairs.body, SumOver)
    assert (pairs.index, pairs.body.index, pairs.body.excluded) == ("j", "i", ("j",))
    one = parse("\\sum_{i≠j} x_i x_j = y_j").statements[0].left
    assert isinstance(one, SumOver)
    assert not isinstance(one.body, SumOver)
    inside = parse("\\sum_j \\sum_{i≠j} x_i x_j = 0").statements[0].left
    assert isinstance(inside, SumOver)
    assert isinstance(inside.body, SumOver)
    assert not isinstance(inside.body.body, SumOver)


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        (r"\sum_{i\neq j}\alpha_i\alpha_j = 1-\sum_i\alpha_i^2", "holds"),
        (r"\sum_{i<j}\alpha_i\alpha_j = \frac12(1-\sum_i\alpha_i^2)", "holds"),
        (r"\sum_{i<j}\alpha_i\alpha_j = 1-\sum_i\alpha_i^2", "fails"),
        (r"\sum_{i\le j}\alpha_i\alpha_j = \frac12(1+\sum_i\alpha_i^2)", "holds"),
        (r"\sum_{i\ne j}\alpha_i\alpha_j = \alpha_j(1-\alpha_j)", "holds"),
        (r"\sum_{i\ne j}\alpha_i\alpha_j = 1-\alpha_j", "fails"),
    ],
)
def test_sums_over_pairs_of_weights(claim, verdict, unchecked):
    assert check(claim).verdict == verdict
