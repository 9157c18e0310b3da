"""The parameters of a network in words."""

import pytest

from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        (
            "If the input vector is zero, then the gradient of the loss with respect to the first bias is zero too.",
            ("Let x = 0. Then ∂J/∂b_1 = 0",),
        ),
        (
            "For one training example, the gradient of the loss with respect to the second weight matrix is a matrix "
            "of rank at most one.",
            ("rank(∂J/∂W_2) ≤ 1",),
        ),
        (
            "Adding the same number to all entries of the output bias does not change the network's predicted "
            "probabilities.",
            ("softmax(h W_2 + (b_2 + t)) = softmax(h W_2 + b_2)",),
        ),
    ],
)
def test_sentences(sentence, claims):
    assert read_prose(sentence).claims == claims


def test_a_layer_that_the_network_does_not_have():
    assert read_prose("The gradient of the loss with respect to the third bias is zero.") is None
