"""Distributions in words: outcomes, the largest entropy, what minimises a divergence."""

import pytest

from regard.claims.check import check
from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        (
            "Among all distributions on n outcomes the uniform one has the largest entropy, namely log n.",
            (
                "Let p is a distribution. Let p ∈ R^{n}. Then H(p) ≤ log(n)",
                "Let p is a distribution. Let p ∈ R^{n}. Then log(n) = log n",
            ),
        ),
        (
            "With u the uniform distribution on n outcomes we have KL(p‖u) = log n − H(p).",
            ("Let u is a distribution. Let u_r = u_t. Then KL(p‖u) = log n − H(p)",),
        ),
        (
            "The entropy of a distribution on n ≥ 2 outcomes is at most log n, with equality iff the distribution is "
            "uniform.",
            (
                "Let p is a distribution. Let p ∈ R^{n}. Let n ≥ 2. Then H(p) ≤ log n",
                "Let p is a distribution. Let p ∈ R^{n}. Let n ≥ 2. Then H(p) = log n iff p_r = p_t",
            ),
        ),
        (
            "If p is fixed, minimising H(p, q) over q is the same as minimising KL(p‖q).",
            ("Let r is a distribution. Then (H(p, q) - H(p, r)) (KL(p‖q) - KL(p‖r)) ≥ 0",),
        ),
    ],
)
def test_sentences(sentence, claims):
    assert read_prose(sentence).claims == claims


@pytest.mark.parametrize(
    ("sentence", "is_true"),
    [
        ("The one-hot distributions have the smallest entropy.", True),
        ("The uniform distribution has the smallest entropy.", False),
        ("The cross-entropy of p and q is at least the entropy of p.", True),
        ("The cross-entropy of p and q is at least the entropy of q.", False),
    ],
)
def test_verdicts(sentence, is_true):
    assert check(sentence).is_true is is_true


def test_over_is_no_division_where_something_is_minimised():
    claims = read_prose("Minimising KL(q‖p) over q is the same as minimising H(q, p) over q.").claims
    assert claims == ("Let r is a distribution. Then (KL(q‖p) - KL(r‖p)) (H(q, p) - H(r, p)) ≥ 0",)


def test_a_name_for_a_measure_has_to_fit_its_signs():
    assert read_prose("exp(H(p)) ≥ 1, where H(p) is the entropy").claims == ("exp(H(p)) ≥ 1",)
    assert read_prose("exp(H(p)) ≥ 1, where H(p) is the cross-entropy") is None


def test_a_formula_behind_a_colon_is_claimed_beside_the_words():
    claims = read_prose("The cross-entropy is bounded by the entropy: H(p, q) ≤ 2 H(p).").claims
    assert claims == ("H(p, q) ≤ H(p)", "H(p, q) ≤ 2 H(p)")


def test_other_families_of_distributions_are_not_understood():
    assert read_prose("Among all distributions with mean 1 the uniform one has the largest entropy.") is None
