"""Matrices whose columns are an orthonormal basis, what lies in the space that they span and what is orthogonal to it.

the columns of A are an orthonormal basis of a subspace that contains v      AᵀA = I, A Aᵀ v = v
v is orthogonal to this subspace                                             A Aᵀ v = 0
A and B hold orthonormal bases of two orthogonal subspaces                   AᵀA = I, BᵀB = I, AᵀB = 0
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from regard.claims.syntax.prose.algebra.subspaces import SAID_OF_VECTOR, space_in_signs
from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.english.entities import fresh
from regard.claims.syntax.prose.phrases import SPACE, Clause, Thing, both, claim, fill

Columns = tuple[str, tuple[str, ...]]
"""The letter of a matrix, and what is given of it."""
Held = Callable[[Thing], tuple[str, ...]]
"""What is said of the space that columns span: it contains v, it has dimension m."""


def _orthonormal(columns: Columns, space: Thing | None, held: Held | None = None) -> Clause:
    """The columns of A are an orthonormal basis of a space: AᵀA = I, and A Aᵀ is the projection onto it."""
    name, given = columns
    said = [f"{name}^T {name} = I"]
    if space is not None:
        is_letter = len(space.signs) == 1  # of which no more is known than that the columns span it
        said.append(f"{space.signs} = {name} {name}^T" if is_letter else f"{name} {name}^T = {space.signs}")
        sizes = (f"{name} ∈ R^{{d×m}}", f"{space.signs} ∈ R^{{d×d}}")  # so that no AᵀA is taken for AAᵀ
        given = (*given, *((() if given else sizes) if is_letter else space.given))
    own = Thing(f"{name} {name}^T", (), "space", Thing(name, (), "matrix"))
    return Clause((*said, *(held(own) if held is not None else ())), given, own)


def _each_orthonormal(names: tuple[str, ...]) -> Clause:
    return claim(*(f"{name}^T {name} = I" for name in names), of=Thing(", ".join(names), (), "matrix list"))


def _of_two_spaces(names: tuple[str, ...]) -> Clause:
    """Orthonormal bases of two orthogonal subspaces.

    Raises: Unreadable for any other number of matrices.
    """
    if len(names) != 2:
        raise Unreadable
    return both(_each_orthonormal(names), claim(f"{names[0]}^T {names[1]} = 0"))


def _holds_vectors(names: tuple[str, ...]) -> Held:
    return lambda space: tuple(f"{space.factor} {name} = {name}" for name in names)


def _sized(name: Thing, size: Thing, relation: str | None) -> Columns:
    """A (d × m, m < d).

    Raises: Unreadable where the brackets hold no size.
    """
    written = re.sub(r"\s*(?:×|\\times|(?<=\w) ?x ?(?=\w))\s*", "×", size.signs)
    if not re.fullmatch(r"\w+×\w+", written):
        raise Unreadable
    return name.signs, (f"{name.signs} ∈ R^{{{written}}}", *((relation,) if relation else ()))


_ORTHONORMAL = "are/form/be/is/constitute/give"
_BASIS = "an? orthonormal basis"
_HOLD = "hold/holds/contain/contains/have/has/carry/carries"

BASES: tuple[Rule, ...] = (
    Rule("columns", "the? columns of the? real? <size>? matrix? <sym>", lambda _, a: (a.signs, ())),
    Rule("columns", "the? columns of the? matrix? <typed>", lambda typed: (typed[0], (typed[1],))),
    Rule("columns", "the? columns of the? real? matrix? <sized>", lambda found: found),
    Rule(
        "columns",
        "the? columns of the? real? <size> matrix? <sym> ( <rel> )",
        lambda size, a, rel: _sized(a, size, rel),
    ),
    Rule("sized", "<sym> ( <size> ,? <rel>? )", _sized),
    Rule("sized", "<sym> of size <size>", lambda a, size: _sized(a, size, None)),
    Rule("sized", "<sym> of size <size> with <rel>", _sized),
    Rule(
        "basis_of",
        "a/some? linear? subspace <sym> <of_space>?",
        lambda u, _: (Thing(u.signs, (f"{u.signs} is a projection",)), None),
    ),
    Rule("basis_of", "a/some? linear? subspace/space <any>? <dimension>? <of_space>?", lambda *_: (None, None)),
    Rule("basis_of", "a/some? linear? subspace/space <of_space>? <holding>", lambda _, held: (None, held)),
    Rule("basis_of", "<space>", lambda space: (space, None)),
    Rule("basis_of", "the subspace? <sym>", lambda u: (Thing(u.signs, (f"{u.signs} is a projection",)), None)),
    Rule("dimension", "of dimension <expr>", lambda _: None),
    Rule("holding", "that/which contains/includes/holds <syms>", _holds_vectors),
    Rule("holding", "containing/including <syms>", _holds_vectors),
    Rule("holding", "<syms> lies/lie/is/are in", _holds_vectors),
    Rule("holding", "that/which <syms> lies/lie/is/are in", _holds_vectors),
    Rule("holding", "in which <syms> lies/lie/is/are", _holds_vectors),
    Rule("holding", "to which <syms> belongs/belong", _holds_vectors),
    Rule("clause", f"<columns> {_ORTHONORMAL} orthonormal", lambda columns: _orthonormal(columns, None)),
    Rule(
        "clause",
        "<columns> are/be/form linearly? independent",
        lambda columns: claim(f"{columns[0]}^T {columns[0]} is invertible", given=columns[1]),
    ),
    Rule(
        "clause",
        f"<columns> {_ORTHONORMAL} an? orthonormal basis/set/family/system",
        lambda columns: _orthonormal(columns, None),
    ),
    Rule("clause", f"<columns> {_ORTHONORMAL} {_BASIS} of/for <basis_of>", lambda c, of: _orthonormal(c, *of)),
    Rule(
        "clause",
        f"<sym> {_HOLD} {_BASIS} of/for <basis_of> <as_columns>",
        lambda a, of, _: _orthonormal((a.signs, ()), *of),
    ),
    Rule(
        "clause",
        f"<sym> {_HOLD} <as_columns> {_BASIS} of/for <basis_of>",
        lambda a, _, of: _orthonormal((a.signs, ()), *of),
    ),
    Rule("clause", "<sized> has/have orthonormal columns", lambda columns: _orthonormal(columns, None)),
    Rule("clause", "<sized> with orthonormal columns", lambda columns: _orthonormal(columns, None)),
    Rule("as_columns", "( as its/their/the? columns )", lambda: None),
    Rule("as_columns", "as its/their/the? columns", lambda: None),
    Rule("as_columns", "in its/their/the columns", lambda: None),
    Rule(
        "clause",
        f"<syms> {_HOLD} orthonormal bases <as_columns>? of/for <two_spaces> <as_columns>?",
        lambda names, *_: _of_two_spaces(names),
    ),
    Rule(
        "clause",
        f"the? columns of <syms> {_ORTHONORMAL} orthonormal bases of/for <two_spaces>",
        lambda names, _: _of_two_spaces(names),
    ),
    Rule(
        "clause",
        "<syms> have orthonormal columns that/which span/spanning? two? mutually? orthogonal/perpendicular "
        "subspaces/spaces",
        _of_two_spaces,
    ),
    Rule(
        "two_spaces",
        "two? mutually? orthogonal/perpendicular linear? subspaces/spaces <of_space>?",
        lambda _: None,
    ),
)


def _verbless_rules() -> list[Rule]:
    """v_a in span(A), v_b orthogonal to span(A): what lists of conditions say without a verb."""
    found = [
        Rule("clause", "<syms> in/from/inside/∈ <space>", lambda names, space: _each(names, "{1} {0} = {0}", space)),
        Rule(
            "clause",
            "<syms> orthogonal/perpendicular to <space>",
            lambda names, space: _each(names, "{1} {0} = 0", space),
        ),
    ]
    for words, template in SAID_OF_VECTOR[:4]:
        found.append(Rule("clause", f"<syms> {words}", lambda n, space, t=template: _each(n, t, space)))
    return found


def _each(names: tuple[str, ...], template: str, space: Thing) -> Clause:
    claims = (fill(template, Thing(name), space) for name in names)
    is_named_before = SPACE in space.signs  # of which the next clause may speak again
    return replace(claim(*claims, given=space.given), subject=None if is_named_before else Thing(", ".join(names)))


def _in_signs(relation: str) -> Clause:
    """v_a ∈ col(A), v_b ⊥ span(A)."""
    found = re.fullmatch(
        r"(?P<name>\w+)\s*(?P<sign>∈|∉|\\(?:not)?in(?![a-z])|⊥|⟂|\\perp(?![a-z]))\s*(?P<space>.+)", relation
    )
    if found is None:
        raise Unreadable
    templates = {"∈": "{1} {0} = {0}", "\\in": "{1} {0} = {0}", "∉": "{1} {0} ≠ {0}", "\\notin": "{1} {0} ≠ {0}"}
    template = templates.get(found["sign"], "{1} {0} = 0")
    return _each((found["name"],), template, space_in_signs(found["space"]))


_INSIDE = re.compile(r"\(*(?:proj\((?P<of>\w)\)|(?P<basis>\w) (?P=basis)\^T)\)* (?P<name>\w+) = (?P=name)")
_BESIDE = re.compile(r"\(*(?:proj\((?P<of>\w)\)|(?P<basis>\w) (?P=basis)\^T)\)* (?P<name>\w+) = 0")


def in_coordinates(condition: str) -> str:
    """v = A c for a v that is given in the column space of A, and Aᵀ v = 0 for one that is orthogonal to it.

    >>> in_coordinates("proj(A) v = 0")
    'A^T v = 0'
    """
    inside, beside = _INSIDE.fullmatch(condition), _BESIDE.fullmatch(condition)
    if inside is not None and inside["name"][0].islower():
        return f"{inside['name']} = {inside['of'] or inside['basis']} {fresh('coordinates')}"
    if beside is not None and beside["name"][0].islower():
        return f"{beside['of'] or beside['basis']}^T {beside['name']} = 0"
    return condition


_IN_COORDINATES = re.compile(r"(?P<letter>[a-z])_(?P<mark>[ab]) = \w ⟨coordinates:\d+⟩")


def number_vectors(written: str) -> str:
    """v_1 and v_2 for a v_a and v_b of two column spaces, which are two vectors and no members of one family.

    >>> number_vectors("Let v_a = A ⟨coordinates:0⟩. Then A A^T (v_a + v_b) = v_a")
    'Let v_1 = A ⟨coordinates:0⟩. Then A A^T (v_1 + v_2) = v_1'
    """
    for letter in {found["letter"] for found in _IN_COORDINATES.finditer(written)}:
        if not re.search(rf"(?<![A-Za-z]){letter}_(?!\{{?[ab]\b)", written):
            for mark, number in (("a", "1"), ("b", "2")):
                written = re.sub(rf"(?<![A-Za-z]){letter}_(?:{mark}\b|\{{{mark}\}})", f"{letter}_{number}", written)
    return written


def _given_that(given: str, claimed: str) -> Clause:
    """M = Aᵀ gives M v = c: A where M is Aᵀ."""
    if not re.match(r"\\?\w+\s*=(?!=)[^=<>≤≥]+$", given):
        raise Unreadable
    return Clause((claimed,), (given,))


RULES: tuple[Rule, ...] = (
    *BASES,
    Rule("space", "this/that/the linear? subspace/space", lambda: Thing(SPACE)),
    Rule("space", "the orthogonal complement of it/this/that/the subspace/space?", lambda: Thing(f"(I - {SPACE})")),
    *_verbless_rules(),
    *(
        Rule(
            "clause",
            f"<np> is/are/be orthogonal/perpendicular to <each> {word} of <np>",
            lambda x, _, a, t=template: claim(fill(t, a, x), of=x, given=(*x.given, *a.given)),
        )
        for word, template in (("column/columns", "{0}^T {1} = 0"), ("row/rows", "{0} {1} = 0"))
    ),
    Rule("each", "every/each/any/all", lambda: None),
    Rule("each", "all? of? the", lambda: None),
    Rule("clause", "<rel>", _in_signs),
    Rule("clause", "<rel> gives/yields/satisfies/implies us? that? <rel>", _given_that),
    Rule(
        "clause",
        "choosing/taking/setting/with/for the? matrix? <rel> gives/yields/we/one? get/gets/obtain/obtains? <rel>",
        _given_that,
    ),
)
