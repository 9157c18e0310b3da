"""What follows from a query that is chosen."""

import pytest

from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        (
            "As C grows, q = C k_a makes α_a → 1 and all other α_i → 0",
            ("Let C → ∞. Let q = C k_a. Then α_a → 1", "Let C → ∞. Let q = C k_a. Then α_i → 0 for i ≠ a"),
        ),
        ("Choosing q = 0 gives c = v_a for all keys.", ("Let q = 0. Then c = v_a",)),
        (
            "When all keys are equal, the attention output is the sum of the values, c = Σ_i v_i.",
            ("Let k_r = k_u. Then c = \\sum_i v_i", "Let k_r = k_u. Then c = Σ_i v_i"),
        ),
    ],
)
def test_sentences(sentence, claims):
    assert read_prose(sentence).claims == claims


def test_what_is_of_another_thing_is_not_said_twice():
    assert read_prose("The attention output is the sum of the values, x = Σ_i v_i.") is None
