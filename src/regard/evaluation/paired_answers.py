"""Two classifiers on the same texts: texts on which only one of them is right are all that tells them apart.

With b texts that only the first gets right, c that only the second does, of n in all:

    accuracy₂ − accuracy₁ = (c − b) / n          standard error √(b + c − (b − c)²/n) / n

If both were equally good, c of b + c would be as likely as heads of coins; McNemar's exact test asks how likely it is
to be at least so far from the middle.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from regard.errors import NothingScoredError
from regard.shapes import Bool


@dataclass(frozen=True)
class PairedAnswers:
    """How the second classifier differs from the first; `p_value` is that of McNemar's exact test, on two sides."""

    only_first: int
    only_second: int
    difference: float
    standard_error: float
    p_value: float


def paired(first: Bool[np.ndarray, " batch"], second: Bool[np.ndarray, " batch"]) -> PairedAnswers:
    """What sets two classifiers apart, from whether each is right on each text.

    >>> paired(np.array([True, True, False, False]), np.array([True, False, True, True])).difference
    0.25
    """
    n = len(first)
    if n == 0:
        raise NothingScoredError("no text was classified by both; is the data empty?")
    b, c = int((first & ~second).sum()), int((~first & second).sum())
    spread = math.sqrt(b + c - (b - c) ** 2 / n) / n
    return PairedAnswers(b, c, (c - b) / n, spread, _two_sided(min(b, c), b + c))


def _two_sided(fewer: int, n_coins: int) -> float:
    """P(heads ≤ fewer or heads ≥ n − fewer) of n fair coins."""
    from scipy.stats import binom

    return min(1.0, 2 * float(binom.cdf(fewer, n_coins, 0.5)))
