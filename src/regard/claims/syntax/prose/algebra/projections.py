"""Orthogonal projections in words: a second time changes nothing, no vector gets longer, what is left is orthogonal."""

from __future__ import annotations

import re

from regard.claims.syntax.prose.algebra.spectra import SPECTRA
from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.english.entities import dimension, fresh
from regard.claims.syntax.prose.phrases import Clause, Thing, claim


def _twice(matrix: Thing) -> Clause:
    """Raises: Unreadable for what is no matrix."""
    if not re.fullmatch(r"[A-Z]|⟨matrix:\d+⟩", matrix.signs):
        raise Unreadable
    return claim(f"{matrix.signs} {matrix.signs} = {matrix.signs}", of=matrix)


def _any_projection() -> Thing:
    name = fresh("matrix")
    return Thing(name, (f"{name} is a projection",), "matrix")


def _left_over(matrix: Thing) -> Clause:
    """What is left over is orthogonal to the projected vector: (x − P x) · P x = 0."""
    x = fresh("vector")
    p = matrix.factor
    return claim(f"({p} {x})^T ({x} - {p} {x}) = 0", of=matrix, given=(f"{x} is a vector",))


def _onto(name: Thing | None, rank: str, space: Thing | None) -> Thing:
    """The projection onto a subspace of dimension m of ℝ^d."""
    signs = name.signs if name is not None else fresh("matrix")
    size = (f"{signs} ∈ R^{{{dimension(space)}×{dimension(space)}}}",) if space is not None else ()
    return Thing(signs, (f"{signs} is a projection", *size, f"rank({signs}) = {rank}"), "matrix")


def _only(template: str, matrix: Thing) -> Thing:
    return Thing(template.replace("[0]", matrix.signs), matrix.given, "", matrix)


_PROJECTION = "orthogonal? projection/projector"
_AGAIN = (
    "twice",
    "again",
    "a second time",
    "once more",
    "one more time",
    "two times",
)
_NOTHING = (
    "changes nothing",
    "does not change anything/anymore?",
    "does/has nothing more/new/else?",
    "has no further/additional/more? effect",
    "makes no difference",
    "is the same as applying/projecting/doing it? once",
    "gives/yields the same result/vector as? applying/projecting/doing? it? once?",
    "changes nothing any? more",
)
_DIMENSIONS = {"one": "1", "two": "2", "three": "3", **{letter: letter for letter in "mkrpqds"}}

RULES: tuple[Rule, ...] = (
    *(
        rule
        for again in _AGAIN
        for rule in (
            Rule("applied_again", f"applying/using <np> {again}", lambda matrix: matrix),
            Rule("applied_again", f"projecting orthogonally? {again}", _any_projection),
        )
    ),
    Rule("applied_again", "a second orthogonal? projection", _any_projection),
    *(Rule("clause", f"<applied_again> {nothing}", _twice) for nothing in _NOTHING),
    *(
        Rule("spectrum", f"the only possible? {words} of <np>", lambda x, t=template: _only(t, x))
        for words, template in SPECTRA
    ),
    Rule("left_over", "what is/remains left over? after/by applying? <np>", lambda matrix: matrix),
    Rule("left_over", "what is left over? of a/any vector? after applying? <np>", lambda matrix: matrix),
    Rule("left_over", "the residual/remainder/rest/error after/of applying? <np>", lambda matrix: matrix),
    Rule("left_over", "what <np> leaves over?", lambda matrix: matrix),
    Rule("projected", "the/its projected/resulting? vector/projection/image/result itself?", lambda: None),
    Rule("projected", "what was projected onto", lambda: None),
    Rule("clause", "<left_over> is always? orthogonal/perpendicular to <projected>", lambda p, _: _left_over(p)),
    Rule(
        "base",
        f"the/a/an/any/every {_PROJECTION} matrix? <sym>? onto/on a/an/any/some <dim_word> linear? subspace "
        "<of_space_of>?",
        _onto,
    ),
    Rule(
        "base",
        f"the/a/an/any/every {_PROJECTION} matrix? <sym>? onto/on a/an/any/some linear? subspace <of_space_of>? "
        "of dimension <expr>",
        lambda name, space, rank: _onto(name, rank.signs, space),
    ),
    *(Rule("dim_word", f"{word}-dimensional", lambda value=value: value) for word, value in _DIMENSIONS.items()),
    Rule("of_space_of", "of/in <expr>", lambda space: space),
)
