"""Random keys and the other keys."""

import pytest

from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        (
            "Keys k_i ~ N(μ_i, αI) with μ_i orthonormal. Then each logit k_iᵀq has variance α‖q‖².",
            ("Let k_i ~ N(μ_i, αI). Let μ_i orthonormal. Then Var(k_iᵀq) = α‖q‖²",),
        ),
        (
            "The keys are k_i = μ_i except k_a = (1+g)μ_a with random g. Then c = v_a.",
            ("Let k_a = (1+g)μ_a. Let k_i = μ_i for all i ≠ a. Then c = v_a",),
        ),
    ],
)
def test_sentences(sentence, claims):
    assert read_prose(sentence).claims == claims


def test_other_keys_than_which_is_not_plain():
    assert read_prose("All other keys are k_i = μ_i. Then c = v_a.") is None
