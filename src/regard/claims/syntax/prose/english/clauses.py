"""Clauses: what is said of a thing, of two things, of letters that are declared."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.english.entities import dimension, fresh, state_moments
from regard.claims.syntax.prose.english.predicates import Predicate, name_sign, negated, read_law
from regard.claims.syntax.prose.leaves import SYMBOL
from regard.claims.syntax.prose.phrases import (
    EQUALITY,
    FELLOW,
    IT,
    LEFT_EQUALITY,
    RIGHT_EQUALITY,
    Clause,
    Thing,
    bind,
    bind_own,
    both,
    claim,
    fill,
    name_things,
)
from regard.claims.syntax.prose.signs import is_limit, symbols_in


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


def _of_each(first: Thing, second: Thing, predicate: Predicate) -> Clause:
    """Each of A and B is at most 1."""
    return both(_of_thing(first, predicate), _of_thing(second, predicate))


def _check_standard(law: str) -> None:
    """Raises: Unreadable for another law than N(0, 1)."""
    if not re.search(r"\(\s*0\s*,\s*1\s*\)", law):
        raise Unreadable


def iff(left: Clause, right: Clause) -> Clause:
    """A if and only if B.

    Raises: Unreadable where A is more than one statement, or a part was not read.
    """
    right = bind(right, left.subject)
    for_indices = _iff_indices(left, right)
    if for_indices is not None:
        return for_indices
    if len(left.claims) != 1 or left.unread or right.unread or not right.claims:
        raise Unreadable
    left = _with_letters_of(left, right)
    return Clause((f"{left.claims[0]} iff {' and '.join(right.claims)}",), (*left.given, *right.given), left.subject)


def _with_letters_of(left: Clause, right: Clause) -> Clause:
    """Two vectors are orthogonal iff ‖x + y‖ = ‖x − y‖: x and y are these vectors.

    Raises: Unreadable where the letters are not as many.
    """
    nameless = [one for one in (*left.given, *left.claims) if re.search(r"⟨(?:matrix|vector):", one)]
    signs = " ".join((*right.claims, *right.given))
    letters = [one for one in symbols_in(signs) if one not in ("I", "n", "d", "m")]
    if not nameless or "⟨" in signs or not letters or set(letters) & set(symbols_in(" ".join(left.claims))):
        return left
    return name_things(left, ", ".join(right.claims))


_OF_INDICES = re.compile(r"(?P<left>[i-mr-u])\s*(?P<sign>=|≠|\\neq?(?![a-z])|!=)\s*(?P<right>[a-mr-u])")
_ORDER = re.compile(r"(?P<left>[^<>≤≥=]+?)\s*(?P<sign><|>|≤|≥|=)\s*(?P<right>[^<>≤≥=]+)")
_NOT = {"<": "≥", ">": "≤", "≤": ">", "≥": "<", "=": "≠"}


def _iff_indices(left: Clause, right: Clause) -> Clause | None:
    """A iff i ≠ j: A for i ≠ j, and its opposite for i = j; None where the condition is another."""
    found = _OF_INDICES.fullmatch(right.claims[0]) if len(right.claims) == 1 else None
    said = _ORDER.fullmatch(left.claims[0]) if len(left.claims) == 1 else None
    if found is None or said is None or left.unread or right.unread or right.given or "∂" not in left.claims[0]:
        return None
    there, other = ("=", "≠") if found["sign"] == "=" else ("≠", "=")
    claims = tuple(
        f"{said['left']} {sign} {said['right']} for {found['left']} {condition} {found['right']}"
        for sign, condition in ((said["sign"], there), (_NOT[said["sign"]], other))
    )
    return Clause(claims, left.given, left.subject)


def _listed(first: str, rest: tuple[str, ...]) -> Clause:
    """A, B and C: three statements.

    Raises: Unreadable where one of them says what a letter of a later one is: p = softmax(z), ∂p_i/∂z_i = …
    """
    everything = (first, *rest)
    for place, one in enumerate(everything):
        name = one.partition("=")[0].strip()
        if SYMBOL.fullmatch(name) and any(name in later for later in everything[place + 1 :]):
            raise Unreadable
    return claim(*everything, of=state(first).subject)


def describe(names: tuple[str, ...], thing: Thing) -> Clause:
    """Let A be a symmetric matrix: what is said of the thing is said of A."""
    if not thing.signs.startswith("⟨"):
        raise Unreadable
    of_each = [one for one in thing.given if FELLOW not in one]
    of_both = [one for one in thing.given if FELLOW in one]
    if of_both and len(names) != 2:
        raise Unreadable
    said = [one.replace(thing.signs, name) for name in names for one in of_each]
    said += [one.replace(thing.signs, names[0]).replace(FELLOW, names[-1]) for one in of_both]
    types = tuple(one for one in said if one.endswith(("is a matrix", "is a scalar", "is a vector")))
    claims = tuple(one for one in said if one not in types)
    return Clause(claims, types, as_subject(names, thing.kind))


def as_subject(names: tuple[str, ...], kind: str = "") -> Thing:
    """What `it` means after some letters, or `their` after two."""
    return Thing(names[0], (), kind) if len(names) == 1 else Thing(", ".join(names), (), f"{kind} list".strip())


def _named_value(thing: Thing, relation: str) -> Clause:
    """The weight on position j is α_j = 1/n: an equation, and that its left side is what the words say."""
    left = re.split(r"\s*=", relation)[0].strip()
    if "=" not in relation or IT in thing.signs:
        raise Unreadable
    if thing.kind == "score" and re.fullmatch(r"[A-Za-z](?:_\w)?", left):  # the perplexity is P = …: a letter for it
        return claim(relation, of=Thing(left), given=(*thing.given, f"{thing.signs} = {left}"))
    is_said = left == thing.signs or thing.kind == "weights"  # the weight is α_a = …: not every weight
    claims = (relation,) if is_said else (relation, f"{thing.signs} = {left}")
    return claim(*claims, of=Thing(left), given=thing.given)


def last_side(clause: Clause) -> Thing:
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
    return found if len(names) == 1 else replace(found, subject=as_subject(names))


def checked_space(space: Thing) -> str:
    """The signs of a space ℝ^n.

    Raises: Unreadable for anything else.
    """
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


PAIRS: tuple[tuple[str, str], ...] = (
    ("is orthogonal/perpendicular to <np>", "{0}^T {1} = 0"),
    ("is uncorrelated with <np>", "Cov([0], [1]) = 0"),
    ("commutes with <np>", "{0} {1} = {1} {0}"),
)
"""What is said of a thing beside another."""


def _paired(template: str, first: Thing, second: Thing) -> Clause:
    """Raises: Unreadable for each row of a matrix, of which only the sum is written."""
    if "row" in (first.kind, second.kind):
        raise Unreadable
    return Clause((fill(template, first, second),), (*first.given, *second.given), first)


def _pair_rules() -> list[Rule]:
    def meaning(template: str) -> Callable[[Thing, Thing], Clause]:
        return lambda a, b: _paired(template, a, b)

    def with_both(template: str) -> Callable[[Thing, Thing, Thing], Clause]:
        one = meaning(template)
        return lambda a, b, c: replace(both(one(a, b), one(a, c)), subject=a)

    found = [Rule("clause", f"<np> {words} and <np>", with_both(template)) for words, template in PAIRS]
    found += [Rule("clause", f"<np> {words.replace('<np>', 'both')} <np> and <np>", with_both(t)) for words, t in PAIRS]
    return found + [Rule("clause", f"<np> {words}", meaning(template)) for words, template in PAIRS]


def _independent(names: tuple[str, ...]) -> Clause:
    """X and Y are independent: said of random variables; of other letters their laws say it."""
    is_plain = len(names) > 1 and all(name in ("U", "V", "X", "Y", "Z") for name in names)
    given = (f"{', '.join(names[:-1])} and {names[-1]} are independent",) if is_plain else ()
    return Clause((), given, as_subject(names) if is_plain else None)


RULES: tuple[Rule, ...] = (
    Rule("clause", "<rel>", state),
    Rule("clause", "<namings>", lambda _: Clause()),
    Rule("clause", "<rel> , <rels>", _listed),
    Rule("rels", "<rel> , <rels>", lambda first, rest: (first, *rest)),
    Rule("rels", "<rel> ,? and <rel>", lambda first, second: (first, second)),
    Rule("namings", "<naming> ,? and <namings>", lambda *_: None),
    Rule("namings", "<naming>", lambda _: None),
    Rule(
        "naming",
        "<expr> is/denotes/being? the? usual? logistic/sigmoid/frobenius/spectral/euclidean/entrywise/normal/product "
        "sigmoid/function/norm/product/cdf?",
        name_sign,
    ),
    Rule("naming", "<expr> is/denotes/being? the/its? standard? normal/gaussian cdf", name_sign),
    Rule(
        "naming",
        "<expr> is/denotes/being? the/its? standard? normal/gaussian? cumulative? distribution function <of_standard>?",
        lambda sign, _: name_sign(sign),
    ),
    Rule("of_standard", "of <law>", _check_standard),
    Rule("of_standard", "of a? standard normal/gaussian variable/distribution?", lambda: None),
    Rule(
        "clause",
        "<syms> all? are/be all? equal/identical to <np>",
        lambda names, value: claim(*(f"{one} = {value.signs}" for one in names), given=value.given),
    ),
    Rule("clause", "each/both of <np> and <np> <vps>", _of_each),
    Rule("clause", "neither <np> nor <np> <vps>", lambda a, b, vps: _of_each(a, b, lambda x: negated(vps(x)))),
    Rule("clause", "<symrel>", lambda found: claim(*found)),
    Rule("clause", "<syms> are/is/be both/all? <entity>", describe),
    Rule("clause", "<syms> are/be any/some/arbitrary two/three? <entity>", describe),
    Rule("clause", "<np> <vps>", _of_thing),
    Rule("clause", "<np> , <which> , <vps>", lambda thing, which, predicate: both(which(thing), predicate(thing))),
    Rule("clause", "<rel> holds", state),
    Rule(
        "clause",
        "the? largest/maximum/max entry/component/element/logit/score? of <sym> is unique",
        lambda x: claim(f"{x.signs} uniquemax", of=x),
    ),
    Rule(
        "clause",
        "the? <which_side> inequality/bound is/holds an/with/as? equality/tight/attained/sharp iff <condition>",
        lambda side, condition: iff(claim(side), condition),
    ),
    Rule("which_side", "left/first/lower", lambda: LEFT_EQUALITY),
    Rule("which_side", "right/second/upper", lambda: RIGHT_EQUALITY),
    Rule("clause", "equality holds/occurs iff <condition>", lambda condition: iff(claim(EQUALITY), condition)),
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
        lambda names, space: claim(*(f"{name} ∈ {checked_space(space)}" for name in names)),
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
        "the columns of <typed> are/be linearly independent",
        lambda a: claim(f"{a[0]}^T {a[0]} is invertible", a[1], of=Thing(a[0])),
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
    Rule("of", "of second moments", lambda: None),
    Rule("of", "of/on/for key/position <sym>", lambda _: None),
    Rule("of", "wrt <np>", lambda _: None),
    Rule("of", "of <np> wrt <np>", lambda *_: None),
    *_pair_rules(),
    Rule("clause", "<np> and <np> are related by/through/as <rel>", lambda a, b, rel: claim(rel)),
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
    Rule("clause", "<syms> are/is/be independent", _independent),
    Rule("clause", "the? <label> <syms> are/is/be <props>", lambda _, names, predicate: declare(names, predicate)),
    Rule(
        "clause",
        "the? columns of <sym> are/be mutually/pairwise? orthogonal/perpendicular to? each/one? other/another?",
        lambda a: claim(f"{a.signs}^T {a.signs} = diag(diag({a.signs}^T {a.signs}))", of=a),
    ),
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
)
