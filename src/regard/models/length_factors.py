"""How much the parts of a classifier count in a text of so many known words.

A text that is shorter than those of training says less about its label than its numbers claim: a mean of ten words
strays further than one of two hundred. So the factors are measured at a few lengths; between two of them they are
interpolated along ln(known words), and beyond the first and the last one they stay.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from regard.shapes import Float, Int


@dataclass(frozen=True)
class LengthFactors:
    """At each of the ascending lengths, in known words, a factor for each part."""

    lengths: tuple[float, ...]
    factors: tuple[tuple[float, ...], ...]

    @classmethod
    def constant(cls, *factors: float) -> LengthFactors:
        """These factors, whatever the length."""
        return cls((1.0,), (factors,))

    @property
    def full(self) -> tuple[float, ...]:
        """The factors of texts as long as those of training."""
        return self.factors[-1]

    def at(self, n_known: Int[np.ndarray, " batch"]) -> Float[np.ndarray, "batch part"]:
        """The factors of texts with so many known words each.

        >>> LengthFactors((4.0, 16.0), ((0.0,), (1.0,))).at(np.array([0, 8, 99]))
        array([[0. ],
               [0.5],
               [1. ]])
        """
        place, knots = np.log(np.maximum(n_known, 1)), np.log(self.lengths)
        columns = [np.interp(place, knots, column) for column in zip(*self.factors, strict=True)]
        return np.stack(columns, axis=1)
