"""What is said of softmax, sigmoid and tanh."""

import pytest

from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        (
            "As C → ∞, softmax(C x) tends to a one-hot vector.",
            ("Let C → ∞. Then max_i softmax(C x)_i → 1",),
        ),
        (
            "As T → 0, softmax(z/T) tends to the one-hot vector of the argmax of z, provided the "
            "maximum of z is unique.",
            ("Let T → 0. Let z uniquemax. Then z^T softmax(z/T) → max_i z_i",),
        ),
        (
            "If z has a unique maximum, softmax(βz) becomes one-hot as β → ∞.",
            ("Let z uniquemax. Let β → ∞. Then max_i softmax(βz)_i → 1",),
        ),
        (
            "The derivative of the sigmoid is an even function.",
            ("-(∂/∂x (σ((-x)))) = (∂/∂x (σ(x)))",),
        ),
        (
            "tanh is an odd function.",
            ("tanh((-x)) = -(tanh(x))",),
        ),
        (
            "The sigmoid is Lipschitz with constant 1/4.",
            ("|σ(x) - σ(y)| ≤ (1/4) |x - y|",),
        ),
        (
            "Softmax is 1-Lipschitz.",
            ("‖softmax(z) - softmax(x)‖ ≤ 1 ‖z - x‖",),
        ),
        (
            "The logistic function is steepest at the origin, where its slope is 1/4.",
            ("∂/∂x (σ(x)) ≤ (σ(0) (1 - σ(0)))", "(σ(0) (1 - σ(0))) = 1/4"),
        ),
        (
            "No diagonal entry of the Jacobian of the softmax is larger than 1/4.",
            ("((diag(softmax(z)) - softmax(z) softmax(z)^T))_ii ≤ 1/4",),
        ),
        (
            "Every entry of the softmax Jacobian diag(α) − ααᵀ is at most 1/4 in absolute value.",
            ("Let α = softmax(z). Then |(diag(α) − ααᵀ)_ij| ≤ 1/4",),
        ),
        (
            "The entropy of softmax(z/T) never decreases when T > 0 is raised.",
            ("Let T > 0. Then ∂/∂T (H(softmax(z/T))) ≥ 0",),
        ),
        (
            "Softmax is injective.",
            ("Let softmax(z) = softmax(x). Then z = x",),
        ),
        (
            "Two different logit vectors can produce the same softmax distribution.",
            ("Let softmax(z) = softmax(x). Then z = x does not hold",),
        ),
        (
            "The softmax preserves the order of its inputs.",
            ("Let z_i > z_j. Then softmax(z)_i > softmax(z)_j",),
        ),
        (
            "The Jacobian of the softmax at any z ∈ ℝⁿ is symmetric.",
            ("Let z ∈ ℝⁿ. Then (diag(softmax(z)) - softmax(z) softmax(z)^T) is symmetric",),
        ),
        (
            "The entries of softmax(x) sum to 1.",
            ("sum(softmax(x)) = 1",),
        ),
    ],
)
def test_sentences(sentence, claims):
    assert read_prose(sentence).claims == claims


@pytest.mark.parametrize(
    "sentence",
    [
        "Let Z be a matrix. Then Z becomes one-hot.",
        "x² is Lipschitz with constant.",
        "Softmax preserves the sum of its inputs.",
        "No row of the Jacobian of the softmax is larger than 1/4.",
        "Raising the temperature T increases the entropy of softmax(z).",
    ],
)
def test_what_says_something_else_is_not_understood(sentence):
    reading = read_prose(sentence)
    assert reading is None or reading.unread
