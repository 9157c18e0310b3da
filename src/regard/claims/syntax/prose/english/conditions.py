"""Conditions: what is taken as given behind if, with and where, one after another."""

from __future__ import annotations

import re
from dataclasses import replace

from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.english.clauses import declare, describe, orthonormal, state
from regard.claims.syntax.prose.leaves import SYMBOL
from regard.claims.syntax.prose.phrases import Clause, Thing, both, claim, is_open


def _listed(first: Clause, second: Clause) -> Clause:
    """One condition after another, of which none speaks of weights or output: that begins what is claimed.

    Raises: Unreadable.
    """
    if first.claims and any(one.lstrip("E[Var(").startswith(("ⱥ", "ȼ")) for one in second.claims):
        raise Unreadable
    return both(first, second)


def _for_indices(rel: str, names: tuple[str, ...]) -> Clause:
    """Σ_i = αI for all i: of letters that only count.

    Raises: Unreadable for others, of which more than one may be meant.
    """
    if not set(names) <= set("ijklm"):
        raise Unreadable
    return claim(f"{rel} for all {', '.join(names)}")


def inequality(rel: str) -> str:
    """β > 0, b ≠ a: of a letter of which no more is known.

    Raises: Unreadable.
    """
    if not re.fullmatch(r"\s*\\?\w+\s*(?:[<>≥≤≠∈]|!=|\\(?:neq?|geq?|leq?|in)(?![a-z]))[^<>=≥≤≠]*", rel):
        raise Unreadable
    return rel


FIXED = "a/any/some/each/every/all? fixed/constant/finite real/positive/large? scale/number/factor/value/constant? of?"
"""A scale that goes nowhere: for a fixed C, for finite C."""
RESTRICTED = (
    "a/an/any/some/each/every fixed/constant/finite/given/arbitrary? real/positive/large? "
    "scale/number/factor/value/constant?"
)
"""Before what is said of a number in a set-up: some finite C > 0, which would be one that there is elsewhere."""
KEPT = "is/are/stays/stay/remains/being? held/kept? at? a? fixed/constant/finite value?"


def fix(_: Thing) -> Clause:
    """Nothing more is given of a letter that is fixed; that a scale goes nowhere is read of the text as a whole."""
    return Clause()


def _named(name: Thing, thing: Thing) -> Clause:
    """With J the cross-entropy of p and q: what the letter stands for.

    Raises: Unreadable for what is no formula, and for a letter of its own: a definition of nothing.
    """
    if is_open(thing.signs) or name.signs in thing.signs or SYMBOL.fullmatch(thing.signs):
        raise Unreadable
    return claim(f"{name.signs} = {thing.signs}", of=name, given=thing.given)


def _not_alike(symbol: Thing) -> str:
    """Not all z_i are equal: the largest of them is larger than the smallest.

    Raises: Unreadable for a letter that is no entry.
    """
    if not re.fullmatch(r"\\?[A-Za-zα-ω]+_\{?[ij]\}?", symbol.signs):
        raise Unreadable
    index = symbol.signs.rstrip("}")[-1]
    return f"max_{index} {symbol.signs} > min_{index} {symbol.signs}"


def _for_some(condition: Clause, place: str) -> Clause:
    """If s_a > s_i for some i ≠ a: of one place; a number that there is, β > 0, is one more condition."""
    index = re.fullmatch(r"\s*([i-m])\s*(?:(?:≠|!=|\\neq?).*)?", place)
    if index is None:
        return both(condition, claim(inequality(place)))
    if len(condition.claims) != 1:
        raise Unreadable
    return replace(condition, claims=(f"{condition.claims[0]} for some {place.strip()}",))


