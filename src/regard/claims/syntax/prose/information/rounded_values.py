"""Numbers with decimals in a sentence are rounded: a perplexity of 100 is 6.64 bits, to half a unit of the last digit.

Only of scores and of logarithms, which are no short decimals: 0.3 for a quarter is wrong.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_NUMBER = r"\d+(?:\.\d+)?"
_SCORES = r"PP|CE|H_2|CE/\(log\(2\)\)"
_PLAIN = re.compile(rf"\(?(?P<value>{_NUMBER})\)?")
_OF_BITS = re.compile(rf"\(\(?(?P<value>{_NUMBER})\)? log\(2\)\)")
_SCORE = re.compile(rf"(?P<score>{_SCORES}) = (?P<right>.+)")
_LOGARITHMS = re.compile(rf"(?:{_NUMBER}|log\({_NUMBER}\)|[()\s+*/·-])+")


class Rounded(NamedTuple):
    """A number as it was written, in nats or in bits."""

    value: str
    is_in_bits: bool

    @property
    def half_unit(self) -> str:
        """Half a unit of its last digit; 0 for a whole number."""
        _, point, decimals = self.value.partition(".")
        return f"0.{'0' * len(decimals)}5" if point else "0"


def with_tolerance(claimed: str, given: list[str]) -> tuple[str, list[str]]:
    """An equation with a rounded number as a bound of the difference, and what is given.

    >>> with_tolerance("CE = ((6.64) log(2))", ["PP = 100"])
    ('|CE/log(2) - 6.64| ≤ 0.005', ['PP = 100'])
    >>> with_tolerance("PP = 10", ["CE = 2.30"])
    ('|log(10) - 2.30| ≤ 0.005', [])
    >>> with_tolerance("1 = ((1.4427) log(2))", [])
    ('|1/log(2) - 1.4427| ≤ 0.00005', [])
    """
    found = _SCORE.fullmatch(claimed)
    if found is None:
        return _of_logarithms(claimed), given
    scores = [one for one in given if _SCORE.fullmatch(one)]
    if scores and scores == given and len(scores) == 1 and "." in given[0]:
        return _of_two(given[0], claimed) or claimed, [] if _of_two(given[0], claimed) else given
    number = _rounded(found["right"])
    if number is None or "." not in number.value:
        return claimed, given
    left = f"{found['score']}/log(2)" if number.is_in_bits else found["score"]
    return f"|{left} - {number.value}| ≤ {number.half_unit}", given


def _rounded(signs: str) -> Rounded | None:
    for pattern, is_in_bits in ((_PLAIN, False), (_OF_BITS, True)):
        found = pattern.fullmatch(signs.strip())
        if found is not None:
            return Rounded(found["value"], is_in_bits)
    return None


def _in_nats(equation: str) -> tuple[str, str] | None:
    """The loss in nats that a score is, and how far it may be from that by rounding; None where it is no number."""
    found = _SCORE.fullmatch(equation)
    number = _rounded(found["right"]) if found is not None else None
    if found is None or number is None:
        return None
    if found["score"] == "PP":
        return f"log({number.value})", f"{number.half_unit}/{number.value}"
    if number.is_in_bits or found["score"] != "CE":
        return f"{number.value} log(2)", f"{number.half_unit} log(2)"
    return number.value, number.half_unit


def _of_two(given: str, claimed: str) -> str | None:
    """Two scores, the first of which is rounded: both may be those of one loss."""
    first, second = _in_nats(given), _in_nats(claimed)
    if first is None or second is None:
        return None
    bounds = [one for one in (first[1], second[1]) if not one.startswith("0/") and one not in ("0", "0 log(2)")]
    return f"|{second[0]} - {first[0]}| ≤ {' + '.join(bounds)}"


def _of_logarithms(claimed: str) -> str:
    """log 6 = 2.58 log 2, of the entropy of a die in bits."""
    sides = claimed.split(" = ")
    if len(sides) != 2 or not all(_LOGARITHMS.fullmatch(side) for side in sides):
        return claimed
    for one, other in (sides, sides[::-1]):
        number = _rounded(other)
        if number is None or "." not in number.value or "." in one or "log" not in claimed:
            continue
        left = f"({one})" if re.search(r"[+*/ -]", one) and not one.startswith("(") else one
        return (
            f"|{left}/log(2) - {number.value}| ≤ {number.half_unit}"
            if number.is_in_bits
            else (f"|{left} - {number.value}| ≤ {number.half_unit}")
        )
    return claimed
