"""Many lines of decimals at once: the bytes of a block to float32, without a Python step for each number.

    the 0.418 -0.24968\\n      separators (every byte up to the space) end the fields, width + 1 of them a line
        ^start  ^end          the 8 bytes before an end, read as one integer, hold all the decimals

A number is *plain* if it is written -D.DDDDD: a sign or none, one digit, a point, one to eight decimals. Word vectors
hold hardly any other; those few are converted one by one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from regard.shapes import Bool, Float, Int

SPACE, NEWLINE, MINUS, POINT, ZERO = b" \n-.0"
_MOST_DECIMALS = 8
_ALL_ZEROS = np.uint64(0x3030303030303030)
_TO_TOP_BIT = np.uint64(0x7676767676767676)  # a byte above 9 reaches its top bit
_TOP_BITS = np.uint64(0x8080808080808080)
_JOINS = ((1, np.uint64(0x00FF00FF00FF00FF)), (2, np.uint64(0x0000FFFF0000FFFF)), (4, np.uint64(0x00000000FFFFFFFF)))


def parse_block(block: bytes, *, width: int) -> tuple[list[bytes], Float[np.ndarray, "line width"]] | None:
    """The first field of every line and the numbers after it; None where a line has another form.

    >>> parse_block(b"the 0.5 -0.25\\nof 15e-1 2.0\\n", width=2)
    ([b'the', b'of'], array([[ 0.5 , -0.25],
           [ 1.5 ,  2.  ]], dtype=float32))
    """
    ends = field_ends(block, width=width)
    if ends is None:
        return None
    number_starts, number_ends = (ends[:, :-1] + 1).ravel(), ends[:, 1:].ravel()
    values, is_plain = plain_decimals(block, number_starts, number_ends)
    try:
        for k in np.flatnonzero(~is_plain):
            values[k] = number(block[number_starts[k] : number_ends[k]])
    except ValueError:
        return None
    line_starts = [0, *(ends[:-1, -1] + 1).tolist()]
    words = [block[start:end] for start, end in zip(line_starts, ends[:, 0].tolist(), strict=True)]
    return (words, values.reshape(-1, width)) if all(words) else None


def number(field: bytes) -> np.float32:
    """One finite float32, written in any usual way; ValueError for anything else."""
    if b"_" in field:  # Python would take 1_000
        raise ValueError("not a number")
    with np.errstate(over="ignore"):
        value = np.float32(float(field))
    if not np.isfinite(value):
        raise ValueError("not finite")
    return value


def field_ends(block: bytes, *, width: int) -> Int[np.ndarray, "line field"] | None:
    """Where each field ends, if every line has width + 1 of them between single spaces."""
    text = np.frombuffer(block, np.uint8)
    ends = np.flatnonzero(text <= SPACE)
    if len(ends) == 0 or len(ends) % (width + 1) or ends[-1] != len(text) - 1:
        return None
    separators = text[ends].reshape(-1, width + 1)
    is_regular = (separators[:, :-1] == SPACE).all() and (separators[:, -1] == NEWLINE).all()
    return ends.reshape(-1, width + 1) if is_regular else None


def plain_decimals(
    block: bytes, starts: Int[np.ndarray, " number"], ends: Int[np.ndarray, " number"]
) -> tuple[Float[np.ndarray, " number"], Bool[np.ndarray, " number"]]:
    """The numbers between these places, and which of them are plain; the values of the others mean nothing."""
    padded = b"0" * _MOST_DECIMALS + block + b"\n"  # 8 bytes before any end, and a second one after any start
    text = np.frombuffer(padded, np.uint8)[_MOST_DECIMALS:]
    is_negative = text[starts] == MINUS
    points = starts + is_negative
    wholes = text[points] - ZERO  # modulo 256: what is no digit becomes more than 9
    is_plain = wholes <= 9
    points += 1
    is_plain &= text[points] == POINT
    n_decimals = (ends - points).view(np.uint64)
    n_decimals -= np.uint64(1)
    is_plain &= n_decimals - np.uint64(1) < _MOST_DECIMALS  # modulo 2⁶⁴: none at all is too many as well

    # One byte a decimal, the first one lowest. What stood before it is shifted out, zeros come in behind the last one.
    digits = np.ndarray(len(block) + 1, "<u8", padded, strides=(1,))[ends]
    digits ^= _ALL_ZEROS
    digits >>= np.uint64(64) - (n_decimals << np.uint64(3))
    is_plain &= ((digits + _TO_TOP_BIT) | digits) & _TOP_BITS == 0

    hundred_millionths = eight_digits(digits)
    hundred_millionths += wholes * np.uint64(10**8)
    values = (hundred_millionths.view(np.int64) / 1e8).astype(np.float32)
    values.view(np.uint32)[...] |= is_negative.astype(np.uint32) << np.uint32(31)
    return values, is_plain


def eight_digits(digits: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The integers whose eight decimal digits stand in the bytes of `digits`, the first digit in the lowest byte.

    Neighbours are joined: 8 digits to 4 pairs, to 2 fours, to one eight.

    >>> eight_digits(np.array([0x0000000000030201], np.uint64))
    array([12300000], dtype=uint64)
    """
    joined = digits
    for n_digits, kept in _JOINS:
        later = joined >> np.uint64(8 * n_digits)
        joined = joined * np.uint64(10**n_digits)
        joined += later
        joined &= kept
    return joined
