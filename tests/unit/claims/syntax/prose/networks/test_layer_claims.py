"""What is said of the parts of a network."""

import pytest

from regard.claims.check import check
from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        (
            "If all weights and biases are zero, the gradient of the loss with respect to the output bias is zero.",
            ("Let W_1 = 0. Let W_2 = 0. Let b_1 = 0. Let b_2 = 0. Then ∂/∂b_2 (J) = 0",),
        ),
        (
            "The gradient of the loss with respect to the first weights has the same shape as the output weights.",
            ("d = H", "H = m"),
        ),
        (
            "For one-hot labels the gradient of the loss with respect to the logit of the true class is negative.",
            ("Let y is onehot. Let y_k = 1. Then (∂/∂θ (CE))_k < 0",),
        ),
    ],
)
def test_sentences(sentence, claims):
    assert read_prose(sentence).claims == claims


@pytest.mark.parametrize(
    ("template", "true", "false"),
    [
        ("Adding the same number to all entries of the {} bias does not change the prediction.", "output", "hidden"),
        ("If the input is zero, the gradient of the loss with respect to the first {} is zero.", "weights", "bias"),
        ("The entries of the gradient of the loss with respect to the {} bias sum to zero.", "output", "hidden"),
        (
            "Permuting the columns of the first weight matrix and the entries of the first bias{} does not change "
            "the prediction.",
            " and the rows of the second weight matrix",
            "",
        ),
        (
            "The gradient of the loss with respect to the output bias is the {}.",
            "prediction minus the label",
            "label minus the prediction",
        ),
    ],
)
def test_true_and_false_siblings(template, true, false):
    assert check(template.format(true)).verdict == "holds"
    assert check(template.format(false)).verdict == "fails"


def test_columns_belong_to_hidden_units_only_in_the_first_matrix():
    assert read_prose("Permuting the columns of the second weight matrix does not change the prediction.") is None


@pytest.mark.parametrize(
    ("template", "true", "false"),
    [
        (
            "For a fixed target distribution the cross-entropy is {} when the prediction equals the target.",
            "smallest",
            "largest",
        ),
        ("For a fixed target, the smallest possible cross-entropy is {}.", "the entropy of the target", "zero"),
        ("A softmax output {} zero.", "is never", "can be"),
        ("If the output weights and the {} bias are zero, the prediction is uniform.", "output", "hidden"),
        (
            "The loss for a one-hot label is the {} of the probability of the true class.",
            "negative logarithm",
            "logarithm",
        ),
        ("Log-sum-exp is a {} function of its inputs.", "convex", "concave"),
        ("If all n logits are equal, the cross-entropy against any one-hot label is {}.", "ln n", "n"),
    ],
)
def test_losses_and_inputs(template, true, false):
    assert check(template.format(true)).verdict == "holds"
    assert check(template.format(false)).verdict == "fails"


def test_a_prediction_that_does_not_depend_on_the_input():
    text = "If the {} is zero, the prediction does not depend on the input."
    assert check(text.format("first weight matrix")).verdict == "holds"
    assert check(text.format("output bias")).verdict == "fails"
