"""Equations whose quantities are words: perplexity, bits per character, cross-entropy and divergence."""

from __future__ import annotations

import pytest

from regard.claims.check import check
from regard.claims.syntax.worded_equations import with_letters


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("perplexity = exp(cross-entropy)", "PP = exp(CE)"),
        ("perplexity = 2^{cross-entropy}", "PP = 2^{H_2}"),
        ("perplexity = 2^cross-entropy if the cross-entropy is in nats", "PP = 2^{CE}"),
        ("PP = 2^{CE in bits} = e^{CE in nats}", "PP = 2^{H_2} = e^{CE}"),
        ("PP = 2^H where H is the entropy in bits", "PP = 2^{H_2}"),
        ("bits = nats / ln 2", "H_2 = CE / ln 2"),
        ("bits per character = log2(perplexity) for a character model", "H_2 = log2(PP)"),
        ("bits per character = log2(PP) × words / characters", "Let K > 0. Then (N H_2 / K) = log2(PP) · N / K"),
        ("KL divergence = cross-entropy − entropy", "KL(p || q) = H(p, q) − H(p)"),
    ],
)
def test_an_equation_of_words_is_put_in_letters(text: str, wanted: str) -> None:
    assert with_letters(text) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "PP = 2^{CE}",  # the letter is a loss in nats
        "H_bits = H_nats · ln 2",
        "D_{KL}(p || q) = CE(p, q) - H(p)",
        "perplexity = 2^{cross-entropy} = e^{cross-entropy}",  # in which unit?
        "bits per character = log2(perplexity)",  # of how many characters per token?
        "perplexity = exp(cross-entropy) for every model that was trained",
        "the perplexity is at least 1",
        "perplexity = V",  # of which vocabulary?
    ],
)
def test_other_texts_are_left_alone(text: str) -> None:
    assert with_letters(text) == text


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("perplexity = exp(cross-entropy)", "holds"),
        ("perplexity = log(cross-entropy)", "fails"),
        ("PP = 2^{H} if H is in bits", "holds"),
        ("PP = 2^{H} if H is in nats", "fails"),
        ("nats = bits × ln 2", "holds"),
        ("nats = bits × log2(e)", "fails"),
        ("bits per character = log2(perplexity) × tokens / characters", "holds"),
        ("bits per character = log2(perplexity) × characters / tokens", "fails"),
        ("cross-entropy = entropy + KL divergence", "holds"),
        ("cross-entropy = entropy − KL divergence", "fails"),
    ],
)
def test_they_are_judged(text: str, verdict: str) -> None:
    assert check(text).verdict == verdict
