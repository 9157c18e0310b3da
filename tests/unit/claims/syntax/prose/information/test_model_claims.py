"""What models can reach, in words."""

import pytest

from regard.claims.check import check
from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        (
            "A model that gives every token a probability of at least one tenth has a perplexity of at most ten.",
            ("Let p_i ≥ 1/10. Then PP ≤ 10",),
        ),
        ("No model can reach a perplexity below one.", ("PP ≥ 1",)),
        ("The perplexity of a model can be smaller than one.", ("PP ≥ 1 does not hold",)),
        ("With a mean loss of 3 bits per token the perplexity is 8.", ("Let CE = (3 log(2)). Then PP = 8",)),
        ("Raising two to the mean loss in bits gives the perplexity.", ("2^{H_2} = PP",)),
        ("A uniform model over fifty words has a perplexity of fifty.", ("Let p_i = 1/50. Then PP = 50",)),
        ("One token of probability zero leaves the perplexity finite.", ("Let p_j → 0. Then PP → ∞ does not hold",)),
    ],
)
def test_sentences(sentence, claims):
    assert read_prose(sentence).claims == claims


def test_a_description_in_words_is_not_read_so_that_the_claim_can_only_fail():
    below = "A very good model can have a perplexity of less than {}."
    assert check(below.format("one")).verdict == "fails"
    assert check(below.format("two")).verdict == "not-understood"


@pytest.mark.parametrize(
    ("template", "true", "false"),
    [
        (
            "If every token of a text gets a probability of at {} one fifth, its perplexity is at most five.",
            "least",
            "most",
        ),
        ("If no token gets a probability below one fifth, the perplexity is at {} five.", "most", "least"),
        ("The perplexity {} be below one.", "can never", "can"),
        ("However good a model is, its perplexity on a text is at {} one.", "least", "most"),
        ("If the mean token loss is doubled, then the perplexity is {}.", "squared", "doubled"),
        ("To get the loss in bits, {} the loss in nats by the natural logarithm of two.", "divide", "multiply"),
        ("The {} is the same whether the loss is measured in bits or in nats.", "perplexity", "cross-entropy"),
        ("One token of probability zero {}.", "makes the perplexity infinite", "leaves the perplexity finite"),
        ("The perplexity is two to the power of the mean loss in {}.", "bits", "nats"),
    ],
)
def test_true_and_false_siblings(template, true, false):
    assert check(template.format(true)).is_true
    assert check(template.format(false)).verdict == "fails"


@pytest.mark.parametrize(
    "sentence",
    [
        "The perplexity is one exactly when at least one token gets probability one.",
        "A good model has a perplexity of at most two.",
    ],
)
def test_words_that_no_sign_says_are_not_dropped(sentence):
    assert check(sentence).verdict == "not-understood"
