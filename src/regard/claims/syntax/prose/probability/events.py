"""How probable it is that something is so: with probability one half, more often than not, half of the time.

a standard normal variable is positive with probability one half          P(X > 0) = 1/2
a Gaussian variable falls within one standard deviation of its mean       P(|X − E[X]| ≤ Std(X)) > 9/10
with a probability of more than nine tenths
"""

from __future__ import annotations

import re
from collections.abc import Callable

from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.english.predicates import Predicate
from regard.claims.syntax.prose.phrases import Clause, Thing, bind_own, claim, fill

Likelihood = tuple[str, Thing]
"""A sign, and the probability beside which it stands."""

_EVENT = re.compile(r"[^=≈→∝]*(?:[<>≤≥]|\\[lg]eq?(?![a-z]))[^=≈→∝]*")


def _probable(thing: Thing, predicate: Predicate, likelihood: Likelihood) -> Clause:
    """What is said of a thing, as an event with its probability."""
    event = _probability(thing, predicate)
    sign, value = likelihood
    return claim(f"{event.signs} {sign} {value.signs}", of=thing, given=(*event.given, *value.given))


def _near_mean(count: Thing, *, is_inside: bool = True) -> Predicate:
    """Within some standard deviations of the mean."""
    sign = "≤" if is_inside else ">"
    times = "" if count.signs == "1" else f"{count.factor} "
    return lambda x: claim(fill(f"|[0] - E[[0]]| {sign} {times}Std([0])", x), of=x)


def _within(radius: Thing, centre: Thing) -> Predicate:
    return lambda x: claim(
        f"|{x.signs} - {centre.factor}| ≤ {radius.signs}", of=x, given=(*radius.given, *centre.given)
    )


def _probability(thing: Thing, predicate: Predicate) -> Thing:
    """The probability that X exceeds 2.

    Raises: Unreadable for what is no inequality between numbers, and for what is more than one statement.
    """
    said = bind_own(predicate(thing), thing)
    if len(said.claims) != 1 or said.unread or not _EVENT.fullmatch(said.claims[0]):
        raise Unreadable
    return Thing(f"P({said.claims[0]})", (*thing.given, *said.given))


def _compared(sign: str) -> Callable[[Thing], Likelihood]:
    return lambda value: (sign, value)


_AT = "with a/an/the? probability"
LIKELIHOODS: tuple[tuple[str, str], ...] = (
    (f"{_AT} of? at most <np>", "≤"),
    (f"{_AT} of? at least <np>", "≥"),
    (f"{_AT} of? no/not more/larger/greater/higher than <np>", "≤"),
    (f"{_AT} of? no/not less/smaller/lower than <np>", "≥"),
    (f"{_AT} of? strictly? more/larger/greater/higher than <np>", ">"),
    (f"{_AT} of? strictly? less/smaller/lower than <np>", "<"),
    (f"{_AT} strictly? above <np>", ">"),
    (f"{_AT} strictly? below <np>", "<"),
    (f"{_AT} of? <np>", "="),
)
_WITHIN = "lies/lie/falls/fall/is/are/stays/stay/be"

RULES: tuple[Rule, ...] = (
    *(Rule("likelihood", words, _compared(sign)) for words, sign in LIKELIHOODS),
    Rule("likelihood", "with positive probability", lambda: (">", Thing("0"))),
    Rule("likelihood", "with probability zero", lambda: ("=", Thing("0"))),
    Rule("likelihood", "half of? the time", lambda: ("=", Thing("1/2"))),
    Rule("likelihood", "in half of? the/all cases", lambda: ("=", Thing("1/2"))),
    Rule("likelihood", "more often than not", lambda: (">", Thing("1/2"))),
    Rule("clause", "<np> <event> ,? <likelihood>", _probable),
    Rule("clause", "<likelihood> ,? <np> <event>", lambda likely, x, said: _probable(x, said, likely)),
    Rule("base", "the? probability that <np> <event>", _probability),
    Rule("base", "the? probability of <np> being <prop>", _probability),
    Rule("event", f"{_WITHIN} within <deviations> of/from/around its/the mean", _near_mean),
    Rule(
        "event", f"{_WITHIN} more than <deviations> away? from its/the mean", lambda k: _near_mean(k, is_inside=False)
    ),
    Rule("event", f"{_WITHIN} more than <deviations> away? of its/the mean", lambda k: _near_mean(k, is_inside=False)),
    Rule(
        "event",
        "deviates/deviate from its/the mean by more than <deviations>",
        lambda k: _near_mean(k, is_inside=False),
    ),
    Rule("event", f"{_WITHIN} within <expr> of/from <np>", _within),
    Rule("event", "exceeds/exceed <np>", lambda y: lambda x: claim(f"{x.signs} > {y.signs}", of=x, given=y.given)),
    Rule("event", f"{_WITHIN} above <np>", lambda y: lambda x: claim(f"{x.signs} > {y.signs}", of=x, given=y.given)),
    Rule("event", f"{_WITHIN} below <np>", lambda y: lambda x: claim(f"{x.signs} < {y.signs}", of=x, given=y.given)),
    Rule("event", "<vp>", lambda said: said),
    Rule("deviations", "<expr> standard deviation/deviations", lambda k: k),
    Rule("deviations", "a single? standard deviation", lambda: Thing("1")),
)
