"""Pairs of keys and values that are permuted or repeated."""

import pytest

from regard.claims.syntax.prose.attention.key_value_pairs import RULES, PairChange
from regard.claims.syntax.prose.chart import Unreadable
from regard.claims.syntax.prose.phrases import Thing
from regard.claims.syntax.prose.reading import read_prose

BOTH = "Let P is a permutation. Then (P V)^T softmax(P K q) = V^T softmax(K q)"
KEYS = "Let P is a permutation. Then V^T softmax(P K q) = V^T softmax(K q)"


@pytest.mark.parametrize(
    ("sentence", "claim"),
    [
        ("Permuting the key-value pairs leaves the attention output unchanged.", BOTH),
        ("If we shuffle keys and values in the same way, the output of attention stays the same.", BOTH),
        ("If the keys are permuted and the values are left as they are, the attention output stays the same.", KEYS),
        ("Shuffling only the keys changes the attention output.", f"{KEYS} does not hold"),
    ],
)
def test_permutations(sentence, claim):
    assert read_prose(sentence).claims == (claim,)


def test_every_pair_twice():
    found = read_prose("Duplicating every key-value pair does not change the output of attention.").claims[0]
    assert found.startswith("\\sum_i (2 exp(k_i^T q) / (2 \\sum_j exp(k_j^T q))) v_i = ")


def test_what_is_neither_output_nor_weight():
    change = PairChange(("a", "b"), ("c", "d"))
    with pytest.raises(Unreadable):
        change.effect_on(Thing("tr(A)"))
    assert RULES


@pytest.mark.parametrize(
    "rest", ["leaving the values in place", "keeping the values fixed", "leaving the values alone"]
)
def test_keys_are_permuted_and_values_are_not(rest):
    reading = read_prose(f"Permuting the keys while {rest} does not change the attention output.")
    assert reading.claims == ("Let P is a permutation. Then V^T softmax(P K q) = V^T softmax(K q)",)
