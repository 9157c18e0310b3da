"""How a thing depends on a letter: not at all, increasing, like a power, convex, largest at a place."""

from __future__ import annotations

import re

from regard.claims.syntax.prose.attention.weights import OUTPUT_LETTER, WEIGHTS
from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.english.clauses import iff
from regard.claims.syntax.prose.english.entities import fresh
from regard.claims.syntax.prose.english.nouns import derivative
from regard.claims.syntax.prose.english.predicates import Predicate, negated
from regard.claims.syntax.prose.leaves import SYMBOL
from regard.claims.syntax.prose.phrases import (
    CROSS_ENTROPY,
    EQUALITY,
    IT,
    LOGITS,
    LOSS,
    Clause,
    Thing,
    claim,
    fill,
    letter_of,
)
from regard.claims.syntax.prose.signs import has_relation, substitute


def _uses(thing: Thing, by: Thing) -> None:
    """Raises: Unreadable where the expression does not have the letter, so that nothing can be seen of it."""
    substitute(thing.signs, by.signs, by.signs)


def _constant(thing: Thing, by: Thing) -> Clause:
    _uses(thing, by)
    return claim(f"∂/∂{by.signs} ({thing.signs}) = 0", of=thing, given=by.given)


_OF_QUERY = re.compile(rf"(?:{WEIGHTS}|α|\\\\alpha)_\{{?\w\}}?|{OUTPUT_LETTER}|c")
"""What depends on a letter of the query, q = C k_a, that is given."""


def _monotone(thing: Thing, by: Thing, sign: str) -> Clause:
    if not _OF_QUERY.fullmatch(thing.signs):
        _uses(thing, by)
    return claim(f"∂/∂{by.signs} ({thing.signs}) {sign} 0", of=thing, given=by.given)


def _power(thing: Thing, by: Thing, power: str) -> Clause:
    _uses(thing, by)
    return claim(f"∂/∂{by.signs} (({thing.signs})/{by.signs}^{{{power}}}) = 0", of=thing, given=by.given)


def _convex(thing: Thing, by: Thing | None, sign: str) -> Clause:
    """The value in the middle of two places is at most the mean of the values there."""
    thing = in_logits(thing, by)
    letter = by.signs if by is not None else letter_of(thing)
    if by is not None and by.given:
        raise Unreadable  # the other place has to satisfy it as well
    if sign in "<>":  # equality in one direction is found by eigenvalues, not by trying
        definite = f"{'-' if sign == '>' else ''}∂²({thing.signs})/∂{letter}²"
        return claim(f"{definite} is positive definite", of=thing)
    other = fresh("distribution" if thing.signs.startswith("H(") else "vector")
    other = (
        "w" if thing.kind == "loss" and letter != LOGITS else other
    )  # a letter that the settings of losses do not know
    if thing.signs.startswith("H("):
        thing = Thing(thing.signs, (*thing.given, f"{letter} is a distribution", f"{other} is a distribution"))
    thing = Thing(
        thing.signs, (*thing.given, *(substitute(one, letter, other) for one in thing.given if one == f"{letter} > 0"))
    )
    there, middle = (substitute(thing.signs, letter, new) for new in (other, f"(({letter} + {other})/2)"))
    return claim(f"{middle} {sign} ({thing.signs} + {there})/2", of=thing)


_LOSSES = (LOSS, CROSS_ENTROPY, "CE")


def in_logits(thing: Thing, by: Thing | None) -> Thing:
    """The cross-entropy as a function of the logits that it is said to be one of: convex in θ.

    Raises: Unreadable where it is said of no logits.
    """
    if thing.signs not in _LOSSES:
        return thing
    if by is None or not re.fullmatch(r"θ|\\theta|z|s|⟨logits⟩", by.signs):
        raise Unreadable
    signs = f"(-\\sum_i y_i log softmax({by.signs})_i)"
    return Thing(signs, (*thing.given, "y is a distribution", *by.given), "loss")


def _value_at(thing: Thing, place: Thing) -> Thing:
    """The value of tanh at 0.

    Raises: Unreadable where it is not plain which letter is 0.
    """
    letter = letter_of(thing.about if thing.kind == "derivative" and thing.about is not None else thing)
    return Thing(at_place(thing, letter, place.signs), (*thing.given, *place.given))


