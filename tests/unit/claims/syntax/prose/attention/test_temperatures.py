"""Limits of softmax and of scores in words."""

import pytest

from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    ("sentence", "claim"),
    [
        (
            "As the temperature of a softmax over n scores goes to infinity, the entropy of the distribution "
            "goes to ln n.",
            "Let T → ∞. Then H(softmax(z/T)) → ln n",
        ),
        (
            "Lower the temperature of a softmax towards zero: provided that the largest score is unique, the "
            "probability of that entry tends to one.",
            "Let T → 0. Let z uniquemax. Then max_i softmax(z/T)_i → 1",
        ),
        ("At any temperature T > 0 every softmax probability is positive.", "Let T > 0. Then softmax(z/T)_i > 0"),
        ("A softmax of finite scores can give probability zero to some entry.", "softmax(z)_i > 0 does not hold"),
        (
            "If one score exceeds all the others by a gap that grows without bound, the weight on this key "
            "tends to one.",
            "Let k_a^T q ≫ k_i^T q for all i ≠ a. Then α_{a} → 1",
        ),
    ],
)
def test_claim(sentence, claim):
    assert read_prose(sentence).claims == (claim,)


@pytest.mark.parametrize(
    "sentence",
    [
        "A softmax of two scores never gives probability zero to any entry.",
        "As the temperature of a softmax over two scores goes to infinity, the entropy of the distribution goes "
        "to ln 2.",
        "If one score exceeds all the others by a gap, the weight on this key tends to one.",
    ],
)
def test_what_is_not_read(sentence):
    assert read_prose(sentence) is None
