"""Which numbers a weight can be: never exactly zero, possibly negative; what all weights form together.

A weight can be zero where it is not so that every weight is positive.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from regard.claims.syntax.prose.attention.attention import WEIGHT
from regard.claims.syntax.prose.attention.weights import WEIGHTS
from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.english.predicates import Predicate
from regard.claims.syntax.prose.phrases import Clause, Thing, claim

_WEIGHT = re.compile(rf"(?:{WEIGHTS}|α|\\alpha)(?:_\{{?\w\}}?)?")
RANGES: tuple[tuple[str, str], ...] = (
    ("<nought>", "{0} > 0"),
    ("equal to <nought>", "{0} > 0"),
    ("negative", "{0} ≥ 0"),
    ("smaller/less than <nought>", "{0} ≥ 0"),
    ("below <nought>", "{0} ≥ 0"),
    ("nonpositive/non-positive", "{0} > 0"),
    ("larger/greater/bigger/more than <unity>", "{0} ≤ 1"),
    ("above <unity>", "{0} ≤ 1"),
)
"""Numbers that a weight may be said to reach, and what is true of all weights if none does."""


def _of_weight(template: str, *, is_reached: bool) -> Predicate:
    """What is said of a weight, or of each.

    Raises: Unreadable for anything but weights.
    """

    def meaning(thing: Thing) -> Clause:
        if not _WEIGHT.fullmatch(thing.signs) and not thing.kind.startswith("weight"):
            raise Unreadable
        name = thing.signs if "_" in thing.signs else f"{thing.signs}_i"
        if not is_reached:
            return claim(template.replace("{0}", name), of=thing)
        written_out = WEIGHT.replace("k_i", f"k_{name.partition('_')[2]}", 1)  # α by itself could be anything
        return claim(f"{template.replace('{0}', written_out)} does not hold", of=thing)

    return meaning


def _distribution(thing: Thing) -> Clause:
    """All weights together are a distribution.

    Raises: Unreadable for a single one.
    """
    name = thing.signs.removesuffix("_i").removesuffix("_{i}")
    if not _WEIGHT.fullmatch(name) or "_" in name:
        raise Unreadable
    return claim(f"{name} is a distribution", of=Thing(name, (), "weights"))


def _said(pattern: str, template: str, *, is_reached: bool) -> Rule:
    return Rule("weight_range", pattern, lambda *_: _of_weight(template, is_reached=is_reached))


def _range_rules() -> list[Rule]:
    found = []
    for words, template in RANGES:
        reached = (
            f"can/could/may/might be {words}",
            f"can/could/may/might sometimes/even/also be {words}",
            f"can/could/may/might become/get {words}",
        )
        never = (
            f"can/could/will never/not be/become/get {words}",
            f"is/are/becomes/become/gets never ever? {words}",
            f"never is/are/becomes/become/gets {words}",
        )
        found += [_said(pattern, template, is_reached=True) for pattern in reached]
        found += [_said(pattern, template, is_reached=False) for pattern in never]
    return found


_OVER = "over/on/of the/all? the? keys/key/values/positions/tokens positions?"


def _member(symbol: Thing) -> Thing:
    """All of a family, the α_i.

    Raises: Unreadable for a single letter.
    """
    if not re.fullmatch(r"\\?[A-Za-zα-ω]+_\{?i\}?", symbol.signs):
        raise Unreadable
    return symbol


def _number(wanted: str) -> Callable[[Thing], None]:
    """Raises: Unreadable for any other number."""

    def meaning(number: Thing) -> None:
        if number.signs != wanted:
            raise Unreadable

    return meaning


RULES: tuple[Rule, ...] = (
    Rule("nought", "<expr>", _number("0")),
    Rule("unity", "<expr>", _number("1")),
    Rule("base", "all/the the? <sym>", _member),
    *_range_rules(),
    Rule("clause", "<np> <weight_range>", lambda thing, said: said(thing)),
    Rule(
        "clause",
        "some/one of? the? <weight_words>? weight/weights can/may/could/might be negative",
        lambda _: _of_weight("{0} ≥ 0", is_reached=True)(Thing(f"{WEIGHTS}_i")),
    ),
    Rule("clause", "some <sym> can/may/could/might be negative", _of_weight("{0} ≥ 0", is_reached=True)),
    Rule("base", "an attention? weight", lambda: Thing(f"{WEIGHTS}_i", (), "weights")),
    Rule(
        "clause", "some <sym> can/may/could/might be <nought>", lambda x, _: _of_weight("{0} > 0", is_reached=True)(x)
    ),
    Rule(
        "weight_range",
        "form/forms/make/makes/define/defines/constitute/constitutes/give/gives/build/builds up? a/an? "
        "valid/proper? categorical/discrete? probability? distribution <over>?",
        lambda _: _distribution,
    ),
    Rule(
        "weight_range",
        "is/are a/an? valid/proper? categorical/discrete? probability? distribution <over>?",
        lambda _: _distribution,
    ),
    Rule("weight_range", "form/forms/make/makes/is/are a/an? probability vector", lambda: _distribution),
    Rule("weight_range", "is/are/has/have a? categorical distribution", lambda: _distribution),
    Rule("over", _OVER, lambda: None),
    Rule("over", "over/on <expr>", lambda _: None),
)