_DERIVATIVES = {
    "σ(x)": "(σ([0]) (1 - σ([0])))",
    "1/(1+e^{-x})": "(σ([0]) (1 - σ([0])))",
    "1/(1 + e^{-x})": "(σ([0]) (1 - σ([0])))",
    "tanh(x)": "(1 - tanh([0])^2)",
    "log(1 + e^x)": "σ([0])",
    "x^2": "(2 [0])",
    "exp(x)": "exp([0])",
    "e^x": "exp([0])",
}
"""Derivatives of functions that have a name: what they are at a place is no derivative by a letter."""


def at_place(thing: Thing, letter: str, place: str) -> str:
    """An expression with a place for its letter, σ′(0) for the derivative of σ(x).

    Raises: Unreadable for a derivative of any other function.
    """
    if thing.kind != "derivative" or thing.about is None:
        return substitute(thing.signs, letter, f"({place})")
    known = _DERIVATIVES.get(substitute(thing.about.signs, letter, "x"))
    if known is None or thing.signs != f"∂/∂{letter} ({thing.about.signs})":
        raise Unreadable
    return fill(known, Thing(place))


def extreme(thing: Thing, at: str, sign: str, value: Thing | None = None) -> Clause:
    """Largest at x = 0: nowhere larger than there."""
    letter, equals, place = at.partition("=")
    if not equals:
        raise Unreadable
    letter = letter or letter_of(thing.about if thing.kind == "derivative" and thing.about else thing)
    there = at_place(thing, letter.strip(), place.strip())
    claims = [f"{thing.signs} {sign} {there}"]
    if value is not None:
        claims.append(f"{there} = {value.signs}")
    return claim(*claims, of=Thing(there, thing.given))


def _at(relation: str, thing: Thing, predicate: Predicate) -> Clause:
    """At x = 0 the derivative of tanh is 1: what is said of the thing, of its value there.

    Raises: Unreadable where the relation is no equation of a letter of the thing.
    """
    letter, equals, place = relation.partition("=")
    if not equals or not SYMBOL.fullmatch(letter.strip()) or has_relation(place):
        raise Unreadable
    there = at_place(thing, letter.strip(), place.strip())
    return predicate(Thing(there, thing.given, thing.kind if thing.kind != "derivative" else ""))


def _number_spot(value: Thing) -> str:
    """Largest at 0.

    Raises: Unreadable for what is no number.
    """
    if not re.fullmatch(r"[-−]?\d+(?:\.\d+)?", value.signs):
        raise Unreadable
    return f"= {value.signs}"


_LOGITS = "logits/scores vector?"

