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
