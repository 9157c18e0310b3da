"""Ratings that a text states itself: 9.5/10, 3 out of 5, **** out of *****, zero stars, I give it a 2, grade: D.

They are for texts in lower case (`reading.plain_text`). On IMDb's training reviews, 12 in 100 state one that leans to a
side, and 95 % of these lean to their label.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

HIGH, LOW = 0.65, 0.45
"""From 0 to 1: a rating from the first on praises, one up to the second dismisses; IMDb's labels leave 5 and 6 out."""
NUMBERS = {
    name: number
    for number, name in enumerate("zero one two three four five six seven eight nine ten".split())  # noqa: SIM905
}
LETTERS = {"a": 1.0, "b": 0.8, "c": 0.55, "d": 0.3, "f": 0.0}
MAX_STARS = 10.0
LEAST_STARS_OF_TEN, MOST_STARS_OF_FIVE = 7.0, 2.0
"""Three to six stars without a scale may be of four, of five or of ten."""

_NUMBER = rf"(?P<number>\d{{1,3}}(?:[.,]\d+)?|{'|'.join(NUMBERS)})"
_GUARD = re.compile(
    r"(?:could(?:n't)?|should|\bnot?\b|n't|\bwho\w*|\bhow\b|\bwhy\b|want(?:ed)? to|expect\w*|used to|like an?\b"
    r"|people|viewers|users|voters|critics|others|everyone|anyone|someone|\bimdb|average|overall rating|this rating"
    r"|instead of|rather than|scale|-)[^.!?]{0,30}$"
)
"""Before a rating, in its sentence: it is somebody else's, or one that is not given."""
_BEFORE = 60  # characters that are searched for that
_OUT_OF = re.compile(
    rf"(?<![\w/.,$]){_NUMBER}(?P<half> ?(?:1/2|½)| and a half)?(?: ?stars?| points?)?\s?"
    r"(?:/|(?:out )?of(?: a(?: possible)?| the)? )\s?(?P<scale>4|5|10|100|four|five|ten)(?![\w/])(?!\.\d)"
    r"(?! (?:of|the way|years|minutes|hours|movies|films|people|times|episodes))"
)
_ASTERISKS = re.compile(
    r"(?<![\w*])(?P<stars>\*{1,5})(?P<half> ?1/2|½)?\s?\(?(?:/|out of|of)\s?(?P<scale>\*{3,5}|4|5|four|five)(?![\w*])"
)
_STARS = re.compile(
    rf"(?<![\w/.-])(?:(?P<none>no)|(?P<half>half a?)|{_NUMBER})(?: and a half)?[ -]stars?\b"
    r"(?! (?:cast|wars|trek|hotel|system|reviews?))"
)
_GIVEN = re.compile(
    r"\b(?:give|gave|giving|rate|rated|deserves|gets|voted?|(?:rating|score|grade|vote)(?: is| of|:))"
    r"(?: (?:it|this(?: \w+)?|the (?:film|movie)|them))?(?: only| just| about)?(?: an?)?"
    rf"(?: solid| big| generous| perfect| strong| weak)?\s{_NUMBER}"
    r"(?:\+|\b)(?! ?(?:/|out|of|stars?|%|thumbs|points|minutes|years|hours|-|and a half|[.,]\d))"
)
_GRADE = re.compile(r"\b(?:grade|rating|score):\s?(?P<letter>[abcdf])(?![\w'])")


class Rating(NamedTuple):
    """Where a rating stands, text[start:end], and how good it is: 0 the worst, 1 the best."""

    start: int
    end: int
    value: float

    @property
    def leaning(self) -> int:
        """1 for praise, −1 for the opposite, 0 for what lies between."""
        return (self.value >= HIGH) - (self.value <= LOW)


def own_rating(plain: str) -> Rating | None:
    """The last rating that a text gives, as its verdict stands at its end.

    >>> own_rating("the book is 10/10, but this? **1/2 out of *****").value
    0.5
    >>> own_rating("who gave this 10/10?") is None
    True
    """
    own = [each for each in ratings(plain) if not _GUARD.search(plain[max(0, each.start - _BEFORE) : each.start])]
    return own[-1] if own else None


def ratings(plain: str) -> list[Rating]:
    """All ratings of a text, in their order; of two that overlap, the one with a scale."""
    found: list[Rating] = []
    for rating in (*_with_scale(plain), *_without_scale(plain)):
        if not any(rating.start < other.end and other.start < rating.end for other in found):
            found.append(rating)
    return sorted(found)


def _with_scale(plain: str) -> Iterator[Rating]:
    for match in _OUT_OF.finditer(plain):
        share = (_number(match["number"]) + (0.5 if match["half"] else 0)) / _number(match["scale"])
        if share <= 1.5:  # 11/10 is praise, 90/10 no rating
            yield Rating(*match.span(), min(share, 1.0))
    for match in _ASTERISKS.finditer(plain):
        scale = len(match["scale"]) if match["scale"][0] == "*" else _number(match["scale"])
        share = (len(match["stars"]) + (0.5 if match["half"] else 0)) / scale
        if share <= 1:
            yield Rating(*match.span(), share)
    for match in _GRADE.finditer(plain):
        yield Rating(*match.span(), LETTERS[match["letter"]])


def _without_scale(plain: str) -> Iterator[Rating]:
    for match in _STARS.finditer(plain):
        stars = 0.0 if match["none"] else 0.5 if match["half"] else _number(match["number"])
        if stars <= MOST_STARS_OF_FIVE:
            yield Rating(*match.span(), stars / 5)
        elif LEAST_STARS_OF_TEN <= stars <= MAX_STARS:
            yield Rating(*match.span(), stars / MAX_STARS)
    for match in _GIVEN.finditer(plain):
        if _number(match["number"]) <= MAX_STARS:
            yield Rating(*match.span(), _number(match["number"]) / MAX_STARS)


def _number(written: str) -> float:
    return float(NUMBERS[written]) if written in NUMBERS else float(written.replace(",", "."))
