"""What exchanging, scaling and adding rows or columns of a matrix does to its determinant and its rank.

swapping two rows of A      (I − (u − v)(u − v)ᵀ) A, with u and v two different unit vectors of the basis
"""

from __future__ import annotations

from collections.abc import Callable

from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.english.entities import fresh
from regard.claims.syntax.prose.phrases import Clause, Thing, claim, fill

Effect = Callable[[Thing], Clause]
"""What is said of a changed matrix beside the one that it was."""


def _changed(matrix: Thing, change: str, side: str, given: tuple[str, ...]) -> Thing:
    signs = f"{change} {matrix.factor}" if side == "rows" else f"{matrix.factor} {change}"
    return Thing(signs, (*matrix.given, *given), "matrix", matrix)


def _swap(side: str, matrix: Thing) -> Thing:
    u, v = fresh("vector"), fresh("vector")
    given = (f"{u} is onehot", f"{v} is onehot", f"{u}^T {v} = 0")
    return _changed(matrix, f"(I - ({u} - {v}) ({u} - {v})^T)", side, given)


def _scale(side: str, matrix: Thing, factor: Thing) -> Thing:
    u = fresh("vector")
    return _changed(matrix, f"(I + ({factor.signs} - 1) {u} {u}^T)", side, (f"{u} is onehot", *factor.given))


def _add(side: str, matrix: Thing) -> Thing:
    u, v, times = fresh("vector"), fresh("vector"), fresh("number")
    given = (f"{u} is onehot", f"{v} is onehot", f"{u}^T {v} = 0")
    return _changed(matrix, f"(I + {times} {u} {v}^T)", side, given)


def _effect(template: str, factor: Callable[[Thing], str]) -> Callable[..., Effect]:
    """The determinant of the new matrix is a multiple of that of the old one; the factor is the last part, if any."""

    def meaning(*parts: Thing | None) -> Effect:
        by = parts[-1] if parts and parts[-1] is not None else Thing("1")

        def said(new: Thing) -> Clause:
            if new.about is None:
                raise Unreadable
            signs = f"{fill(template, new)} = {factor(by)}{fill(template, new.about)}"
            return claim(signs, of=new, given=by.given)

        return said

    return meaning


MEASURES: tuple[tuple[str, str], ...] = (
    ("determinant", "det([0])"),
    ("rank", "rank([0])"),
    ("trace", "tr([0])"),
    ("frobenius norm", "sqrt(tr({0}^T {0}))"),
)
_SWAP = "swapping/exchanging/interchanging/permuting/switching"
_ACTIVE = "swap/exchange/interchange/switch"
_SAME, _OPPOSITE, _TIMES = (lambda _: ""), (lambda _: "-"), (lambda by: f"{by.factor} ")


EFFECTS: tuple[tuple[str, Callable[[Thing], str]], ...] = (
    ("does/do/will not/never change/alter/affect {its}", _SAME),
    ("never changes/alters/affects {its}", _SAME),
    ("leaves/preserves/keeps {its} unchanged/invariant/fixed/alone/same?", _SAME),
    ("has no effect on {its}", _SAME),
    ("changes/flips/reverses/switches/inverts only? the sign of {its}", _OPPOSITE),
    ("negates {its}", _OPPOSITE),
    ("multiplies/scales {its} by <np>", _TIMES),
    ("changes {its} by a factor of? <np>", _TIMES),
)
"""What a change of rows does to a number of the matrix."""
OUTCOMES: tuple[tuple[str, Callable[[Thing], str]], ...] = (
    ("{the} changes/flips its? sign", _OPPOSITE),
    ("{the} stays/remains/is the? same/unchanged", _SAME),
    ("{the} does not change", _SAME),
    ("{the} is/gets multiplied/scaled by <np>", _TIMES),
)
"""What becomes of the number."""


def _effects() -> list[Rule]:
    found = []
    for words, template in MEASURES:
        its, the = f"its/the {words} <of_the_matrix>?", f"the {words} <of_the_matrix>?"
        found += [Rule("row_effect", text.format(its=its), _effect(template, factor)) for text, factor in EFFECTS]
        found += [Rule("row_outcome", text.format(the=the), _effect(template, factor)) for text, factor in OUTCOMES]
    return found


def _operations() -> list[Rule]:
    found = []
    for side, one, many in (("rows", "row", "rows"), ("columns", "column", "columns")):
        found += [
            Rule("row_operation", f"{_SWAP} any? two {many} <of_matrix>", lambda a, s=side: _swap(s, a)),
            Rule(
                "row_operation",
                f"multiplying/scaling one/a/any/some single? {one} <of_matrix> by/with a? factor? of? <expr>",
                lambda a, c, s=side: _scale(s, a, c),
            ),
            Rule(
                "row_operation",
                f"adding a/any/some scalar? multiple of one/a {one} <of_matrix>? to another/different? {one}? "
                "<of_matrix>?",
                lambda a, b, s=side: _add(s, _only(a, b)),
            ),
            Rule(
                "rows_changed",
                f"we/you/one {_ACTIVE} any? two {many} <of_matrix>?",
                lambda a, s=side: _swap(s, _square(a)),
            ),
            Rule(
                "rows_changed",
                f"any? two {many} <of_matrix>? are swapped/exchanged/interchanged/switched",
                lambda a, s=side: _swap(s, _square(a)),
            ),
        ]
    return found


def _only(first: Thing | None, second: Thing | None) -> Thing:
    if first is not None and second is not None:
        raise Unreadable
    return _square(first or second)


def _square(matrix: Thing | None) -> Thing:
    """The matrix that was named, or any."""
    if matrix is not None:
        return matrix
    name = fresh("matrix")
    return Thing(name, (f"{name} is square",), "matrix")


RULES: tuple[Rule, ...] = (
    *_effects(),
    *_operations(),
    Rule("of_matrix", "of/in <np>", lambda matrix: matrix),
    Rule("of_the_matrix", "of the/a matrix", lambda: None),
    Rule("clause", "<row_operation> <row_effect>", lambda new, effect: effect(new)),
    Rule("clause", "<row_outcome> if/when <rows_changed>", lambda outcome, new: outcome(new)),
    Rule("clause", "if/when <rows_changed> ,? then? <row_outcome>", lambda new, outcome: outcome(new)),
)
