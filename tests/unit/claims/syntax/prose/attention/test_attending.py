"""What attention returns, and what weight it puts on a key."""

import pytest

from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        ("If q = 0, attention averages the values.", ("Let q = 0. Then c = (1/n) \\sum_i v_i",)),
        ("If q = C k_a, the head returns v_a as C → ∞.", ("Let q = C k_a. Let C → ∞. Then c → v_a",)),
        ("If q = C k_a, the head returns exactly v_a as C → ∞.", ("Let q = C k_a. Let C → ∞. Then c = v_a",)),
        ("The query q = 0 puts weight 1/n on key j.", ("Let q = 0. Then α_{j} = 1/n",)),
        ("If q = 0, key a gets a weight of at most 1/2.", ("Let q = 0. Then α_{a} ≤ 1/2",)),
        ("If two keys are equal, k_a = k_b, they get the same weight.", ("Let k_a = k_b. Then α_{a} = α_{b}",)),
        ("If q = 0, every key gets the same weight.", ("Let q = 0. Then α_i = 1/n",)),
        ("If q = C k_a, every other key gets weight 0.", ("Let q = C k_a. Then α_i = 0 for i ≠ a",)),
        (
            "The attention output lies in the convex hull of the values.",
            ("min_i u^T v_i ≤ u^T c", "u^T c ≤ max_i u^T v_i"),
        ),
    ],
)
def test_sentences(sentence, claims):
    assert read_prose(sentence).claims == claims


def test_other_keys_than_two_that_are_named():
    found = read_prose("If q = k_a + k_b, every other key gets weight 0.")
    assert found.claims == ("Let q = k_a + k_b. Then α_i = 0 for i ≠ a and i ≠ b",)
    assert read_prose("If q = k_a + k_b + k_d, every other key gets weight 0.") is None


def test_a_relation_that_is_no_query_gives_nothing():
    assert read_prose("The query x = 0 puts weight 1/n on key j.") is None
