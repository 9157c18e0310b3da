"""Queries by what they are made of, and what they give."""

import pytest

from regard.claims.syntax.prose.reading import read_prose

ORTHONORMAL = "Let the keys be orthonormal. "


@pytest.mark.parametrize(
    ("sentence", "claim"),
    [
        (
            "If the query is one of n orthonormal keys, then this key gets weight e/(e+n-1).",
            f"Let q = k_a. {ORTHONORMAL}Then α_{{a}} = e/(e+n-1)",
        ),
        (
            "For orthonormal keys, a query that is a growing multiple of minus one key makes the weight of that key "
            "tend to zero.",
            f"{ORTHONORMAL}Let q = -C k_1. Let C → ∞. Then α_{{1}} → 0",
        ),
        (
            "If the keys are orthonormal and the query is C times the sum of two of them, the output tends to the "
            "average of the two corresponding values as C → ∞.",
            f"{ORTHONORMAL}Let q = C (k_a + k_b). Let a ≠ b. Let C → ∞. Then c → (v_a + v_b)/2",
        ),
        ("A query orthogonal to all keys gives uniform weights.", "Let k_m^T q = 0 for all m. Then α_i = 1/n"),
        ("As C → 0, the weights for the query C q all tend to 1/n.", "Let C → 0. Then softmax(K (C q))_i → 1/n"),
        (
            "As the number of orthonormal keys grows, the weight that the query q = k_a puts on key a tends to zero.",
            f"Let n → ∞. {ORTHONORMAL}Let q = k_a. Then α_{{a}} → 0",
        ),
        (
            f"{ORTHONORMAL}The query q = C k_a gives key a more weight than any other key whenever C > 0.",
            f"{ORTHONORMAL}Let q = C k_a. Let C > 0. Then α_{{a}} > α_i for i ≠ a",
        ),
        (
            "Take orthonormal keys and put q = C k_j. Then c ≈ v_j, and the error vanishes as C grows.",
            f"{ORTHONORMAL}Let q = C k_j. Let C → ∞. Then c ≈ v_j",
        ),
    ],
)
def test_claim(sentence, claim):
    assert read_prose(sentence).claims == (claim,)


@pytest.mark.parametrize(
    "sentence",
    [
        "The output tends to the average of the two corresponding values as C → ∞.",
        "Then c = v_j, and the error vanishes as C grows.",
        "The weight on key a increases with C.",
    ],
)
def test_which_query_is_not_said(sentence):
    assert read_prose(sentence) is None