RULES: tuple[Rule, ...] = (
    Rule("body", "at the? point? <rel> ,? <lead>? <np> <vps>", lambda at, _, x, vps: _at(at, x, vps)),
    Rule("body", "at the? origin/zero ,? <lead>? <np> <vps>", lambda _, x, vps: _at("x = 0", x, vps)),
    Rule("vp", "does/do not depend on the? <name>? <letter>", lambda _, by: lambda x: _constant(x, by)),
    Rule("pred", "independent of the? <name>? <letter>", lambda _, by: lambda x: _constant(x, by)),
    Rule("vp", "depends/depend on the? <name>? <letter>", lambda _, by: lambda x: negated(_constant(x, by))),
    Rule(
        "vp",
        "increases/increase/grows/grow with/in the? <name>? <letter>",
        lambda _, by: lambda x: _monotone(x, by, "≥"),
    ),
    Rule(
        "vp",
        "decreases/decrease/shrinks/falls with/in the? <name>? <letter>",
        lambda _, by: lambda x: _monotone(x, by, "≤"),
    ),
    Rule(
        "pred",
        "a/an? monotonically? increasing/nondecreasing function? in/of the? <name>? <letter>",
        lambda _, by: lambda x: _monotone(x, by, "≥"),
    ),
    Rule(
        "pred",
        "a/an? monotonically? decreasing/nonincreasing function? in/of the? <name>? <letter>",
        lambda _, by: lambda x: _monotone(x, by, "≤"),
    ),
    Rule(
        "pred",
        "a? strictly increasing function? in/of the? <name>? <letter>",
        lambda _, by: lambda x: _monotone(x, by, ">"),
    ),
    Rule(
        "pred",
        "a? strictly decreasing function? in/of the? <name>? <letter>",
        lambda _, by: lambda x: _monotone(x, by, "<"),
    ),
    Rule(
        "vp",
        "grows/scales/increases linearly with/in the? <name>? <letter>",
        lambda _, by: lambda x: _power(x, by, "1"),
    ),
    Rule(
        "vp",
        "grows/scales/increases quadratically with/in the? <name>? <letter>",
        lambda _, by: lambda x: _power(x, by, "2"),
    ),
    Rule(
        "vp",
        "grows/scales/increases with/like/as the square root of the? <name>? <letter>",
        lambda _, by: lambda x: _power(x, by, "1/2"),
    ),
    Rule("pred", "a? convex function? in/of the? <name>? <letter>", lambda _, by: lambda x: _convex(x, by, "≤")),
    Rule("pred", "a? concave function? in/of the? <name>? <letter>", lambda _, by: lambda x: _convex(x, by, "≥")),
    *(
        Rule(
            "pred",
            f"a? {word} function? in/of the? {_LOGITS}",
            lambda sign=sign: lambda x: _convex(x, Thing(LOGITS), sign),
        )
        for word, sign in (("convex", "≤"), ("concave", "≥"))
    ),
    *(
        Rule(
            "pred",
            f"a? strictly {word} function? in/of the? {_LOGITS}",
            lambda sign=sign: lambda x: _convex(x, Thing(LOGITS), sign),
        )
        for word, sign in (("convex", "<"), ("concave", ">"))
    ),
    *(
        Rule(
            "pred",
            f"a? strictly {word} function? in/of the? <name>? <letter>",
            lambda _, by, sign=sign: lambda x: _convex(x, by, sign),
        )
        for word, sign in (("convex", "<"), ("concave", ">"))
    ),
    Rule("pred", "a? convex function? <where>?", lambda _: lambda x: _convex(x, None, "≤")),
    Rule("pred", "a? concave function? <where>?", lambda _: lambda x: _convex(x, None, "≥")),
    Rule("pred", "a? strictly convex function? <where>?", lambda _: lambda x: _convex(x, None, "<")),
    Rule("pred", "a? strictly concave function? <where>?", lambda _: lambda x: _convex(x, None, ">")),
    Rule("where", "on/in all? of? <expr>", lambda _: None),
    Rule("where", "of its/the arguments/argument/inputs/input/entries/logits/scores", lambda: None),
    Rule("where", "of the? probability? vector/distribution/probabilities/logits/input", lambda: None),
    Rule(
        "pred",
        "maximal/maximised/maximized/largest/greatest at/when/for <rel>",
        lambda at: lambda x: extreme(x, at, "≤"),
    ),
    Rule(
        "pred",
        "minimal/minimised/minimized/smallest/least/lowest at/when/for <rel>",
        lambda at: lambda x: extreme(x, at, "≥"),
    ),
    *(
        Rule(
            "vp",
            f"reaches/attains/has/takes its {words} value? ,? <expr>? ,? at/when/for/in <place>",
            lambda value, at, sign=sign: lambda x: extreme(x, at, sign, value),
        )
        for words, sign in (("maximum/largest/maximal/greatest", "≤"), ("minimum/smallest/minimal/least", "≥"))
    ),
    *(
        Rule(
            "pred",
            f"{words} at/when/for/in <spot>",
            lambda at, sign=sign: lambda x: extreme(x, at, sign),
        )
        for words, sign in (("maximal/largest/greatest/highest", "≤"), ("minimal/smallest/least/lowest", "≥"))
    ),
    Rule("base", "the? value of <np> at <expr>", _value_at),
    Rule("base", "the? slope/derivative of <np> at <expr>", lambda x, at: _value_at(derivative(x, None), at)),
    Rule("letter", "<sym>", lambda x: x),
    Rule("letter", "<typed>", lambda typed: Thing(typed[0], (typed[1],))),
    Rule("place", "<rel>", lambda rel: rel),
    Rule("place", "<spot>", lambda spot: spot),
    Rule("spot", "<expr>", _number_spot),
    Rule("spot", "zero", lambda: "= 0"),
    Rule("spot", "the origin", lambda: "= 0"),
    Rule("base", "this/the/that maximum/minimum/largest/smallest value?", lambda: Thing(IT)),
    Rule("base", "this/that value", lambda: Thing(IT)),
    Rule(
        "clause",
        "this/the/that maximum/minimum/bound/value value? is reached/attained/achieved/taken only? at/for/when <rel>",
        lambda at: iff(claim(EQUALITY), claim(at)),
    ),
)
