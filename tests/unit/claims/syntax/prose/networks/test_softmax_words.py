"""Softmax in words: raising one logit, larger logits, the largest entry, for two classes."""

from __future__ import annotations

import pytest

from regard.claims.syntax.prose.reading import read_prose

_OTHER = "Let i ≠ j. Then ∂/∂z_j (softmax(z)_i)"


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        (
            "Raising one logit while keeping the others fixed lowers the probability of every other class.",
            (f"{_OTHER} < 0",),
        ),
        ("Lowering one logit lowers the probability of all other classes.", (f"{_OTHER} > 0",)),
        (
            "If one logit is raised while the others stay fixed, its probability goes up.",
            ("∂/∂z_j (softmax(z)_j) > 0",),
        ),
        ("A larger logit gets a larger probability.", ("Let z_i > z_j. Then softmax(z)_i > softmax(z)_j",)),
        ("A smaller logit gets a larger probability.", ("Let z_i < z_j. Then softmax(z)_i > softmax(z)_j",)),
        ("A smaller logit gets a smaller probability.", ("Let z_i < z_j. Then softmax(z)_i < softmax(z)_j",)),
        (
            "If z_k is strictly larger than all other entries of z, then softmax(z)_k > 1/n.",
            ("Let z_k > z_i for all i ≠ k. Then softmax(z)_k > 1/n",),
        ),
        (
            "If p = softmax(z), then softmax(2z) has entries proportional to p_i^2.",
            ("Let p = softmax(z). Then softmax(2z)_i ∝ p_i^2",),
        ),
        (
            "For two classes the softmax reduces to a sigmoid, p_1 = σ(z_1 - z_2).",
            ("Let p = softmax(z). Let z ∈ R^{2}. Then p_1 = σ(z_1 - z_2)",),
        ),
        (
            "With a temperature T, p = softmax(z/T), one gets sum(p) = 1.",
            ("Let p = softmax(z/T). Then sum(p) = 1",),
        ),
        (
            "As the temperature goes to infinity, the entropy of the softmax distribution approaches the logarithm of "
            "the number of classes.",
            ("Let T → ∞. Then H(softmax(z/T)) → log(n)",),
        ),
    ],
)
def test_softmax_in_words(text: str, claims: tuple[str, ...]) -> None:
    reading = read_prose(text)
    assert reading is not None
    assert reading.claims == claims
    assert not reading.unread


@pytest.mark.parametrize(
    "text",
    [
        "If z_k is larger than all other entries of w, then softmax(z)_k > 1/n.",
        "The matrix A has full rank and can therefore be inverted.",
    ],
)
def test_what_is_no_statement_about_softmax_is_not_read(text: str) -> None:
    assert read_prose(text) is None
