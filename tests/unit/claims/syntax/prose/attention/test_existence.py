"""What some query can reach, and what no query can."""

import pytest

from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    ("sentence", "claim"),
    [
        ("One can choose q such that α_a = 0.", "softmax(K q)_a > 0 does not hold"),
        ("There is a query for which some attention weight is exactly one.", "softmax(K q)_i < 1 does not hold"),
        ("No attention weight is ever zero.", "α_i > 0"),
        ("No attention weight exceeds 1/2.", "α_i ≤ 1/2"),
        ("No finite query can give any key a weight of one.", "α_i < 1"),
        ("At least one key gets a weight of at least 1/n.", "max_i α_i ≥ 1/n"),
    ],
)
def test_claim(sentence, claim):
    assert read_prose(sentence).claims == (claim,)


def test_what_a_query_may_exceed_is_told_twice():
    sentence = "Let k_3 = (k_1 + k_2)/2. Then there is a query with α_3 > 1/2."
    never, found = (one.partition("Then ")[2] for one in read_prose(sentence).claims)
    assert (never, found) == ("α_3 ≤ 1/2 does not hold", "there is q such that α_3 > 1/2")


@pytest.mark.parametrize(
    "sentence",
    ["No attention weight is 1/2.", "Some key gets a weight of 1/n.", "Some key gets a weight of at most 1/n."],
)
def test_what_is_no_bound(sentence):
    assert read_prose(sentence) is None
