"""Linear forms of a random vector that have no letters, and their coefficients.

a linear form of a Gaussian vector                         aᵀx
its coefficient vector lies in the null space of …         a
two linear forms of a standard Gaussian vector             aᵀx and bᵀx
"""

from __future__ import annotations

import re

from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.english.entities import fresh
from regard.claims.syntax.prose.english.pairs import Pair
from regard.claims.syntax.prose.english.predicates import negated
from regard.claims.syntax.prose.phrases import COEFFICIENTS, IT, OTHER_COEFFICIENTS, VECTOR, Clause, Thing, claim

FORM = "linear form"
_OF_VECTOR = re.compile(r"\(?(?P<a>\S+?)\)?(?:\^T|\^\{T\}|ᵀ|\^\\top|\^\{\\top\}|') ?(?P<x>\S+)")


def _forms(vector: Thing, count: int = 1) -> Thing:
    """Raises: Unreadable for what is no random vector."""
    if vector.kind != "random vector":
        raise Unreadable
    coefficients = [fresh("coefficients") for _ in range(count)]
    signs = ", ".join(f"{a}^T {vector.signs}" for a in coefficients)
    return Thing(signs, vector.given, FORM if count == 1 else f"{FORM} list")


def _named(vector: Thing, *forms: Thing) -> Thing:
    """The linear form aᵀx of a Gaussian vector x: of a vector without a letter it gives the letter.

    Raises: Unreadable for what is no linear form of the vector.
    """
    found = [_OF_VECTOR.fullmatch(one.signs.strip()) for one in forms]
    letters = {one["x"] for one in found if one is not None}
    if None in found or len(letters) != 1 or vector.kind != "random vector":
        raise Unreadable
    letter = letters.pop()
    if vector.signs.startswith("⟨"):
        given = tuple(one.replace(vector.signs, letter) for one in vector.given)
    elif vector.signs == letter:
        given = vector.given
    else:
        raise Unreadable
    return Thing(", ".join(one.signs for one in forms), given, FORM if len(forms) == 1 else f"{FORM} list")


def _coordinate(vector: Thing) -> Thing:
    """Any coordinate of a random vector: its product with a unit vector of the standard basis.

    Raises: Unreadable for what is no random vector.
    """
    if vector.kind != "random vector":
        raise Unreadable
    unit = fresh("coefficients")
    return Thing(f"{unit}^T {vector.signs}", (*vector.given, f"{unit} is onehot"), "random")


def _independent(vector: Thing) -> Clause:
    """Any two coordinates are independent; of jointly Gaussian ones that is all.

    Raises: Unreadable for what is no random vector.
    """
    if vector.kind != "random vector" and vector.signs != IT:
        raise Unreadable
    u, w = fresh("coefficients"), fresh("coefficients")
    given = (*vector.given, f"{u} is onehot", f"{w} is onehot", f"{u}^T {w} = 0")
    return claim(f"{u}^T {vector.signs} ⫫ {w}^T {vector.signs}", of=vector, given=given)


_COORDINATE = "coordinate/component/entry"
_COORDINATES = "coordinates/components/entries"
_NOUN = "linear form/functional/combination/projection"
_NOUNS = "linear forms/functionals/combinations/projections"
_A = "a/an/any/every/each fixed/given/scalar?"
_OF = "of/in the? components/entries/coordinates? of?"

RULES: tuple[Rule, ...] = (
    Rule("entity", f"{_A} {_NOUN} {_OF} <form_vector>", _forms),
    Rule("entity", f"two/any two? {_NOUNS} {_OF} <form_vector>", lambda x: _forms(x, 2)),
    Rule("entity", f"{_A} {_NOUN} <expr> {_OF} <form_vector>", lambda form, x: _named(x, form)),
    Rule("entity", f"the {_NOUN} <expr> {_OF} <form_vector>", lambda form, x: _named(x, form)),
    Rule("entity", f"the/any? two? {_NOUNS} <expr> and <expr> {_OF} <form_vector>", lambda a, b, x: _named(x, a, b)),
    Rule("entity", f"every/each/any/a/one {_COORDINATE} of <form_vector>", _coordinate),
    Rule("clause", f"all? the? {_COORDINATES} of <form_vector> are all? mutually/always? independent", _independent),
    Rule("clause", f"its {_COORDINATES} are all? mutually/always? independent", lambda: _independent(Thing(IT))),
    Rule(
        "clause",
        f"all? the? {_COORDINATES} of <form_vector> need not be independent",
        lambda x: negated(_independent(x)),
    ),
    Rule("form_vector", "<entity>", lambda x: x),
    Rule("form_vector", "<typed>", lambda found: Thing(found[0], (found[1],), "random vector")),
    Rule("base", "its/the coefficient vector", lambda: Thing(COEFFICIENTS)),
    Rule("base", "its/the vector of coefficients", lambda: Thing(COEFFICIENTS)),
    Rule("base", "its coefficients", lambda: Thing(COEFFICIENTS)),
    Rule("base", "the covariance matrix <of_the_vector>?", lambda _: Thing(f"Cov({VECTOR})", (), "matrix")),
    Rule("of_the_vector", "of the random/gaussian/normal? vector", lambda: None),
    Rule("pair", "their/the coefficient vectors", lambda: Pair(Thing(COEFFICIENTS), Thing(OTHER_COEFFICIENTS))),
    Rule("pair", "their/the vectors of coefficients", lambda: Pair(Thing(COEFFICIENTS), Thing(OTHER_COEFFICIENTS))),
)
