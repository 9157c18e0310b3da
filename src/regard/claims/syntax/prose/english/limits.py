"""Limits in words: as T tends to zero from above, for large n, approaches 1, blows up."""

from __future__ import annotations

import re

from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.english.predicates import Predicate, compare, negated, said
from regard.claims.syntax.prose.phrases import TEMPERATURE, Clause, Thing, claim
from regard.claims.syntax.prose.signs import is_limit


def _checked(rel: str) -> str:
    if not is_limit(rel):
        raise Unreadable
    return rel


def _goes(symbol: Thing, place: Thing) -> str:
    return f"{symbol.signs} → {place.signs.removesuffix('+')}" + ("⁺" if place.signs.endswith("0+") else "")


def _from(side: str, rel: str) -> str:
    """x → 0 from above as x → 0⁺.

    Raises: Unreadable where it does not go to a number.
    """
    if not re.search(r"(?:→|->|\\to) ?\d+(?:\.\d+)?\s*$", _checked(rel)):
        raise Unreadable
    return rel.rstrip() + side


def _to_infinity(symbol: Thing) -> str:
    return f"{symbol.signs} → ∞"


def _to_zero(symbol: Thing) -> str:
    return f"{symbol.signs} → 0"


LETTERS = {"temperature": TEMPERATURE, "softmax temperature": TEMPERATURE, "dimension": "d", "perplexity": "P"}
"""The letter that everybody takes for a quantity, where the text writes none."""


def _of_limit(of: Thing, limit: str, value: Thing) -> Clause:
    return claim(f"{of.signs} → {value.signs}", of=of, given=(*of.given, *value.given, limit))


def _not_to(place: Thing) -> Predicate:
    return lambda x: negated(claim(f"{x.signs} → {place.signs}", of=x))


_AS = "as/when/if/once/while/where/letting/for"
_GOES = "tends/tend/goes/go/going/grows/approaches/approaching/converges/increases/decreases/shrinks/falls/rises/drops"
_ENOUGH = "very/sufficiently/arbitrarily/extremely?"
_LARGE = "large/larger/big/huge/infinite/high"
_SMALL = "small/smaller/tiny/low/infinitesimal"

LIMITS: tuple[Rule, ...] = (
    Rule(
        "limit",
        "as/when/if/for/in/letting/taking/sending the? limit? as/of/where/that/when/for? the? <name>? <rel>",
        lambda _, rel: _checked(rel),
    ),
    Rule(
        "limit",
        "as/when/for/in the? limit? as? the? <name>? <rel> <side>",
        lambda _, rel, side: _from(side, rel),
    ),
    Rule("place_at", "<expr>", lambda place: place),
    Rule("place_at", "minus/negative infinity", lambda: Thing("−∞")),
    Rule("place_at", "plus/positive infinity", lambda: Thing("∞")),
    Rule("side", "from above", lambda: "⁺"),
    Rule("side", "from the? right", lambda: "⁺"),
    Rule("side", "from below", lambda: "⁻"),
    Rule("side", "from the? left", lambda: "⁻"),
    Rule("limit", f"{_AS} <growing> {_GOES} to/towards/toward? <place_at>", _goes),
    Rule(
        "limit",
        f"{_AS} <growing> {_GOES} to/towards/toward? <place_at> <side>",
        lambda x, place, side: _from(side, _goes(x, place)),
    ),
    Rule("limit", f"in the limit as/where/when/that/of? <growing> {_GOES} to/towards/toward? <place_at>", _goes),
    Rule("limit", f"in the limit of {_ENOUGH} large/infinite/high <growing>", _to_infinity),
    Rule("limit", f"in the limit of {_ENOUGH} small/vanishing/zero/low <growing>", _to_zero),
    Rule("limit", f"for/at/with {_ENOUGH} {_LARGE} enough? <growing>", _to_infinity),
    Rule("limit", f"for/at/with {_ENOUGH} {_SMALL} enough? <growing>", _to_zero),
    Rule("limit", f"for <sym> {_ENOUGH} {_LARGE} enough?", _to_infinity),
    Rule("limit", f"for <sym> {_ENOUGH} {_SMALL} enough?", _to_zero),
    Rule("limit", f"{_AS} <growing> is/gets/becomes/grows {_ENOUGH} {_LARGE} enough?", _to_infinity),
    Rule("limit", f"{_AS} <growing> is/gets/becomes/grows {_ENOUGH} {_SMALL} enough?", _to_zero),
    Rule("limit", "as/when/while <growing> grows/increases without bound/limit?", _to_infinity),
    Rule("limit", "as/when/while <growing> increases/grows indefinitely", _to_infinity),
    Rule("limit", "as <growing> grows/increases", _to_infinity),
    Rule("limit", "as <growing> vanishes", _to_zero),
    Rule("limit", "at/for/in high/large/infinite temperature/temperatures", lambda: f"{TEMPERATURE} → ∞"),
    Rule("limit", "at/for/in low/small/zero temperature/temperatures", lambda: f"{TEMPERATURE} → 0"),
    Rule(
        "limit",
        "if/when/as/once i/we/you/one send/sends/let/lets/take/takes/drive/drives/push/pushes <sym> go/tend/grow? "
        "to/towards <place_at>",
        _goes,
    ),
    Rule("limit", "letting/taking/sending <sym> go/tend/grow to <expr>", _goes),
    Rule("growing", "the? number <sym>? of keys <sym>?", lambda *_: Thing("n")),
    Rule("growing", "the? <name> <sym>", lambda _, x: x),
    Rule("growing", "<sym>", lambda x: x),
    Rule("growing", "the? number of <counted> <sym>", lambda _, x: x),
    Rule("growing", "the? number of <counted>", lambda _: Thing("n")),
    Rule(
        "counted",
        "iid/independent? data? samples/draws/keys/terms/observations/variables/trials/points/values",
        lambda: None,
    ),
    Rule("counted", "dimensions/classes/positions/tokens/steps/entries/copies/summands", lambda: None),
    *(
        Rule("growing", f"the? {word} of a/the softmax <over_scores>?", lambda _, letter=letter: Thing(letter))
        for word, letter in (("temperature", TEMPERATURE),)
    ),
    *(Rule("growing", f"the? {word}", lambda letter=letter: Thing(letter)) for word, letter in LETTERS.items()),
)

