"""Which value the output comes near to, draw by draw: it oscillates between two, is one half of the time.

c jumps between v_a and v_b: every draw comes near to one of them, and neither is the limit.
"""

from __future__ import annotations

import re

from regard.claims.syntax.prose.attention.weights import OUTPUT_LETTER
from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.english.predicates import Predicate
from regard.claims.syntax.prose.phrases import RETURNS, Clause, Thing, claim

NEARS = "ⱶ"
"""Stands for → in what is said of draws, until it is known that there are draws and a limit."""
_DRAWN = re.compile(r"~|∼|\\sim|Let (?:Σ|\\Sigma)_|Let [^.]*noise")
_OUTPUTS = (OUTPUT_LETTER, "c", "c_1", "c_2")


def _check_output(thing: Thing) -> None:
    """Raises: Unreadable for anything but an output."""
    if thing.signs not in _OUTPUTS:
        raise Unreadable


def one_of_two(first: Thing, second: Thing) -> Predicate:
    """Every draw comes near to one of two, as what is at 0 distance from either."""

    def meaning(thing: Thing) -> Clause:
        _check_output(thing)
        near = f"‖{thing.signs} - {first.factor}‖ ‖{thing.signs} - {second.factor}‖ {NEARS} 0"
        return claim(near, of=thing, given=(*first.given, *second.given))

    return meaning


def between(first: Thing, second: Thing) -> Predicate:
    """Every draw comes near to one of two, and not all to the same one."""

    def meaning(thing: Thing) -> Clause:
        near = one_of_two(first, second)(thing)
        neither = tuple(f"{thing.signs} {NEARS} {one.signs} does not hold" for one in (first, second))
        return claim(*near.claims, *neither, of=thing, given=near.given)

    return meaning


def half_each(first: Thing, second: Thing) -> Predicate:
    """Every draw comes near to one of two, and on average the output is in the middle: each has half of the draws."""

    def meaning(thing: Thing) -> Clause:
        found = between(first, second)(thing)
        middle = f"E[{thing.signs}] {NEARS} ({first.signs} + {second.signs})/2"
        return claim(*found.claims, middle, of=thing, given=found.given)

    return meaning


def _near(rel: str) -> tuple[Thing, Thing]:
    """c and v_a of c ≈ v_a.

    Raises: Unreadable for any other relation.
    """
    found = re.fullmatch(r"\s*(c|c_1|c_2)\s*(?:≈|=|→|\\approx|\\to)\s*([^=≈→<>≤≥]+)", rel)
    if found is None:
        raise Unreadable
    return Thing(found[1]), Thing(found[2].strip())


def _half_of_two(first: str, second: str) -> Clause:
    (one, value), (other, another) = _near(first), _near(second)
    if one != other:
        raise Unreadable
    return half_each(value, another)(one)


def _is_half(number: Thing) -> None:
    """Raises: Unreadable for any other probability than 1/2."""
    if number.signs.replace(" ", "").strip("$") not in ("1/2", "½", "0.5", "50%", "\\frac12", "\\tfrac12"):
        raise Unreadable


def _length(key: Thing, sign: str, mean: Thing | None) -> Clause:
    """k_a is longer than its mean μ_a, along which it is measured: a key that is turned round is not meant.

    Raises: Unreadable for what is no key, or beside another mean.
    """
    found = re.fullmatch(r"k_\{?(\w)\}?", key.signs)
    if found is None or (mean is not None and mean.signs not in (f"μ_{found[1]}", f"\\mu_{found[1]}")):
        raise Unreadable
    return claim(f"{key.signs}^T μ_{found[1]} {sign} μ_{found[1]}^T μ_{found[1]}", of=key)


