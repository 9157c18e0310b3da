"""The cross-entropy of two distributions: in the other order, with itself, where it is smallest."""

from __future__ import annotations

import pytest

from regard.claims.check import check
from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("the cross-entropy is symmetric", "fails"),
        ("cross-entropy is not symmetric", "holds"),
        ("it makes no difference for the cross-entropy if we swap the target and the prediction", "fails"),
        ("swapping the two distributions changes the cross-entropy", "holds"),
        ("the cross-entropy of p with itself is its entropy", "holds"),
        ("the cross-entropy of any distribution relative to itself is zero", "fails"),
        ("the cross-entropy is smallest when ŷ = y", "holds"),
        ("the cross-entropy is maximal when ŷ = y", "fails"),
        ("for fixed y the cross-entropy is minimized by ŷ = y", "holds"),
        ("the minimum of the cross-entropy is the entropy of y", "holds"),
        ("the minimum of the cross-entropy is 0", "fails"),
        ("for a one-hot target, the minimum of the cross-entropy is 0", "holds"),
        ("the entropy of n equally likely outcomes is log n", "holds"),
        ("the entropy of n equally likely outcomes is n", "fails"),
        ("the perplexity of a fair die is 6", "holds"),
        ("the perplexity of a fair die is 7", "fails"),
        ("the perplexity of a distribution is between 1 and n", "holds"),
        ("the entropy of a uniform distribution over 8 outcomes is 3 bits", "holds"),
    ],
)
def test_cross_entropies(text: str, verdict: str) -> None:
    assert check(text).verdict == verdict


@pytest.mark.parametrize(
    "text",
    [
        "the cross-entropy is smallest when ŷ = 1/n",
        "the cross-entropy of q and p is the negative log probability of the true class",
    ],
)
def test_what_is_of_other_distributions_is_not_read(text: str) -> None:
    assert read_prose(text) is None
