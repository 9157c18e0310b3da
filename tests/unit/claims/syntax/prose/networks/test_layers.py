"""The parts of a network in words."""

import pytest

from regard.claims.check import check
from regard.claims.syntax.prose.networks.layers import names_parts, plain_letter
from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    ("words", "letter"),
    [
        ("the output bias", "b_2"),
        ("the output bias b₂", "b_2"),
        ("the bias of the hidden layer", "b_1"),
        ("the first weight matrix", "W_1"),
        ("the output weights", "W_2"),
        ("the hidden pre-activations", "z_1"),
        ("the hidden layer", "h"),
    ],
)
def test_each_part_gets_the_letter_of_its_setting(words, letter):
    assert read_prose(f"The gradient of the loss with respect to {words} is zero.").claims == (f"∂/∂{letter} (J) = 0",)


@pytest.mark.parametrize(
    "sentence",
    [
        "The gradient of the loss with respect to the output bias b₁ is zero.",
        "In a ReLU network the gradient of the loss with respect to the hidden bias is zero.",
        "For the squared error, the gradient of the loss with respect to the output bias is zero.",
        "For a batch of examples, the gradient of the loss with respect to the output bias sums to zero.",
        "The gradient of the loss with respect to the output bias is the predicted probability minus one.",
        "The loss is at least two.",
    ],
)
def test_other_networks_letters_and_losses_are_not_read(sentence):
    assert check(sentence).verdict == "not-understood"


def test_words_name_the_setting_where_no_formula_does():
    assert names_parts("the gradient with respect to the output bias")
    assert not names_parts("the output bias b_2 = 0")
    assert plain_letter("W_{1}") == plain_letter("W₁")