RULES: tuple[Rule, ...] = (
    Rule("if", "if/when/whenever/provided/assuming/given/suppose that?", lambda: None),
    Rule("if", "as/so long/soon as", lambda: None),
    Rule("if", "in the? case that?", lambda: None),
    Rule("if", "provided that", lambda: None),
    Rule("with", "where/with/for", lambda: None),
    Rule("condition", "<clause> ,? and also? <condition>", both),
    Rule("condition", "<clause> , <condition>", _listed),
    Rule("condition", "<simple> ,? and <condition>", both),
    Rule("condition", "<simple> , <condition>", both),
    Rule("simple", "<sym> being? the <np>", _named),
    Rule("simple", "<sym> denoting the <np>", _named),
    Rule("simple", "not all the? <sym> are/being? equal/identical/alike", lambda x: claim(_not_alike(x))),
    Rule("simple", "not all the? <sym> are/being? the same", lambda x: claim(_not_alike(x))),
    Rule("simple", "the? <sym> are/being? not all equal/identical/alike", lambda x: claim(_not_alike(x))),
    Rule("simple", "the? <sym> are/being? not all the same", lambda x: claim(_not_alike(x))),
    Rule("simple", "<rel> independent of <syms>", lambda rel, _: state(rel)),
    Rule("simple", "the rows of <sym> are/being? the keys/values/queries/examples/inputs", lambda _: Clause()),
    Rule("simple", "all? the? keys orthonormal", lambda: claim("the keys be orthonormal")),
    Rule("simple", "<called_definition>", lambda thing: claim(*thing.given, of=thing)),
    Rule("simple", f"{FIXED} <sym>", fix),
    Rule(
        "simple", "any/each/every fixed/constant/finite/given/arbitrary real? scale/number/factor/value? <rel>", state
    ),
    Rule("simple", "a/an fixed/given/arbitrary real? scale/number/factor/value? <rel>", state),
    Rule("simple", "<syms> being? a/an/any/some/two arbitrary? <entity>", describe),
    Rule("simple", "<syms> being? a/an/any/some/two fixed/given/arbitrary <entity>", describe),
    Rule("simple", f"<sym> {KEPT}", fix),
    Rule("simple", "<syms> <props>", declare),
    Rule(
        "simple",
        "a/some/any? very/sufficiently/arbitrarily? large/huge/big fixed? <sym>",
        lambda x: claim(f"{x.signs} → ∞"),
    ),
    Rule(
        "simple",
        "a/some/any? very/sufficiently/arbitrarily/vanishingly? small/tiny fixed? <sym>",
        lambda x: claim(f"{x.signs} → 0"),
    ),
    Rule("simple", "<sym> very/sufficiently/arbitrarily/extremely large/huge/big", lambda x: claim(f"{x.signs} → ∞")),
    Rule("simple", "<sym> huge/big", lambda x: claim(f"{x.signs} → ∞")),
    Rule(
        "simple",
        "<sym> very/sufficiently/arbitrarily/vanishingly/extremely small/tiny",
        lambda x: claim(f"{x.signs} → 0"),
    ),
    Rule("condition", "<simple>", lambda a: a),
    Rule("condition", "<clause> ,? with/where <condition>", both),
    Rule("condition", "<rel> for all/every/each/any <rel>", lambda a, b: claim(f"{a} for all {b}")),
    Rule("condition", "<rel> for all/every/each/any <syms>", _for_indices),
    Rule("condition", "<clause> <ignored>", lambda a, _: a),
    Rule("condition", "<clause> for some <rel>", _for_some),
    Rule("condition", "<clause> for some <sym>", lambda a, x: _for_some(a, x.signs)),
    Rule("condition", "<rel> for some <rel>", lambda a, rel: _for_some(claim(a), rel)),
    Rule("condition", "<rel> for some <sym>", lambda a, x: _for_some(claim(a), x.signs)),
    Rule("condition", "<clause>", lambda a: a),
    Rule("condition", "<clause> ( <condition> )", both),
    Rule("condition", "<clause> ( <condition> ) ,? and? <condition>", lambda a, b, c: both(both(a, b), c)),
    Rule("condition", "logits/scores/labels <syms>", lambda _: Clause()),
    Rule("condition", "<syms> <props>", declare),
    Rule("condition", "<syms> orthonormal", lambda names: claim(*orthonormal(names))),
    Rule("condition", "<entity>", lambda thing: claim(*thing.given, of=thing)),
    Rule("condition", "the? <named_only> <syms>", lambda *_: Clause()),
    Rule("condition", "the? <named_only> <syms> , and? <condition>", lambda _, __, rest: rest),
    Rule("condition", "the? <named_only> <expr>", lambda *_: Clause()),
    Rule("condition", "the/a/an? <qualifiers>? gradient/temperature/prediction/label <rel>", lambda _, rel: state(rel)),
    Rule("condition", "the? <named_only> <rel>", lambda _, rel: state(rel)),
    Rule(
        "named_only",
        "temperature/bias/biases/weights/label/labels/target/prediction/input/inputs/features/logits/logit/scores/"
        "parameter/parameters/activation/activations/output/outputs",
        lambda: None,
    ),
    Rule("condition", "<entity> ,? and <condition>", lambda thing, more: both(claim(*thing.given, of=thing), more)),
)
