"""How a thing depends on a letter: not at all, increasing, like a power, convex, largest at a place."""

from __future__ import annotations

from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.entities import fresh
from regard.claims.syntax.prose.nouns import natural_letter
from regard.claims.syntax.prose.phrases import Clause, Thing, claim, substitute
from regard.claims.syntax.prose.predicates import negated


def _uses(thing: Thing, by: Thing) -> None:
    """Raises: Unreadable where the expression does not have the letter, so that nothing can be seen of it."""
    substitute(thing.signs, by.signs, by.signs)


def _constant(thing: Thing, by: Thing) -> Clause:
    _uses(thing, by)
    return claim(f"∂/∂{by.signs} ({thing.signs}) = 0", of=thing)


def _monotone(thing: Thing, by: Thing, sign: str) -> Clause:
    _uses(thing, by)
    return claim(f"∂/∂{by.signs} ({thing.signs}) {sign} 0", of=thing)


def _power(thing: Thing, by: Thing, power: str) -> Clause:
    _uses(thing, by)
    return claim(f"∂/∂{by.signs} (({thing.signs})/{by.signs}^{{{power}}}) = 0", of=thing)


def _convex(thing: Thing, by: Thing | None, sign: str) -> Clause:
    """The value in the middle of two places is at most the mean of the values there."""
    letter = by.signs if by is not None else natural_letter(thing)
    if sign in "<>":  # equality in one direction is found by eigenvalues, not by trying
        definite = f"{'-' if sign == '>' else ''}∂²({thing.signs})/∂{letter}²"
        return claim(f"{definite} is positive definite", of=thing)
    other = fresh("vector")
    there, middle = (substitute(thing.signs, letter, new) for new in (other, f"(({letter} + {other})/2)"))
    return claim(f"{middle} {sign} ({thing.signs} + {there})/2", of=thing)


def extreme(thing: Thing, at: str, sign: str, value: Thing | None = None) -> Clause:
    """Largest at x = 0: nowhere larger than there."""
    letter, equals, place = at.partition("=")
    if not equals:
        raise Unreadable
    there = substitute(thing.signs, letter.strip(), f"({place.strip()})")
    claims = [f"{thing.signs} {sign} {there}"]
    if value is not None:
        claims.append(f"{there} = {value.signs}")
    return claim(*claims, of=Thing(there, thing.given))


RULES: tuple[Rule, ...] = (
    Rule("vp", "does/do not depend on the? <name>? <sym>", lambda _, by: lambda x: _constant(x, by)),
    Rule("pred", "independent of the? <name>? <sym>", lambda _, by: lambda x: _constant(x, by)),
    Rule("vp", "depends/depend on the? <name>? <sym>", lambda _, by: lambda x: negated(_constant(x, by))),
    Rule(
        "vp", "increases/increase/grows/grow with/in the? <name>? <sym>", lambda _, by: lambda x: _monotone(x, by, "≥")
    ),
    Rule(
        "vp",
        "decreases/decrease/shrinks/falls with/in the? <name>? <sym>",
        lambda _, by: lambda x: _monotone(x, by, "≤"),
    ),
    Rule(
        "pred",
        "a? monotonically? increasing/nondecreasing function? in/of the? <name>? <sym>",
        lambda _, by: lambda x: _monotone(x, by, "≥"),
    ),
    Rule(
        "pred",
        "a? monotonically? decreasing/nonincreasing function? in/of the? <name>? <sym>",
        lambda _, by: lambda x: _monotone(x, by, "≤"),
    ),
    Rule(
        "pred",
        "a? strictly increasing function? in/of the? <name>? <sym>",
        lambda _, by: lambda x: _monotone(x, by, ">"),
    ),
    Rule(
        "pred",
        "a? strictly decreasing function? in/of the? <name>? <sym>",
        lambda _, by: lambda x: _monotone(x, by, "<"),
    ),
    Rule(
        "vp", "grows/scales/increases linearly with/in the? <name>? <sym>", lambda _, by: lambda x: _power(x, by, "1")
    ),
    Rule(
        "vp",
        "grows/scales/increases quadratically with/in the? <name>? <sym>",
        lambda _, by: lambda x: _power(x, by, "2"),
    ),
    Rule(
        "vp",
        "grows/scales/increases with/like/as the square root of the? <name>? <sym>",
        lambda _, by: lambda x: _power(x, by, "1/2"),
    ),
    Rule("pred", "a? convex function? in/of the? <name>? <sym>", lambda _, by: lambda x: _convex(x, by, "≤")),
    Rule("pred", "a? concave function? in/of the? <name>? <sym>", lambda _, by: lambda x: _convex(x, by, "≥")),
    Rule("pred", "a? convex function? <where>?", lambda _: lambda x: _convex(x, None, "≤")),
    Rule("pred", "a? concave function? <where>?", lambda _: lambda x: _convex(x, None, "≥")),
    Rule("pred", "a? strictly convex function? <where>?", lambda _: lambda x: _convex(x, None, "<")),
    Rule("pred", "a? strictly concave function? <where>?", lambda _: lambda x: _convex(x, None, ">")),
    Rule("where", "on/in all? of? <expr>", lambda _: None),
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
    Rule(
        "vp",
        "reaches/attains/has/takes its maximum value? <expr>? at/when/for <rel>",
        lambda value, at: lambda x: extreme(x, at, "≤", value),
    ),
    Rule(
        "vp",
        "reaches/attains/has/takes its minimum value? <expr>? at/when/for <rel>",
        lambda value, at: lambda x: extreme(x, at, "≥", value),
    ),
)
