"""Laws of single scores and keys."""

import pytest

from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        (
            "k_a^T q is Gaussian with mean μ_a^T q and variance q^T Σ_a q.",
            ("k_a^T q ~ N(μ_a^T q, q^T Σ_a q)",),
        ),
        ("The mean of k_a^T q is μ_a^T q.", ("E[k_a^T q] = μ_a^T q",)),
        ("As α → 0, the keys converge to their means.", ("Let α → 0. Then k_i → μ_i",)),
        ("For α → 0 the key k_a is approximately equal to its mean.", ("Let α → 0. Then k_a ≈ μ_a",)),
    ],
)
def test_laws(sentence, claims):
    assert read_prose(sentence).claims == claims


def test_what_is_no_key_has_no_mean_of_its_own():
    assert read_prose("As α → 0, the values converge to their means.") is None


def test_the_other_keys_are_not_all_keys():
    assert read_prose("As α → 0, the other keys converge to their means.") is None
    assert read_prose("As α → 0, the other keys are approximately equal to their means.") is None
