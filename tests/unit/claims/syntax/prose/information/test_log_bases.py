"""What the base of the logarithm changes, and the size of a vocabulary."""

import pytest

from regard.claims.syntax.prose.reading import read_prose

_MEAN = r"-(1/N) \sum_i log(p_i)/log(t)"


@pytest.mark.parametrize(
    "text",
    [
        "Perplexity does not depend on the base of the logarithm, as long as the exponential uses the same base.",
        "The perplexity is independent of the choice of base.",
        "The perplexity is the same whatever base is used.",
    ],
)
def test_perplexity_is_the_same_in_every_base(text):
    assert read_prose(text).claims == (f"Let t > 1. Then t^{{{_MEAN}}} = PP",)


def test_the_cross_entropy_is_not():
    text = "The cross-entropy loss per token does not depend on the base of the logarithm."
    assert read_prose(text).claims == (f"Let t > 1. Then ({_MEAN}) = CE",)


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("The perplexity of a language model can never be larger than its vocabulary.", ("PP ≤ V",)),
        (
            "A model that guesses uniformly among the words of its vocabulary has a perplexity equal to the "
            "vocabulary size.",
            ("Let p_i = 1/V. Then PP = V",),
        ),
        (
            "The perplexity computed with logarithms to base two is smaller than the one computed with natural "
            "logarithms by the factor ln 2.",
            ("PP = (ln 2) PP",),
        ),
    ],
)
def test_sizes_and_factors(text, claims):
    assert read_prose(text).claims == claims


@pytest.mark.parametrize(
    "text",
    [
        "The perplexity does not depend on the base of the logarithm, unless the exponential uses another base.",
        "The trace does not depend on the base of the logarithm.",
        "The perplexity is larger than the one computed with natural logarithms by the factor x.",
    ],
)
def test_other_bases_are_refused(text):
    assert read_prose(text) is None
