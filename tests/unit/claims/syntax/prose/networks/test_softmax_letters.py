"""What logits and the loss are called in a text."""

import pytest

from regard.claims.syntax.prose.chart import Unreadable
from regard.claims.syntax.prose.networks.softmax_letters import name_logits, name_loss
from regard.claims.syntax.prose.phrases import LOGITS, LOSS


@pytest.mark.parametrize(
    ("text", "letter"),
    [("p = softmax(x)", "x"), ("softmax(s/T) is a distribution", "s"), ("the softmax never changes", "z")],
)
def test_logits_have_the_letter_of_the_text(text, letter):
    assert name_logits(f"exp({LOGITS})", text) == f"exp({letter})"


def test_a_text_without_softmax_has_no_logits():
    with pytest.raises(Unreadable):
        name_logits(f"exp({LOGITS})", "the rank of A")


def test_a_loss_without_a_target_is_any_only_if_it_is_differentiated():
    assert name_loss(f"∂/∂x ({LOSS}) = 0", "the gradient of the loss") == "∂/∂x (L) = 0"
    with pytest.raises(Unreadable):
        name_loss(f"{LOSS} > 0", "the loss is positive")
