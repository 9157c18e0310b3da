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


def test_what_a_query_is_chosen_for():
    claims = ("Let the keys be orthonormal. Let q = C k_a. Let C → ∞. Then α_a → 1",)
    assert read_prose("Let the keys be orthonormal. To get α_a → 1 one takes q = C k_a with C → ∞.").claims == claims
    assert read_prose("To get α_a → 1 one avoids q = C k_a.") is None


def test_each_of_some_letters():
    assert read_prose("If q = 0, then each of α_a, α_b, α_c equals 1/n.").claims == tuple(
        f"Let q = 0. Then α_{index} = 1/n" for index in "abc"
    )


def test_the_value_that_all_share():
    sentence = "If all {} are the same, the attention output is that vector, whatever the query is."
    assert read_prose(sentence.format("value vectors")).claims == ("Let v_r = v_u. Then c = v_1",)
    assert read_prose(sentence.format("keys")) is None


def test_other_scores():
    sentence = "If k_a^T q = 3{} and all other scores are 0, then α_a ≥ 1/n."
    assert read_prose(sentence.format("")).claims == ("Let k_a^T q = 3. Let k_i^T q = 0 for i ≠ a. Then α_a ≥ 1/n",)
    two = "Let k_a^T q = 3. Let k_b^T q = 2. Let k_i^T q = 0 for i ≠ a and i ≠ b. Then α_a ≥ 1/n"
    assert read_prose(sentence.format(", k_b^T q = 2")).claims == (two,)
