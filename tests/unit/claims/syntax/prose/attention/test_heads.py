"""Two heads on the same keys and values."""

import pytest

from regard.claims.syntax.prose.reading import read_prose

BOTH = "(V^T softmax(K q_1) + V^T softmax(K q_2))/2"
ONE = "V^T softmax(K ((q_1 + q_2)/2))"


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        ("Two heads with the same query produce the same output.", ("Let q_1 = q_2. Then c_1 = c_2",)),
        (
            "The average of the outputs of two heads with queries q_1 and q_2 equals the output of one head with the "
            "query (q_1 + q_2)/2.",
            (f"{BOTH} = {ONE}",),
        ),
        (
            "Averaging the outputs of two heads with the same query halves the variance.",
            ("Let q_1 = q_2. Then Cov((c_1 + c_2)/2) = 1/2 Cov(c_1)",),
        ),
    ],
)
def test_claims(sentence, claims):
    assert read_prose(sentence).claims == claims


@pytest.mark.parametrize(
    "sentence",
    ["Averaging these two outputs halves the variance.", "Two heads with different queries produce the same output."],
)
def test_which_heads_is_not_plain(sentence):
    assert read_prose(sentence) is None