def name_draws(written: str, _: str) -> str:
    """A claim about draws with its arrows, where it says what is drawn and what goes where.

    Raises: Unreadable for `c oscillates between v_a and v_b` of keys that nothing is said of.
    """
    if NEARS not in written:
        return written
    head, _, said = written.partition("Then ")
    if "E[" in said and not re.search(r"Let (?:α|\\alpha) →", head):  # what vanishes for each draw vanishes on average
        written = f"{head}Let α → 0. Then {said}"
    if not _DRAWN.search(head) or not re.search(r"→|\\to\b|≫", head):
        raise Unreadable
    return written.replace(NEARS, "→")


_SWINGS = "oscillates/oscillate/jumps/jump/alternates/alternate/flips/flip/switches/switch/swings/bounces/hops"


def _copied(value: Thing) -> Predicate:
    """The output copies v_j: it is v_j, or comes near to it."""

    def meaning(thing: Thing) -> Clause:
        _check_output(thing)
        return claim(f"{thing.signs} {RETURNS} {value.signs}", of=thing, given=value.given)

    return meaning


def _averaged(first: Thing, second: Thing) -> Predicate:
    return _copied(Thing(f"({first.signs} + {second.signs})/2", (*first.given, *second.given)))


_EXPECTED = "than its? mean/expected/average/usual/normal/expectation length?"

RULES: tuple[Rule, ...] = (
    Rule(
        "vp",
        f"{_SWINGS} back? and? forth? randomly? between <np> and <np> <per_sample>?",
        lambda a, b, _: between(a, b),
    ),
    Rule(
        "vp",
        "is/are/will either? close/near to? <np> or close/near to? <np> <per_sample>?",
        lambda a, b, _: one_of_two(a, b),
    ),
    Rule(
        "vp",
        "is/are/will approximately/roughly/almost/nearly either <np> or <np> <per_sample>?",
        lambda a, b, _: one_of_two(a, b),
    ),
    Rule(
        "vp",
        "is/are either approximately/roughly/almost/nearly <np> or approximately/roughly/almost/nearly? <np> "
        "<per_sample>?",
        lambda a, b, _: one_of_two(a, b),
    ),
    Rule("vp", "copies/copy/reproduces/picks/selects/retrieves out? <np>", _copied),
    Rule("vp", "averages/average/mixes <np> and/with <np>", _averaged),
    Rule("half", "half of the time/samples/draws/cases", lambda: None),
    Rule("half", "in/for about/roughly? half of? the samples/draws/cases", lambda: None),
    Rule("half", "with probability <expr>", _is_half),
    Rule("half", "with probability about/roughly/approximately? <expr>", _is_half),
    Rule("other_half", "the other half of? the? time/samples/draws/cases?", lambda: None),
    Rule("other_half", "in/for the other half of? the? samples/draws/cases?", lambda: None),
    Rule("other_half", "<half>", lambda _: None),
    Rule("clause", "<rel> <half> ,? and/or <rel> <other_half>", lambda a, _, b, __: _half_of_two(a, b)),
    Rule(
        "vp",
        "is/equals/are close? to? <np> <half> ,? and/or close? to? <np> <other_half>",
        lambda a, _, b, __: half_each(a, b),
    ),
    Rule(
        "clause",
        "about? half of the samples/draws give/have/yield/lead to? <rel> ,? and the other half give/have/yield? <rel>",
        _half_of_two,
    ),
    Rule(
        "vp",
        "is/equals/are close? to? either? <np> or <np> <half> each?",
        lambda a, b, _: half_each(a, b),
    ),
    Rule("per_sample", "from/over/across/between sample/samples/draw/draws to? sample/draw?", lambda: None),
    Rule("per_sample", "for/in every/each sample/draw", lambda: None),
    Rule("clause", "<np> is/gets/becomes longer/larger than <np>", lambda k, mean: _length(k, ">", mean)),
    Rule("clause", "<np> is/gets/becomes shorter/smaller than <np>", lambda k, mean: _length(k, "<", mean)),
    Rule("clause", f"<np> is/gets/becomes longer/larger {_EXPECTED}", lambda k: _length(k, ">", None)),
    Rule("clause", f"<np> is/gets/becomes shorter/smaller {_EXPECTED}", lambda k: _length(k, "<", None)),
)
