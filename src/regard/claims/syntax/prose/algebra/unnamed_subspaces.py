"""Subspaces without a letter, vectors in them, and what projecting onto them does.

projecting a vector onto a subspace never increases its norm         ‖P x‖ ≤ ‖x‖
if two subspaces are orthogonal, projecting onto the first and       Q P x = 0, given P Q = 0
then onto the second gives zero
every vector of the second                                           Q x, with any x
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from regard.claims.syntax.prose.algebra.subspaces import SAID_OF_SPACES
from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.english.entities import fresh
from regard.claims.syntax.prose.english.pairs import Pair
from regard.claims.syntax.prose.phrases import FIRST, IT, ITS, SECOND, SPACE, Clause, Thing, claim, fill, merged

Change = tuple[tuple[str, str], ...]
"""What stands for a vector afterwards, and without a letter what is given."""


def _any_subspace(dimension: str | None = None) -> Thing:
    name = fresh("matrix")
    rank = (f"rank({name}) = {dimension}",) if dimension is not None else ()
    return Thing(name, (f"{name} is a projection", *rank), "space")


def _two_subspaces(template: str = "", dimension: str | None = None) -> Thing:
    first, second = _any_subspace(dimension), _any_subspace(dimension)
    said = (fill(template, first, second),) if template else ()
    return Thing(f"{first.signs}, {second.signs}", (*merged(first, second), *said), "space list")


def _said_of(template: str) -> Callable[[Thing], Clause]:
    """What is said of two subspaces."""

    def meaning(spaces: Thing) -> Clause:
        first, second = (Thing(one) for one in spaces.signs.split(", "))
        return Clause((fill(template, first, second),), spaces.given, replace(spaces, given=()))

    return meaning


def _with_said(template: str) -> Callable[[Thing], Thing]:
    """Two subspaces that are orthogonal: given of them."""

    def meaning(spaces: Thing) -> Thing:
        first, second = (Thing(one) for one in spaces.signs.split(", "))
        return replace(spaces, given=(*spaces.given, fill(template, first, second)))

    return meaning


def _vector_in(space: Thing) -> Thing:
    """Any vector of a subspace is the projection of some vector onto it, and all of these are in it."""
    name = fresh("vector")
    return Thing(f"({space.factor} {name})", (*space.given, f"{name} is a vector"), "vector")


def _vector_beside(space: Thing) -> Thing:
    return _vector_in(Thing(f"(I - {space.factor})", space.given))


def _any_vector() -> Thing:
    name = fresh("vector")
    return Thing(name, (f"{name} is a vector",), "vector")


_OF_SPACE = re.compile(r"\((?P<space>⟨matrix:\d+⟩|[UVWSL]) ⟨vector:\d+⟩\)")
"""A vector of a subspace."""


def _project(vector: Thing | None, *spaces: Thing) -> Change:
    """Onto one space, or one after another."""
    vector = vector or _any_vector()
    after, own = vector.factor, _OF_SPACE.fullmatch(vector.signs)
    for space in spaces:
        factor = space.factor
        if own is not None:  # that subspace, its complement: of the one that the vector is in
            factor = factor.replace(SPACE, own["space"]).replace(ITS, own["space"])
        if SPACE in factor or ITS in factor:
            raise Unreadable
        after = f"{factor} {after}"
    return ((vector.signs, after), *(("", one) for one in merged(vector, *spaces)))


def _given(change: Change) -> tuple[str, ...]:
    return tuple(one for name, one in change if not name)


def _yields(change: Change, result: Thing) -> Clause:
    (before, after), *_ = (one for one in change if one[0])
    return claim(
        f"{after} = {result.signs.replace(ITS, before).replace(IT, before)}", given=(*_given(change), *result.given)
    )


def _same(first: Change, second: Change) -> Clause:
    """Raises: Unreadable where another vector is projected."""
    (before, after), (other, result) = first[0], second[0]
    return claim(f"{after} = {result.replace(other, before)}", given=(*_given(first), *_given(second)))


def _in_either_order(vector: Thing | None, first: Thing, second: Thing) -> Clause:
    vector = vector or _any_vector()
    one, other = first.factor, second.factor
    said = f"{other} {one} {vector.factor} = {one} {other} {vector.factor}"
    return claim(said, of=vector, given=merged(first, second))


def _on_both(space: Thing) -> Pair:
    """Its projections onto a subspace and onto the complement."""
    own = Thing(f"({space.factor} {ITS})", space.given)
    return Pair(own, Thing(f"((I - {space.factor}) {ITS})"), Thing(ITS))


def _on_each(spaces: tuple[Thing, Thing]) -> Pair:
    first, second = (Thing(f"({one.factor} {ITS})", one.given) for one in spaces)
    return Pair(first, second, Thing(ITS))


def _of_vector(vector: Thing, first: Thing, second: Thing) -> Pair:
    """The projections of a vector onto two subspaces."""
    first, second = (
        Thing(f"({one.factor} {vector.factor})".replace(ITS, first.factor), one.given) for one in (first, second)
    )
    return Pair(replace(first, given=merged(vector, first)), second, vector)


def _left_over(vector: Thing, space: Thing) -> Thing:
    """A vector minus its projection onto a subspace; afterwards the subspace and the projection can be named."""
    return Thing(f"({vector.factor} - {space.factor} {vector.factor})", merged(vector, space), "rest", space)


def _rest_is_orthogonal(rest: Thing) -> Clause:
    y = fresh("vector")
    if rest.about is None:
        raise Unreadable
    return claim(f"({rest.about.factor} {y})^T {rest.signs} = 0", of=rest, given=(*rest.given, f"{y} is a vector"))


_SENDS: tuple[tuple[str, str], ...] = (
    ("maps/sends/takes <np> to/into/onto <np>", "{0} {1} = [2]"),
    ("maps/sends/takes <np> to/into/onto itself/themselves", "{0} {1} = [1]"),
    ("annihilates/kills/destroys <np>", "{0} {1} = 0"),
    ("fixes <np>", "{0} {1} = [1]"),
    ("leaves <np> unchanged/fixed/invariant", "{0} {1} = [1]"),
    ("leaves <np> where it is", "{0} {1} = [1]"),
    ("does not change/alter/move <np>", "{0} {1} = [1]"),
)
"""What a projection does to a vector."""
_LONGER: tuple[tuple[str, str], ...] = (
    ("never/no/not longer than <np>", "‖[0]‖ ≤ ‖[1]‖"),
    ("at most as long as <np>", "‖[0]‖ ≤ ‖[1]‖"),
    ("never/no/not shorter than <np>", "‖[0]‖ ≥ ‖[1]‖"),
    ("at least as long as <np>", "‖[0]‖ ≥ ‖[1]‖"),
    ("just? as long as <np>", "‖[0]‖ = ‖[1]‖"),
)


def _sends(template: str) -> Callable[..., Clause]:
    def meaning(matrix: Thing, vector: Thing, result: Thing | None = None) -> Clause:
        if matrix.kind != "operator" or vector.kind not in ("vector", "letter"):
            raise Unreadable
        said = fill(template, matrix, vector, result).replace(SPACE, matrix.factor)
        return claim(said, of=vector, given=merged(matrix, vector, result))

    return meaning


def _operator(space: Thing) -> Thing:
    return Thing(space.signs, space.given, "operator", space)


_PROJECTION = "orthogonal? projection/projector"
_PROJECTING = "projecting/projection orthogonally?"
_ONTO = "onto/on/to"


def _named(names: tuple[str, ...]) -> Thing:
    """Raises: Unreadable for any other number of subspaces."""
    if len(names) != 2:
        raise Unreadable
    return Thing(", ".join(names), tuple(f"{name} is a projection" for name in names), "space list")


ENTITIES: tuple[Rule, ...] = (
    Rule("space", "a/an/any/every/each/another/one linear? subspace <of_space>?", lambda _: _any_subspace()),
    Rule("space", "another", _any_subspace),
    Rule(
        "space",
        "a/an/any/every/each linear? subspace <of_space>? of dimension <expr>",
        lambda _, k: _any_subspace(k.signs),
    ),
    Rule("space", "a/an/any/every/each <dim_word> linear? subspace <of_space>?", lambda k, _: _any_subspace(k)),
    Rule("space", "the first subspace/one/space?", lambda: Thing(FIRST, (), "space")),
    Rule("space", "the second/other subspace/one/space?", lambda: Thing(SECOND, (), "space")),
    Rule("space", "that/this/the/it same/very? subspace/space?", lambda: Thing(SPACE, (), "space")),
    Rule("spaces_alone", "any/the? two linear? subspaces <of_space>?", lambda _: _two_subspaces()),
    Rule("spaces_alone", "subspaces <of_space>?", lambda _: _two_subspaces()),
    Rule(
        "spaces_alone",
        "any/the? two? mutually? orthogonal/perpendicular linear? subspaces <of_space>?",
        lambda _: _two_subspaces("{0} {1} = 0"),
    ),
    Rule("two_subspaces", "<spaces_alone>", lambda found: found),
    *(
        Rule("two_subspaces", f"<spaces_alone> that/which {words}", lambda found, t=template: _with_said(t)(found))
        for words, template in SAID_OF_SPACES
    ),
    *(
        rule
        for words, template in SAID_OF_SPACES
        for rule in (
            Rule("clause", f"<two_subspaces> {words}", lambda found, t=template: _said_of(t)(found)),
            Rule("clause", f"they {words}", lambda t=template: claim(fill(t, Thing(FIRST), Thing(SECOND)))),
            Rule(
                "clause",
                f"the? <subspaces_noun> <syms> {words}",
                lambda _, names, t=template: _said_of(t)(_named(names)),
            ),
        )
    ),
    Rule("subspaces_noun", "two? linear? subspaces", lambda: None),
    Rule("entity", "<two_subspaces>", lambda found: found),
    Rule(
        "entity",
        "any/the/two? two? mutually? orthogonal/perpendicular linear? subspaces <syms> <of_space>?",
        lambda names, _: _with_said("{0} {1} = 0")(_named(names)),
    ),
    Rule("entity", "any/every/each/a/all/the? vectors/vector of/in/from/inside <space>", _vector_in),
    Rule("entity", "any/every/each/a/all vectors/vector orthogonal/perpendicular to <space>", _vector_beside),
    Rule(
        "entity",
        "any/every/each/all/the? vectors/vector of/in/from/inside <sym>",
        lambda u: _vector_in(_letter_space(u)),
    ),
    Rule("entity", "anything/everything in/from/inside <space>", _vector_in),
)


def _again(change: tuple[str, str]) -> tuple[str, str]:
    """The change done a second time."""
    before, after = change
    return before, after.removesuffix(before) + after


def _letter_space(letter: Thing) -> Thing:
    """Raises: Unreadable for a letter that nobody has for a subspace."""
    if letter.signs not in ("U", "V", "W", "S", "L"):
        raise Unreadable
    return Thing(letter.signs, (f"{letter.signs} is a projection",), "space")


def _both_of(spaces: Thing) -> tuple[Thing, Thing]:
    first, second = spaces.signs.split(", ")
    return Thing(first, spaces.given, "space"), Thing(second, (), "space")


def _sum_of_operators(spaces: Thing) -> Thing:
    """The matrix P + Q, which is a projection where the subspaces are orthogonal."""
    first, second = _both_of(spaces)
    return Thing(f"({first.signs} + {second.signs})", spaces.given, "matrix")


PROJECTIONS: tuple[Rule, ...] = (
    Rule("projected_vector", "a/an/any/every/each/the? vector", _any_vector),
    Rule("projected_vector", "<sym>", lambda x: Thing(x.signs, (f"{x.signs} is a vector",))),
    Rule("projected_vector", "any/every/each/a vector of/in/from/inside <space>", _vector_in),
    Rule("projecting", f"{_PROJECTING} of? <projected_vector>? {_ONTO} <space>", _project),
    Rule(
        "projecting_twice",
        f"{_PROJECTING} of? <projected_vector>? first? {_ONTO} <space> ,? <and_then> {_ONTO} <space>",
        lambda x, a, _, b: _project(x, a, b),
    ),
    Rule("and_then", "and/then then/afterwards? projecting/project? orthogonally? <the_result>?", lambda _: None),
    Rule("the_result", "it/again", lambda: None),
    Rule("the_result", "the/this/that result/projection/outcome/image", lambda: None),
    Rule("change", "<projecting_twice>", lambda change: change),
    Rule("change", "<projecting>", lambda change: change),
    Rule("change", "<projecting> twice", lambda change: (_again(change[0]), *change[1:])),
    Rule("change", "the? orthogonal? projection <onto_space>", lambda space: _project(None, space)),
    Rule("onto_space", f"{_ONTO} <space>", lambda space: space),
    Rule(
        "clause",
        "<projecting> twice/again/repeatedly gives/yields/has the same result/vector/effect as projecting/doing it? "
        "only? once",
        lambda change: _yields((_again(change[0]), *change[1:]), Thing(change[0][1])),
    ),
    Rule(
        "clause",
        "<projecting> twice/again/repeatedly is the same as projecting/doing it? only? once",
        lambda change: _yields((_again(change[0]), *change[1:]), Thing(change[0][1])),
    ),
    Rule("passive", f"<projected_vector> is projected orthogonally? {_ONTO} <space>", _project),
    Rule("passive", f"we/you/one project/projects <projected_vector> orthogonally? {_ONTO} <space>", _project),
    Rule(
        "passive",
        f"we/you/one project/projects <projected_vector> {_ONTO} <space> ,? <and_then> {_ONTO} <space>",
        lambda x, a, _, b: _project(x, a, b),
    ),
    *(
        Rule("clause", f"{pattern} {gives} <np>", _yields)
        for pattern in ("<projecting_twice>", "<projecting>")
        for gives in ("always? gives/yields/produces/returns", "results/ends in", "is the same as", "equals")
    ),
    *(
        Rule("clause", f"{pattern} {gives} <projecting>", _same)
        for pattern in ("<projecting_twice>", "<projecting>")
        for gives in ("gives/yields/has the same result/vector/effect as", "is the same as", "is equivalent to")
    ),
    Rule(
        "clause",
        f"{_PROJECTING} <projected_vector>? {_ONTO} <space> <and_then> {_ONTO} <space> gives/yields the same "
        "result/vector in either/any order",
        lambda x, a, _, b: _in_either_order(x, a, b),
    ),
    Rule("operator", f"the? {_PROJECTION} matrix? {_ONTO} <space>", _operator),
    Rule("operator", f"the? {_PROJECTION} matrix? {_ONTO} <sym>", lambda u: _operator(_letter_space(u))),
    *(Rule("clause", f"<operator> {words}", _sends(template)) for words, template in _SENDS),
    Rule(
        "base",
        f"its/their {_PROJECTION} {_ONTO} <space>",
        lambda a: Thing(f"{a.factor} {ITS}", a.given, "", Thing(ITS)),
    ),
    Rule("base", "the? original vector itself?", lambda: Thing(ITS)),
    Rule("base", "the vector itself", lambda: Thing(ITS)),
    *(
        Rule("pred", words, lambda y, t=template: lambda x: claim(fill(t, x, y), of=x, given=y.given))
        for words, template in _LONGER
    ),
    Rule("base", f"the? {_PROJECTION} matrix? {_ONTO} <sym>", _letter_space),
    Rule("pair", "its/the? orthogonal? projections/components <onto_both>", lambda pair: pair),
    Rule("onto_both", "onto/in/on <space> and onto/in/on? its/the orthogonal? complement", _on_both),
    Rule("onto_both", "onto/in/on <space> and onto/in/on? <space>", lambda a, b: _on_each((a, b))),
    Rule("onto_both", "onto/in/on <two_subspaces>", lambda found: _on_each(_both_of(found))),
    Rule("base", "the? sum of the? two? projections onto/on <two_subspaces>", _sum_of_operators),
    Rule("base", "the? sum of the? two projections", lambda: Thing(f"({FIRST} {ITS} + {SECOND} {ITS})")),
    Rule(
        "pair",
        f"the? orthogonal? projections of <projected_vector> {_ONTO} <two_subspaces>",
        lambda x, found: _of_vector(x, *_both_of(found)),
    ),
    Rule(
        "pair",
        f"the? orthogonal? projections of <projected_vector> {_ONTO} <space> and {_ONTO}? <space>",
        _of_vector,
    ),
    Rule("pair", f"the? orthogonal? projections {_ONTO} <two_subspaces>", lambda found: Pair(*_both_of(found))),
    Rule("rest", f"<projected_vector> minus its {_PROJECTION} {_ONTO} <space>", _left_over),
    Rule(
        "rest",
        f"the? difference between/of <projected_vector> and its {_PROJECTION} {_ONTO} <space>",
        _left_over,
    ),
    Rule(
        "clause",
        "<rest> is/are always? orthogonal/perpendicular to <what_was_projected>",
        lambda x, _: _rest_is_orthogonal(x),
    ),
    Rule("what_was_projected", "the/that/this subspace/projection/space itself?", lambda: None),
    Rule("what_was_projected", "every/each/any/all vector/vectors in/of the/that/this subspace", lambda: None),
)


RULES: tuple[Rule, ...] = (*ENTITIES, *PROJECTIONS)