_TENDS = "tends/tend/goes/go/converges/converge/approaches/approach"

VERBS: tuple[Rule, ...] = (
    Rule("vp", f"{_TENDS} to/towards/toward? <np>", compare("→")),
    Rule("vp", "must/will/can tend/go/converge/approach to/towards/toward? <np>", compare("→")),
    Rule("vp", "turns/turn into <np>", compare("→")),
    Rule("vp", "has/have the? limit <np>", compare("→")),
    Rule("vp", "has/have limiting value <np>", compare("→")),
    Rule("vp", "saturates/saturate/settles/levels at/off? at? <np>", compare("→")),
    Rule("vp", "shrinks/decays/drops/falls/decreases to <np>", compare("→")),
    said("vp", "grows/rises/increases to infinity", "[0] → ∞"),
    said("vp", "diverges/diverge", "[0] → ∞"),
    said("vp", "diverges/goes/tends to plus infinity", "[0] → ∞"),
    said("vp", "diverges/goes/tends/diverge/go/tend to minus infinity", "[0] → -∞"),
    said("vp", "diverges/diverge to infinity", "[0] → ∞"),
    said("vp", "blows/blow/explodes up?", "[0] → ∞"),
    said("vp", "grows/grow/increases/increase without bound/limit", "[0] → ∞"),
    said("vp", "becomes/become/gets/get arbitrarily/infinitely large", "[0] → ∞"),
    said("vp", "becomes/become/gets/get arbitrarily/infinitely/vanishingly small", "[0] → 0"),
    said("vp", "becomes/become negligible", "[0] → 0"),
    said("vp", "becomes/become/gets/get uniform", "[0] → 1/n"),
    said("vp", "is/are asymptotically equal/equivalent to <np>", "{0} / {1} → 1"),
    said(
        "vp",
        "converges/converge/tends/tend/goes/concentrates in probability to/around/at <np>",
        "E[[0]] → [1]",
        "Var([0]) → 0",
    ),
    said(
        "vp",
        "converges/converge/tends/tend/goes/concentrates to/around/at <np> in probability",
        "E[[0]] → [1]",
        "Var([0]) → 0",
    ),
    said("vp", "converges/converge/tends/tend to <np> in mean square", "E[[0]] → [1]", "Var([0]) → 0"),
    Rule("vp", "does/do not tend/go/converge/approach to? <np>", _not_to),
    Rule("body", "the? limit/limits of <np> <limit> is/equals <np>", _of_limit),
    Rule("body", "<limit> , the? limit of <np> is/equals <np>", lambda limit, of, value: _of_limit(of, limit, value)),
)

RULES: tuple[Rule, ...] = (*LIMITS, *VERBS)
