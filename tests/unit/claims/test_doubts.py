"""Verdicts that are left open."""

import pytest

from regard.claims.check import check


@pytest.mark.parametrize(
    ("text", "verdict", "reason"),
    [
        ("c ≈ v_a for g > 0", "undecided", "what g has to do with the rest, the claim does not say"),
        ("KL(p‖u) = log n − H(p), u_i = 1/n", "undecided", "whether u_i = 1/n is given or claimed is not plain"),
        ("p = softmax(x), x = log p", "undecided", "whether x = log(p) is given or claimed is not plain"),
    ],
)
def test_what_may_be_meant_otherwise_is_left_open(text, verdict, reason):
    found = check(text)
    assert (found.verdict, found.reason[: len(reason)]) == (verdict, reason)


@pytest.mark.parametrize("text", ["α_i > 1 for n > 2", "x > 2 if x > 1", "softmax(2z) = softmax(z)"])
def test_what_fails_for_its_own_reason_fails(text):
    assert check(text).verdict == "fails"
