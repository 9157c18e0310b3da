"""Numbers with a unit: nats, bits, perplexities, chains of values."""

import pytest

from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        (
            "A perplexity of 64 is the same as 6 bits per token, or 6 ln 2 ≈ 4.16 nats.",
            ("Let PP = 64. Then CE = (6 log(2))", "Let PP = 64. Then CE = 6 ln 2 ≈ 4.16"),
        ),
        ("A cross-entropy loss of 3 nats per token means a perplexity of 2^3 = 8.", ("Let CE = 3. Then PP = 2^3 = 8",)),
        (
            "A perplexity of 100 corresponds to ln(100) ≈ 4.61 bits per word.",
            ("Let PP = 100. Then CE/(log(2)) = ln(100) ≈ 4.61",),
        ),
        (
            "If p = softmax(z), then its entropy in bits is H(p) = 2.",
            ("Let p = softmax(z). Then (H(p)/log(2)) = 2",),
        ),
        ("The entropy (in bits) of p is at most ln n.", ("(H(p)/log(2)) ≤ ln n",)),
        (
            "Measured in bits, the entropy of p is at most ln n.",
            ("(H(p)/log(2)) ≤ ln n",),
        ),
    ],
)
def test_values_in_units(text, claims):
    assert read_prose(text).claims == claims


@pytest.mark.parametrize(
    "text",
    [
        "A perplexity of 64 per word is 6 bits per character.",  # the length of a word is not said
        "Measured in bits, the trace of A is 3.",
    ],
)
def test_what_has_no_plain_unit_is_refused(text):
    assert read_prose(text) is None
