"""The cross-entropy of one true class."""

import pytest

from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        (
            "With logits z and true class k, the softmax cross-entropy loss can be written L = -z_k.",
            ("(-log(softmax(z)_k)) = -z_k",),
        ),
        ("With logits z and correct label y, the cross-entropy loss equals -z_y.", ("(-log(softmax(z)_y)) = -z_y",)),
        ("with logits s and correct class c the loss is L = -s_c", ("(-log(softmax(s)_c)) = -s_c",)),
        (
            "For a one-hot target y with true class k, the cross-entropy −Σ_i y_i log ŷ_i reduces to −log ŷ_k.",
            ("Let y is onehot. Let y_k = 1. Then −Σ_i y_i log ŷ_i = −log ŷ_k",),
        ),
    ],
)
def test_losses_of_a_true_class(text, claims):
    assert read_prose(text).claims == claims


def test_a_mean_of_losses_is_refused():
    assert read_prose("With logits z and true class k, the average loss is L = -z_k.") is None
