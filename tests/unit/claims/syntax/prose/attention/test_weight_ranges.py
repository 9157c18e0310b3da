"""Which numbers a weight can be."""

import pytest

from regard.claims.check import check
from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("α_i can be exactly zero", "fails"),
        ("α_i can never be exactly zero", "holds"),
        ("an attention weight may be negative", "fails"),
        ("the weights can not be negative", "holds"),
        ("α_i can be larger than 1", "fails"),
        ("the α_i form a probability distribution over the keys", "holds"),
    ],
)
def test_verdict(claim, verdict):
    assert check(claim).verdict == verdict


@pytest.mark.parametrize("sentence", ["The norm of x can be negative.", "α_j forms a probability distribution."])
def test_of_other_things_nothing_is_read(sentence):
    assert read_prose(sentence) is None
