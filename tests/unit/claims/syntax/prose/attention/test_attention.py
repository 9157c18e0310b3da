"""Nouns and sentences of attention and language models."""

import pytest

from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        (
            "The norm of the attention output cannot exceed the largest norm among the value vectors.",
            ("‖c‖ ≤ max_i ‖v_i‖",),
        ),
        ("If all n keys are identical, then every attention weight equals 1/n.", ("Let k_r = k_u. Then α_i = 1/n",)),
        (
            "If the query is orthogonal to every key, then attention returns the average of the values.",
            ("Let k_m^T q = 0 for all m. Then c = (1/n) \\sum_i v_i",),
        ),
        (
            "Suppose there are n ≥ 2 orthonormal keys and q = C k_j. Then the weight on position j is 1.",
            ("Let the keys be orthonormal. Let n ≥ 2. Let q = C k_j. Then α_{j} = 1",),
        ),
        ("The softmax Jacobian is singular.", ("det((diag(softmax(z)) - softmax(z) softmax(z)^T)) = 0",)),
        (
            "Let s = softmax(x). The softmax Jacobian is singular.",
            ("Let s = softmax(x). Then det((diag(softmax(x)) - softmax(x) softmax(x)^T)) = 0",),
        ),
        (
            "A cross-entropy of 3 bits per token corresponds to a perplexity of 8.",
            ("Let CE = (3 log(2)). Then PP = 8",),
        ),
        (
            "A language model that gives every one of the V words the same probability 1/V has perplexity V.",
            ("Let p_i = 1/V. Then PP = V",),
        ),
        (
            "Let ŷ = softmax(θ) and let y be a one-hot label. The gradient of the cross-entropy loss with respect to "
            "the logits θ is ŷ − y.",
            ("Let ŷ = softmax(θ). Let y is onehot. Then ∂/∂θ ((-\\sum_i y_i log ŷ_i)) = ŷ − y",),
        ),
    ],
)
def test_sentences(sentence, claims):
    assert read_prose(sentence).claims == claims


def test_a_loss_without_targets_is_understood_only_where_it_is_differentiated():
    assert read_prose("The cross-entropy loss is at most 1.") is None
    reading = read_prose("The gradient of the cross-entropy loss with respect to z is 1.")
    assert reading.claims == ("Let y is a distribution. Then ∂/∂z ((-\\sum_i y_i log softmax(z)_i)) = 1",)
