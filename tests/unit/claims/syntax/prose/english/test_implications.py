"""What follows from what."""

import pytest

from regard.claims.check import check
from regard.claims.syntax.prose.chart import Unreadable
from regard.claims.syntax.prose.english.implications import opposite
from regard.claims.syntax.prose.reading import read_prose

GIVEN = ("Let x > 0. Then log(1 + x) < x",)


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        ("x > 0 is enough for log(1 + x) < x.", GIVEN),
        ("That x > 0 suffices for log(1 + x) < x.", GIVEN),
        ("x > 0 implies that log(1 + x) < x.", GIVEN),
        ("x > 0 forces log(1 + x) < x.", GIVEN),
        ("For log(1 + x) < x it is enough that x > 0.", GIVEN),
        ("In order that log(1 + x) < x it suffices that x > 0.", GIVEN),
        ("Under the assumption x > 0, we have log(1 + x) < x.", GIVEN),
        ("There is no x > 0 with log(1 + x) ≥ x.", GIVEN),
        ("No x > 0 satisfies log(1 + x) ≥ x.", GIVEN),
        ("log(1 + x) < x is necessary for x > 0.", GIVEN),
        ("P² = P and Q = I − P imply PQ = 0.", ("Let P² = P. Let Q = I − P. Then PQ = 0",)),
    ],
)
def test_sentences(sentence, claims):
    assert read_prose(sentence).claims == claims


@pytest.mark.parametrize(
    "sentence",
    [
        "x > 0 is not enough for log(1 + x) < x.",
        "There is no x > 0 with 0 < log(1 + x) ≤ x.",  # of a chain the opposite is no chain
        "There is no x > 0 with y > 1.",
    ],
)
def test_what_is_not_read(sentence):
    assert read_prose(sentence) is None


def test_a_chain_has_no_opposite():
    assert opposite("x \\le 1") == "x > 1"
    with pytest.raises(Unreadable):
        opposite("x = y = 1")


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("x > 0 is enough for log(1 + x) < x.", "holds"),
        ("log(1 + x) < x is enough for x > 0.", "fails"),
        ("There is no x > 0 with log(1 + x) ≥ x − x²/2.", "fails"),
    ],
)
def test_verdicts(claim, verdict):
    assert check(claim).verdict == verdict
