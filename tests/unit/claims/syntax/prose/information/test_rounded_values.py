"""Numbers with decimals in sentences: right to half a unit of the last digit."""

from __future__ import annotations

import pytest

from regard.claims.check import check
from regard.claims.syntax.prose.information.rounded_values import with_tolerance


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("a perplexity of 100 is 6.64 bits per word", "holds"),
        ("a perplexity of 100 is 6.6 bits per word", "holds"),
        ("a perplexity of 100 is 6.65 bits per word", "fails"),
        ("a perplexity of 100 is 6.60 bits per word", "fails"),
        ("a perplexity of 100 is 7 bits per word", "fails"),
        ("a perplexity of 100 means 4.605 nats per word", "holds"),
        ("a loss of 2 nats is a perplexity of 7.39", "holds"),
        ("a loss of 2 nats is a perplexity of 7.40", "fails"),
        ("a loss of 2.30 nats is a perplexity of 10", "holds"),
        ("a loss of 2.35 nats is a perplexity of 10", "fails"),
        ("1 nat = 1.4427 bits", "holds"),
        ("1 nat = 0.693 bits", "fails"),
    ],
)
def test_half_a_unit_of_the_last_digit(text: str, verdict: str) -> None:
    assert check(text).verdict == verdict


@pytest.mark.parametrize("claimed", ["σ(0) = 0.3", "PP = 7", "PP = 1.5 V", "1/4 = 0.3", "CE ≤ 0.5"])
def test_other_claims_are_left_alone(claimed: str) -> None:
    assert with_tolerance(claimed, []) == (claimed, [])
