"""Divergences in words."""

import pytest

from regard.claims.syntax.prose.reading import read_prose

_SYMMETRIC = "KL(p || q) = KL(q || p)"


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("The KL divergence is not a metric.", (f"{_SYMMETRIC} does not hold",)),
        ("The KL divergence is a distance.", (_SYMMETRIC,)),
        (
            "The KL divergence satisfies the triangle inequality.",
            ("KL(p || r) ≤ KL(p || q) + KL(q || r)",),
        ),
        (
            "The cross-entropy between a true distribution and a model is never larger than the entropy of the true "
            "distribution.",
            ("H(p, q) ≤ H(p)",),
        ),
        ("Two Gaussians with the same variance have KL = m^2.", ("KL = m^2",)),
        (
            "If the model distribution is held fixed and the data distribution is varied, the cross-entropy is "
            "smallest when the two are equal.",
            ("H(p, q) ≥ H(q, q)",),
        ),
        (
            "If X and Y are independent with distributions p and q, then the joint distribution p_i q_j has entropy 2.",
            ("Let p is a distribution. Let q is a distribution. Then (-\\sum_i \\sum_j p_i q_j log(p_i q_j)) = 2",),
        ),
    ],
)
def test_divergences(text, claims):
    assert read_prose(text).claims == claims


@pytest.mark.parametrize(
    "text",
    [
        "The KL divergence is a metric for some distributions.",
        "If the model distribution is held fixed and the model distribution is varied, the cross-entropy is smallest "
        "when the two are equal.",
        "The joint distribution p_i p_j has entropy 2.",
    ],
)
def test_other_statements_are_refused(text):
    assert read_prose(text) is None
