"""Two heads with the same query, keys and values."""

import pytest

from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    ("sentence", "claim"),
    [
        (
            "If both heads use the same query and the same keys and values, averaging their outputs does not reduce "
            "the variance at all.",
            "Var((X + X)/2) = Var(X)",
        ),
        (
            "Running the same query in two heads over the same noisy keys and averaging the two outputs halves the "
            "variance of the output.",
            "Var((X + X)/2) = Var(X)/2",
        ),
    ],
)
def test_sentences(sentence, claim):
    assert read_prose(sentence).claims == (claim,)


def test_heads_with_different_queries_are_not_read():
    assert read_prose("Averaging the outputs of two heads that use different queries halves the variance.") is None
