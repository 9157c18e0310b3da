"""Clauses: what is said of a thing, and what stands behind it: conditions, limits, for all x."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.entities import dimension, fresh, state_moments
from regard.claims.syntax.prose.phrases import (
    EQUALITY,
    IT,
    Clause,
    Thing,
    bind,
    bind_own,
    both,
    claim,
    given_by,
    is_limit,
)
from regard.claims.syntax.prose.predicates import Predicate, name_sign, read_law


def check_space(space: Thing) -> None:
    """Refuses what is no ℝ^n.

    Raises: Unreadable.
    """
    if not re.match(r"(?:ℝ|R\^|\\mathbb|\\R|R\d)", space.signs):
        raise Unreadable


def state(rel: str) -> Clause:
    """A relation as a clause about its left side."""
    left = re.split(r"\s*(?::=|[=<>≤≥≈→∝∈~∼≠≪≫]|\\(?:in|to|leq?|geq?|approx|sim|neq?)\b)", rel)[0].strip()
    return claim(rel, of=Thing(left) if left else None)


def _of_thing(thing: Thing, predicate: Predicate) -> Clause:
    return bind_own(predicate(thing), thing)


def _main_if(main: Clause, condition: Clause) -> Clause:
    condition = bind(condition, main.subject)
    return Clause(main.claims, (*main.given, *given_by(condition)), main.subject, main.unread)


def _iff(left: Clause, right: Clause) -> Clause:
    right = bind(right, left.subject)
    if len(left.claims) != 1 or left.unread or right.unread or not right.claims:
        raise Unreadable
    return Clause((f"{left.claims[0]} iff {' and '.join(right.claims)}",), (*left.given, *right.given), left.subject)


def _with_equality(main: Clause, condition: Clause) -> Clause:
    """A ≤ B with equality iff C: beside the inequality, A = B iff C."""
    return both(main, _iff(claim(EQUALITY, of=main.subject), condition))


def _unless(main: Clause, condition: Clause) -> Clause:
    """A unless x = 0: A where x ≠ 0."""
    said = given_by(condition)
    if len(said) != 1 or said[0].count("=") != 1 or any(sign in said[0] for sign in "≤≥<>≠"):
        raise Unreadable
    return main.under(said[0].replace("=", "≠"))


def _for(main: Clause, thing: Thing) -> Clause:
    """For all x, y; for every unit vector u: what is said of the letters is given."""
    return main.under(*thing.given)


def describe(names: tuple[str, ...], thing: Thing) -> Clause:
    """Let A be a symmetric matrix: what is said of the thing is said of A."""
    if not thing.signs.startswith("⟨"):
        raise Unreadable
    said = [one.replace(thing.signs, name) for name in names for one in thing.given]
    types = tuple(one for one in said if one.endswith(("is a matrix", "is a scalar", "is a vector")))
    claims = tuple(one for one in said if one not in types)
    return Clause(claims, types, Thing(names[0], (), thing.kind))


def _only_if(main: Clause, condition: Clause) -> Clause:
    """A only if B: where A is given, B is claimed."""
    condition = bind(condition, main.subject)
    if main.unread or condition.unread or not condition.claims:
        raise Unreadable
    return Clause(condition.claims, (*main.given, *main.claims, *condition.given), main.subject)


def _named_value(thing: Thing, relation: str) -> Clause:
    """The weight on position j is α_j = 1/n: an equation, and that its left side is what the words say."""
    left = re.split(r"\s*=", relation)[0].strip()
    if "=" not in relation or IT in thing.signs:
        raise Unreadable
    claims = (relation,) if left == thing.signs else (relation, f"{thing.signs} = {left}")
    return claim(*claims, of=Thing(left), given=thing.given)


def _last(clause: Clause) -> Thing:
    """What `which` after a clause is about: the right side of its last statement."""
    sides = re.split(r"\s*(?:=|≤|≥|<|>|≈|→)\s*", clause.claims[-1]) if clause.claims else [""]
    if len(sides) < 2 or not sides[-1]:
        raise Unreadable
    return Thing(sides[-1])


def _state_no_limit(rel: str) -> Clause:
    """What is computed as a formula; `exact as ε → 0` is no such thing."""
    if is_limit(rel):
        raise Unreadable
    return state(rel)


def declare(names: tuple[str, ...], predicate: Predicate) -> Clause:
    """What is said of each of some letters."""
    clauses = [predicate(Thing(name)) for name in names]
    found = clauses[0]
    for one in clauses[1:]:
        found = both(found, one)
    return found


def _checked_space(space: Thing) -> str:
    check_space(space)
    return space.signs


def _all_equal(symbol: Thing) -> tuple[str, ...]:
    """All z_i are equal: any two of them are."""
    if not symbol.signs.endswith("_i"):
        raise Unreadable
    return (f"{symbol.signs[:-2]}_r = {symbol.signs[:-2]}_u",)


def _on_sphere(name: str, space: Thing) -> tuple[str, ...]:
    """x = ξ/‖ξ‖ of a Gaussian ξ."""
    found = fresh("random vector")
    return f"{found} ~ N(0, I_{dimension(space)})", f"{name} = {found}/‖{found}‖"


def _exists(symbol: Thing, said: Clause) -> Clause:
    if len(said.claims) != 1:
        raise Unreadable
    return Clause((f"there is {symbol.signs} such that {said.claims[0]}",), said.given)


def orthonormal(names: tuple[str, ...]) -> tuple[str, ...]:
    """Unit vectors, each two of them orthogonal."""
    if len(names) == 1 and names[0].endswith("_i"):
        return ("the keys be orthonormal" if names[0] == "k_i" else f"{names[0]} orthonormal",)
    lengths = [f"‖{name}‖ = 1" for name in names]
    return (*lengths, *(f"{a}^T {b} = 0" for i, a in enumerate(names) for b in names[i + 1 :]))


def _at_place(main: Clause, what: tuple[Thing, Thing]) -> Clause:
    """With the 1 in position k."""
    if main.subject is None:
        raise Unreadable
    return both(main, claim(f"{main.subject.signs}_{what[1].signs} = {what[0].signs}"))


def _for_all(main: Clause, letters: str) -> Clause:
    return replace(main, claims=tuple(f"{one} for all {letters}" for one in main.claims))


def _in_space(main: Clause, space: Thing) -> Clause:
    check_space(space)
    return main


_TAILS: dict[str, Callable[[Clause, Any], Clause]] = {
    "if": _main_if,
    "iff": _iff,
    "only": _only_if,
    "unless": _unless,
    "equality": _with_equality,
    "at": _at_place,
    "for": _for,
    "forall": _for_all,
    "some": lambda main, x: replace(main, claims=tuple(f"{one} for some {x.signs}" for one in main.claims)),
    "space": _in_space,
    "claim": lambda main, predicate: both(main, predicate(main.subject or Thing(IT))),
    "limit": lambda main, limit: main.under(limit),
    "ignored": lambda main, _: main,
}
"""What each kind of tail makes of the clause before it."""


def with_tails(main: Clause, tails: tuple[tuple[str, object], ...]) -> Clause:
    """A clause with all that stands behind it: conditions, limits, for all x."""
    for kind, what in tails:
        main = _TAILS[kind](main, what)
    return main


RULES: tuple[Rule, ...] = (
    Rule("clause", "<rel>", state),
    Rule("clause", "<namings>", lambda _: Clause()),
    Rule("namings", "<naming> ,? and <namings>", lambda *_: None),
    Rule("namings", "<naming>", lambda _: None),
    Rule(
        "naming",
        "<expr> is/denotes? the? usual? logistic/sigmoid/frobenius/spectral/euclidean/entrywise/normal/product "
        "sigmoid/function/norm/product/cdf?",
        name_sign,
    ),
    Rule("clause", "<symrel>", lambda found: claim(*found)),
    Rule("clause", "<syms> are/is/be both/all? <entity>", describe),
    Rule("clause", "<np> <vps>", _of_thing),
    Rule("clause", "<np> , <which> , <vps>", lambda thing, which, predicate: both(which(thing), predicate(thing))),
    Rule("clause", "<rel> holds", state),
    Rule("clause", "equality holds/occurs iff <condition>", lambda condition: _iff(claim(EQUALITY), condition)),
    Rule(
        "clause",
        "the columns of <sym> and the columns of <sym> are/be orthonormal families?",
        lambda a, b: claim(*(f"{one.signs}^T {one.signs} = I" for one in (a, b))),
    ),
    Rule("clause", "the <commentary> , <expr> , <vps>", lambda _, thing, predicate: predicate(thing)),
    Rule("clause", "the means are orthonormal", lambda: claim("μ_i orthonormal")),
    Rule("clause", "<commentary> as/via/by/through <rel>", lambda _, rel: _state_no_limit(rel)),
    Rule(
        "clause",
        "<syms> in <expr>",
        lambda names, space: claim(*(f"{name} ∈ {_checked_space(space)}" for name in names)),
    ),
    Rule(
        "clause",
        "all entries/components of <sym> are/be equal to? each? other?",
        lambda x: claim(f"{x.signs}_r = {x.signs}_u"),
    ),
    Rule("clause", "all the? <sym> coincide", lambda x: claim(*_all_equal(x))),
    Rule("clause", "all the? <sym> are/be equal/identical", lambda x: claim(*_all_equal(x))),
    Rule(
        "clause",
        "<syms> are/be? drawn/sampled independently from <law>",
        lambda names, law: claim(*(f"{name} ~ {law}" for name in names)),
    ),
    Rule(
        "clause",
        "draw/sample <syms> independently from <law>",
        lambda names, law: claim(*(f"{name} ~ {law}" for name in names)),
    ),
    Rule(
        "clause",
        "<syms> has/have mean <expr> and covariance matrix? <expr>",
        lambda names, m, v: claim(*(one for x in names for one in (f"E[{x}] = {m.signs}", f"Cov({x}) = {v.signs}"))),
    ),
    Rule("clause", "the? <label> <rel>", lambda _, rel: state(rel)),
    Rule("clause", "orthonormal <label>? <syms>", lambda _, names: claim(*orthonormal(names))),
    Rule(
        "clause",
        "<syms> be an? orthonormal basis of a subspace <any>?",
        lambda names, _: claim(f"{names[0]}^T {names[0]} = I"),
    ),
    Rule(
        "clause",
        "the columns of <sym> form/be/are an? orthonormal basis of a? subspace? <any>?",
        lambda a, _: claim(f"{a.signs}^T {a.signs} = I", of=a),
    ),
    Rule(
        "clause",
        "the columns of <typed> ,? <rel>? ,? are orthonormal",
        lambda a, rel: claim(f"{a[0]}^T {a[0]} = I", a[1], *((rel,) if rel else ())),
    ),
    Rule(
        "clause",
        "iid/independent <entries> of <syms> with <moments>",
        lambda _, names, law: claim(*(f"{x} ~ N({law[0]}, {law[1]} I)" for x in names)),
    ),
    Rule("clause", "<syms> are/is/be? independent of each other", lambda _: Clause()),
    Rule("clause", "<syms> are/is/be independent with finite variance/variances", lambda _: Clause()),
    Rule(
        "clause",
        "<syms> are/is/be independent? and? uniformly distributed on the unit sphere of/in <expr>",
        lambda names, space: claim(*(one for x in names for one in _on_sphere(x, space))),
    ),
    Rule(
        "clause",
        "there is/exists a/an/some? finite? <label>? <sym> for/with/such which/that? <clause>",
        lambda _, x, said: _exists(x, said),
    ),
    Rule("clause", "<np> is/equals <rel>", _named_value),
    Rule("clause", "<np> , <expr> , <vps>", lambda thing, _, predicate: predicate(thing)),
    Rule("clause", "the/its? <label> <of>? is/are/reads/becomes <rel>", lambda _, __, rel: state(rel)),
    Rule("clause", "the/its? <label> <of>? is/are <symrel>", lambda _, __, found: claim(*found)),
    Rule("of", "of <np>", lambda _: None),
    Rule("of", "of/on/for key/position <sym>", lambda _: None),
    Rule("of", "wrt <np>", lambda _: None),
    Rule("of", "of <np> wrt <np>", lambda *_: None),
    Rule(
        "clause",
        "<np> and <np> are/is equal/identical/the same? vector/matrix/distribution/number/function?",
        lambda a, b: claim(f"{a.signs} = {b.signs}", given=(*a.given, *b.given)),
    ),
    Rule(
        "clause",
        "<np> and <np> coincide/agree",
        lambda a, b: claim(f"{a.signs} = {b.signs}", given=(*a.given, *b.given)),
    ),
    Rule(
        "clause",
        "<np> and <np> are orthogonal/perpendicular to? each? other?",
        lambda a, b: claim(f"{a.factor}^T {b.factor} = 0", given=(*a.given, *b.given)),
    ),
    Rule(
        "clause",
        "<np> is orthogonal/perpendicular to <np>",
        lambda a, b: claim(f"{a.factor}^T {b.factor} = 0", given=(*a.given, *b.given), of=a),
    ),
    Rule(
        "clause",
        "<np> and <np> are uncorrelated",
        lambda a, b: claim(f"Cov({a.signs}, {b.signs}) = 0", given=(*a.given, *b.given)),
    ),
    Rule(
        "clause",
        "<np> is uncorrelated with <np>",
        lambda a, b: claim(f"Cov({a.signs}, {b.signs}) = 0", given=(*a.given, *b.given)),
    ),
    Rule(
        "clause",
        "<np> and <np> have the same rank",
        lambda a, b: claim(f"rank({a.signs}) = rank({b.signs})", given=(*a.given, *b.given)),
    ),
    Rule(
        "clause",
        "<np> and <np> have the same trace",
        lambda a, b: claim(f"tr({a.signs}) = tr({b.signs})", given=(*a.given, *b.given)),
    ),
    Rule("clause", "<np> and <np> are related by/through/as <rel>", lambda a, b, rel: claim(rel)),
    Rule(
        "clause",
        "<np> and <np> commute",
        lambda a, b: claim(f"{a.factor} {b.factor} = {b.factor} {a.factor}", given=(*a.given, *b.given)),
    ),
    Rule(
        "clause",
        "<syms> have/has mean <expr> and variance/covariance matrix? <expr>",
        lambda n, m, v: claim(*(one for x in n for one in state_moments(Thing(x, (), "random"), m, v))),
    ),
    Rule(
        "clause",
        "the? <entries> of <syms> are/is/be all? independent/iid with <moments>",
        lambda _, names, law: claim(*(f"{x} ~ N({law[0]}, {law[1]} I)" for x in names)),
    ),
    Rule(
        "clause",
        "<syms> have/has independent/iid <entries> with <moments>",
        lambda names, _, law: claim(*(f"{x} ~ N({law[0]}, {law[1]} I)" for x in names)),
    ),
    Rule("entries", "entries/components/coordinates/elements", lambda: None),
    Rule("moments", "mean <expr> and variance <expr>", lambda m, v: (m.signs, v.signs)),
    Rule("moments", "zero mean and unit variance", lambda: ("0", "1")),
    Rule("moments", "zero mean and variance <expr>", lambda v: ("0", v.signs)),
    Rule("which", "which <vps>", lambda predicate: predicate),
    Rule("clause", "<clause1> , which ie?/also? <vps>", lambda one, predicate: both(one, predicate(_last(one)))),
    Rule("clause1", "<rel>", state),
    Rule("clause1", "<np> <vps>", _of_thing),
    Rule(
        "clause",
        "<np> <mark_relation> <np>",
        lambda a, sign, b: claim(f"{a.signs} {sign} {b.signs}", of=a, given=b.given),
    ),
    Rule("clause", "<syms> are/is/be <props>", declare),
    Rule("clause", "<syms> are/is/be orthonormal vectors?", lambda names: claim(*orthonormal(names))),
    Rule(
        "clause", "<syms> are/is/be independent <law>", lambda names, law: claim(*(f"{name} ~ {law}" for name in names))
    ),
    Rule("clause", "<syms> are/is/be independent", lambda names: Clause()),
    Rule("clause", "the? <label> <syms> are/is/be <props>", lambda _, names, predicate: declare(names, predicate)),
    Rule("clause", "the columns of <sym> are/be orthonormal", lambda a: claim(f"{a.signs}^T {a.signs} = I", of=a)),
    Rule(
        "clause",
        "the columns of <sym> are/be linearly independent",
        lambda a: claim(f"{a.signs}^T {a.signs} is invertible", of=a),
    ),
    Rule("law", "<expr>", read_law),
    Rule("law", "<expr> vectors?", read_law),
    *(
        Rule("mark_relation", sign, lambda sign=sign: sign)
        for sign in ["=", "<", ">", "≤", "≥", "≈", "→", "∝", "≠", "~"]
    ),
    Rule("main", "<clause> <tails>?", lambda main, tails: with_tails(main, tails or ())),
    Rule("tails", "<tail> <tails>", lambda first, rest: (first, *rest)),
    Rule("tails", "<tail>", lambda first: (first,)),
    Rule("tail", ",? where it <vps>", lambda vps: ("claim", vps)),
    Rule("tail", "only if/when <condition>", lambda condition: ("only", condition)),
    Rule("tail", "with the? <expr> in position <sym>", lambda one, k: ("at", (one, k))),
    Rule("tail", ",? in dimension <sym>", lambda _: ("ignored", None)),
    Rule("tail", "in every/any dimension <sym>", lambda _: ("ignored", None)),
    Rule("tail", ",? <if> <condition>", lambda _, condition: ("if", condition)),
    Rule("tail", ",? <with> <condition>", lambda _, condition: ("if", condition)),
    Rule("tail", ",? iff <condition>", lambda condition: ("iff", condition)),
    Rule("tail", ",? <limit>", lambda limit: ("limit", limit)),
    Rule("tail", ",? for all/every/each/any <entity>", lambda thing: ("for", thing)),
    Rule("tail", ",? for all/every/each/any <rel>", lambda rel: ("forall", rel)),
    Rule(
        "tail",
        ",? valid? for all/every/each/any real? <syms> in <expr>",
        lambda names, space: ("if", claim(*(f"{name} ∈ {_checked_space(space)}" for name in names))),
    ),
    Rule("tail", ",? valid for all/every/each/any? real? <syms>", lambda names: ("forall", ", ".join(names))),
    Rule("tail", ",? for all/every/each/any real? <syms>", lambda names: ("forall", ", ".join(names))),
    Rule("tail", ",? in/on <expr>", lambda space: ("space", space)),
    Rule("tail", ",? with equality iff <condition>", lambda condition: ("equality", condition)),
    Rule("tail", ",? with equality only? if/when <condition>", lambda condition: ("equality", condition)),
    Rule("tail", ",? unless <condition>", lambda condition: ("unless", condition)),
    Rule("tail", "at a/any/every? point? <rel>", lambda rel: ("if", claim(rel))),
    Rule("tail", "for two different indices <rel>", lambda rel: ("if", claim(rel))),
    Rule("tail", ",? for some real? scalar/constant/number/vector? <sym>", lambda x: ("some", x)),
    Rule("tail", ",? even if/when/though <condition>", lambda _: ("ignored", None)),
    Rule("tail", "in the same shape as <np>", lambda _: ("ignored", None)),
    Rule("tail", ",? for/over all/every/any? <entity>", lambda thing: ("for", thing)),
    Rule("tail", "( <syms> does/need/do not have? to? be <props> )", lambda *_: ("ignored", None)),
    Rule("tail", "at every point?", lambda: ("ignored", None)),
    Rule("tail", "at every/each/any/all <entity>", lambda thing: ("for", thing)),
    Rule("tail", "at every/each/any <rel>", lambda rel: ("if", claim(rel))),
    Rule("tail", ",? <ignored>", lambda _: ("ignored", None)),
    Rule("tail", ",? because/since <condition>", lambda _: ("ignored", None)),
    Rule("tail", "( <condition> )", lambda condition: ("if", condition)),
)
