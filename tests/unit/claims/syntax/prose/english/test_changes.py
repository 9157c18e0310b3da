"""What a change does to a thing."""

import pytest

from regard.claims.syntax.prose.attention.attention import OUTPUT, WEIGHT
from regard.claims.syntax.prose.chart import Unreadable
from regard.claims.syntax.prose.english.changes import change_thing
from regard.claims.syntax.prose.phrases import Thing
from regard.claims.syntax.prose.reading import read_prose

SHIFTED = "exp((k_i + u)^T q) / \\sum_j exp((k_j + u)^T q)"


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        ("Adding the same vector u to all keys leaves the attention weights unchanged.", (f"{SHIFTED} = {WEIGHT}",)),
        (
            "Adding the same vector u to every key changes the attention weights.",
            (f"{SHIFTED} = {WEIGHT} does not hold",),
        ),
        (
            "Doubling all values doubles the attention output.",
            (f"{OUTPUT.replace('v_i', '((2) v_i)')} = 2 ({OUTPUT})",),
        ),
        (
            "Multiplying all logits by the same positive constant does not change the softmax output.",
            ("softmax(((|t|) z)) = softmax(z)",),
        ),
        (
            "The softmax function is invariant to adding the same constant to all its inputs.",
            ("softmax((z + t)) = softmax(z)",),
        ),
        ("Halving the average cross-entropy halves the perplexity of a model.", ("exp(((1/2) CE)) = (exp(CE))/2",)),
        (
            "Doubling every entry of an n×n matrix multiplies its determinant by 2n.",
            ("Let A ∈ R^{n×n}. Then det(((2) A)) = (2n) (det(A))",),
        ),
        (
            "If the query is multiplied by 2, each attention weight α_i is replaced by α_i^2.",
            ("exp(k_i^T ((2) q)) / \\sum_j exp(k_j^T ((2) q)) = α_i^2",),
        ),
        (
            "When the scores are divided by τ, the attention weights tend to 1/n as τ → ∞.",
            ("Let τ → ∞. Then softmax(((1/(τ)) z))_i → 1/n",),
        ),
    ],
)
def test_sentences(sentence, claims):
    assert read_prose(sentence).claims == claims


def test_a_thing_without_the_letter_says_nothing_of_the_change():
    with pytest.raises(Unreadable):
        change_thing(Thing("tr(A)"), (("q", "2 q"),))
