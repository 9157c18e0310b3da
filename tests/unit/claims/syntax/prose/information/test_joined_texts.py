"""The perplexity of two texts together."""

import pytest

from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        (
            "If two texts have the same number of tokens, the perplexity of both together is the geometric mean of the "
            "two perplexities.",
            ("Let N_1 = N_2. Then PP = sqrt(PP_1 PP_2)",),
        ),
        (
            "For two texts of N_1 and N_2 tokens with perplexities P and Q, the perplexity of the concatenation is "
            "(P + Q)/2.",
            ("Let PP_1 = P. Let PP_2 = Q. Then PP = (P + Q)/2",),
        ),
        (
            "A model has perplexity 10 on one text and perplexity 1000 on another text of the same length. Its "
            "perplexity on both texts together is 100.",
            ("Let PP_1 = 10. Let PP_2 = 1000. Let N_1 = N_2. Then PP = 100",),
        ),
    ],
)
def test_sentences(sentence, claims):
    assert read_prose(sentence).claims == claims


def test_lengths_that_are_only_compared_are_not_understood():
    assert read_prose("If the longer of two texts has perplexity 3, the perplexity of both is 3.") is None
