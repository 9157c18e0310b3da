"""All costs of a text, spread over the characters of the original text.

original    T h e   c a t          the cost of a token goes to the characters it covers, in equal parts;
tokens      [the·  ][cat][</s>]    what covers nothing goes to the character before it
"""

from __future__ import annotations

import numpy as np

from regard.shapes import Float, Int


def spread(
    nats: Float[np.ndarray, " pair"],
    starts: Int[np.ndarray, " pair"],
    ends: Int[np.ndarray, " pair"],
    *,
    n_characters: int,
) -> Float[np.ndarray, " character"]:
    """Each cost in equal parts over characters start … end − 1, or on the one before an empty span; the sum is kept.

    >>> spread(np.array([3.0, 1.0]), np.array([0, 2]), np.array([2, 2]), n_characters=2)
    array([1.5, 2.5])
    """
    lengths = np.maximum(ends - starts, 1)
    starts = np.where(ends > starts, starts, np.maximum(starts - 1, 0))
    ramp = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    places = np.repeat(starts, lengths) + ramp
    counted = np.bincount(places, weights=np.repeat(nats / lengths, lengths), minlength=n_characters)
    return counted.astype(np.float64)  # of nothing at all, bincount makes integers
