"""Changes of a thing that has no letter: doubling a random variable, rotating a vector, transposing a matrix.

Doubling a random variable quadruples its variance                  Var(2 X) = 4 Var(X)
Multiplying a vector by an orthogonal matrix keeps its length       ‖Q x‖ = ‖x‖ given Q is orthogonal
Doubling q has the same effect on the weights as doubling all keys  both changes give the same weights
"""

from __future__ import annotations

from collections.abc import Callable

from regard.claims.syntax.prose.attention.key_value_pairs import PairChange
from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.english.changes import Change, change_thing
from regard.claims.syntax.prose.english.entities import fresh
from regard.claims.syntax.prose.phrases import IT, Clause, Thing, claim
from regard.claims.syntax.prose.probability.laws import LAW_OF


def _changed(thing: Thing, new: str, *given: str) -> Change:
    """A thing and what stands for it afterwards; what is given of it stands beside.

    Raises: Unreadable for more than one thing, and for a formula.
    """
    if not thing.signs.startswith("⟨") or "," in thing.signs:
        raise Unreadable
    said = tuple(("", one) for one in (*thing.given, *given))
    return ((thing.signs, new.replace("{0}", thing.signs)), *said)


def _to(template: str) -> Callable[[Thing], Change]:
    return lambda thing: _changed(thing, template)


def _by_matrix(thing: Thing, matrix: Thing) -> Change:
    """Q x for x: a vector is multiplied by a matrix from the left.

    Raises: Unreadable for a number, and where the thing is no vector.
    """
    if "vector" not in thing.kind or matrix.kind != "matrix":
        raise Unreadable
    return _changed(thing, f"{matrix.factor} {{0}}", *matrix.given)


def _by_number(thing: Thing, factor: Thing) -> Change:
    if factor.signs.startswith("⟨") and not factor.signs.startswith("⟨number"):
        raise Unreadable
    return _changed(thing, f"({factor.signs}) {{0}}", *factor.given)


def _shifted(thing: Thing) -> Change:
    """x + b for x, of a vector b that is not random."""
    added = fresh("coordinates")
    return _changed(thing, f"{{0}} + {added}", f"{added} is a vector")


def _rotated(thing: Thing) -> Change:
    matrix = fresh("matrix")
    return _by_matrix(thing, Thing(matrix, (f"{matrix} is orthogonal",), "matrix"))


def _projected(thing: Thing) -> Change:
    matrix = fresh("matrix")
    return _by_matrix(thing, Thing(matrix, (f"{matrix} is a projection",), "matrix"))


def _as_much(first: Change | PairChange, thing: Thing, second: Change | PairChange) -> Clause:
    """Two changes that do the same to a thing."""
    sides = [change_thing(thing, tuple(one for one in each if one[0]))[0] for each in (first, second)]  # type: ignore[union-attr]
    given = tuple(one for each in (first, second) for letter, one in each if not letter and one)  # type: ignore[union-attr]
    return claim(f"{sides[0]} = {sides[1]}", given=(*thing.given, *given))


_A = "<entity>"
CHANGES: tuple[Rule, ...] = (
    Rule("change", f"doubling {_A}", _to("(2) {0}")),
    Rule("change", f"tripling {_A}", _to("(3) {0}")),
    Rule("change", f"halving {_A}", _to("(1/2) {0}")),
    Rule("change", f"negating {_A}", _to("(-1) {0}")),
    Rule("change", f"transposing {_A}", _to("{0}^T")),
    Rule("change", f"inverting {_A}", _to("{0}^{-1}")),
    Rule("change", f"normalising/normalizing {_A}", _to("{0}/‖{0}‖")),
    Rule("change", f"rotating/reflecting {_A}", _rotated),
    Rule("change", f"projecting {_A} <onto>?", lambda thing, _: _projected(thing)),
    Rule("change", f"orthogonally projecting {_A} <onto>?", lambda thing, _: _projected(thing)),
    Rule("onto", "orthogonally? onto/on/to a/any/some linear? subspace/line/plane", lambda: None),
    Rule("change", f"multiplying/scaling {_A} by/with <np>", _by_number),
    Rule("change", f"multiplying/rotating/transforming {_A} by/with {_A}", _by_matrix),
    Rule("change", f"dividing {_A} by <np>", lambda x, n: _changed(x, f"{{0}}/({n.signs})", *n.given)),
    Rule(
        "change",
        f"adding a/any/the/some? constant/number/scalar to {_A}",
        lambda x: _changed(x, f"{{0}} + {fresh('number')}"),
    ),
    Rule("change", f"adding a/any/the/some? fixed/constant? vector to {_A}", _shifted),
    Rule("change", f"adding <expr> to {_A}", lambda c, x: _changed(x, f"{{0}} + {c.signs}")),
    Rule(
        "change",
        f"shifting {_A} by a/any/the/some? constant/number/scalar",
        lambda x: _changed(x, f"{{0}} + {fresh('number')}"),
    ),
)
"""What becomes of a thing without a letter."""

_OWN = "the/this/that vector/matrix/variable/number/thing/itself random? variable?"
EFFECTS: tuple[Rule, ...] = (
    Rule("effect", f"does/do/will/can not change {_OWN}", lambda: (Thing(IT), "{a} = {b}")),
    Rule("effect", f"leaves/keeps {_OWN} unchanged/invariant", lambda: (Thing(IT), "{a} = {b}")),
    Rule("effect", "does/do/will/can not change its/the distribution/law", lambda: (Thing(IT), f"{{a}}{LAW_OF}{{b}}")),
    Rule(
        "effect",
        "leaves/keeps/preserves its/the distribution/law unchanged/invariant?",
        lambda: (Thing(IT), f"{{a}}{LAW_OF}{{b}}"),
    ),
    Rule("effect", "never makes it/the longer vector? longer?", lambda: (Thing(IT), "‖{a}‖ ≤ ‖{b}‖")),
    Rule("effect", "makes it longer", lambda: (Thing(IT), "‖{a}‖ ≥ ‖{b}‖")),
    Rule("effect", "never makes it shorter", lambda: (Thing(IT), "‖{a}‖ ≥ ‖{b}‖")),
    Rule("effect", "makes <np> <expr>", lambda thing, value: (thing, f"{{a}} = {value.signs}")),
    Rule("effect", "makes <np> equal to? <np>", lambda thing, value: (thing, f"{{a}} = {value.signs}")),
    Rule("effect", "gives/yields/produces <entity1_unit>", lambda _: (Thing(IT), "‖{a}‖ = 1")),
    Rule("entity1_unit", "a unit vector", lambda: None),
    Rule("clause", "<change> has/have the same effect on <np> as <change>", _as_much),
    Rule("clause", "<change> changes/affects <np> exactly? as/like <change>", _as_much),
    Rule("clause", "<change> and <change> have the same effect on <np>", lambda a, b, x: _as_much(a, x, b)),
)
"""What a change does to the thing itself, or as another change does."""

RULES: tuple[Rule, ...] = EFFECTS
