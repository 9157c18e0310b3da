"""How far two sides are apart, and whether a relation between them is true beyond rounding, or even an identity.

An equation of rational functions of what was drawn that holds on draws is an identity: a polynomial that is not zero
vanishes at a random point with probability zero, and draws are points with sixteen random digits. Agreement to eighty
digits on several of them leaves no room for a coincidence.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Literal, TypeAlias

import numpy as np

from regard.claims.meaning.statements import Task
from regard.claims.meaning.terms import (
    Apply,
    Combine,
    Constant,
    Entry,
    Identity,
    Index,
    IndexedSum,
    Moment,
    Ones,
    Ref,
    SizeOf,
    Stack,
    Statement,
    Term,
    Zeros,
    subterms,
    symbols_in,
    with_dependencies,
)
from regard.claims.trial.arithmetic.decimals import Decimals
from regard.claims.trial.arithmetic.numbers import Arithmetic, Value

Truth: TypeAlias = Literal["yes", "no", "undefined"]


ROUNDING = 1e-9
"""Float64 results nearer than this are looked at again with more digits; laws of weights are good to this."""


SHRUNK = Decimal("1e-12")

PLAIN = 1e-6
"""A difference is plain where it is so large beside the sides, and known so well."""


@dataclass(frozen=True)
class Sides:
    """Both sides for each draw, and where the free indices pointed."""

    left: Value
    right: Value
    assignment: Mapping[str, int]


def difference_and_scale(left: Value, right: Value) -> tuple[np.ndarray, np.ndarray]:
    """|left − right| and the larger of |left| and |right|, each by its largest entry; for each draw."""
    difference = np.abs(left - right).max(axis=(-2, -1))
    scale = np.maximum(np.abs(left).max(axis=(-2, -1)), np.abs(right).max(axis=(-2, -1)))
    return difference, scale


def relative_gap(left: Value, right: Value, *, floor: float = 0.0) -> np.ndarray:
    """The gap of each draw; beside sides smaller than `floor`, relative to that."""
    with np.errstate(all="ignore"):
        difference, scale = difference_and_scale(left, right)
        is_zero = (np.abs(left).max(axis=(-2, -1)) == 0) | (np.abs(right).max(axis=(-2, -1)) == 0)
        gap = difference / np.where(is_zero, scale * 0 + 1, np.maximum(scale, scale * 0 + type(scale.flat[0])(floor)))
    return np.asarray(gap, dtype=float)


def _finite(*values: Value) -> bool:
    return all(bool(entry.is_finite()) for value in values for entry in value.flat)


def decide(comparison: str, few: Sides, many: Sides, digits: tuple[int, int]) -> Truth | Literal["tie"]:
    """Whether a statement is true of both sides, worked out with fewer and with more digits."""
    if not _finite(few.left, few.right, many.left, many.right):
        return "undefined"
    with Decimals(digits[1]).context():
        size, negligible = _size(many), Decimal(10) ** -(digits[0] + 18)
        pairs = list(zip((few.right - few.left).flat, (many.right - many.left).flat, strict=True))
        if comparison in ("=", "≈", "→", "≠"):
            is_zero = all(_is_zero(*pair) or abs(pair[1]) < size * negligible for pair in pairs)
            return "yes" if is_zero != (comparison == "≠") else "no"
        signs = {
            0 if _is_zero(*pair) or _is_rounding(*pair, size * negligible) else 1 if pair[1] > 0 else -1
            for pair in pairs
        }
    wanted = 1 if comparison in "<≤" else -1
    if -wanted in signs:
        return "no"
    return "tie" if 0 in signs and comparison in "<>" else "yes"


def decide_at_once(comparison: str, floats: Sides, few: Sides, digits: int) -> Truth | None:
    """What float64 and one set of decimals say together where they leave no doubt; else None.

    A difference that float64 and decimals both see is none of rounding, and one that is nothing beside its own sides,
    to all digits but a few, is zero.
    """
    sides = (floats.left, floats.right)
    if not (_finite(few.left, few.right) and all(np.isfinite(side).all() for side in sides)):
        return None
    with np.errstate(all="ignore"):
        seen = np.asarray(floats.right - floats.left, dtype=float).ravel()
    left, right = np.broadcast_arrays(few.left, few.right)
    pairs = list(zip(left.flat, right.flat, seen, strict=True))
    is_equation = comparison in ("=", "≈", "→", "≠")
    if is_equation and all(_is_nothing(left, right, digits) for left, right, _ in pairs):
        return "no" if comparison == "≠" else "yes"
    clear = [right - left for left, right, gap in pairs if _is_plain(left, right, float(gap))]
    if is_equation:
        return None if not clear else "yes" if comparison == "≠" else "no"
    wanted = 1 if comparison in "<≤" else -1
    if any(gap * wanted < 0 for gap in clear):
        return "no"
    return "yes" if len(clear) == len(pairs) else None


def is_below_digits(sides: Sides, parts: Sides, digits: int) -> bool:
    """Whether the difference of both sides is nowhere seen beside the size of their parts, to so many digits."""
    with Decimals(digits).context():
        seen = abs(sides.right - sides.left) > abs(parts.left + parts.right) * Decimal(10) ** -digits
    return not bool(np.any(seen))


def _is_nothing(left: Decimal, right: Decimal, digits: int) -> bool:
    """Whether two sides, neither of them 0, agree to more digits than were asked for."""
    return left == right != 0 or abs(right - left) < min(abs(left), abs(right)).scaleb(-digits - 2)


def _is_plain(left: Decimal, right: Decimal, seen: float) -> bool:
    """Whether float64 shows a large difference of two sides as decimals do."""
    gap = float(right - left)
    return abs(gap) > PLAIN * max(abs(float(left)), abs(float(right)), 1.0) and abs(gap - seen) < PLAIN * abs(gap)


def _size(sides: Sides) -> Decimal:
    return max(Decimal(1), *(abs(entry) for side in (sides.left, sides.right) for entry in side.flat))


def _is_zero(few: Decimal, many: Decimal) -> bool:
    """Whether a difference is zero: it is, or it shrinks with digits added."""
    return many == 0 or abs(many) < abs(few) * SHRUNK


def _is_rounding(few: Decimal, many: Decimal, negligible: Decimal) -> bool:
    """Nothing with fewer digits, and next to nothing with more: not so for a tiny weight, which both can see."""
    return few == 0 and abs(many) < negligible


def decide_in_float64(comparison: str, sides: Sides, scale: float) -> Truth:
    """Whether a statement is true of both sides in float64, up to the rounding of parts as large as `scale`."""
    if not (np.isfinite(sides.left).all() and np.isfinite(sides.right).all()):
        return "undefined"
    is_zero = float(difference_and_scale(sides.left, sides.right)[0][0]) <= ROUNDING * scale
    if comparison in ("=", "≈", "→", "≠"):
        return "yes" if is_zero != (comparison == "≠") else "no"
    margin = float((sides.right - sides.left).min() if comparison in "<≤" else (sides.left - sides.right).min())
    allowed = -ROUNDING * scale if comparison in "≤≥" else ROUNDING * scale
    return "yes" if margin > allowed or (comparison in "≤≥" and margin >= allowed) else "no"


def suspicion(comparison: str, sides: Sides) -> np.ndarray:
    """How much each draw speaks against a statement, in float64; infinite where a side is no number."""
    with np.errstate(all="ignore"):
        if comparison in ("=", "≈", "→"):
            found = relative_gap(sides.left, sides.right)
        elif comparison == "≠":
            found = -relative_gap(sides.left, sides.right)
        else:
            scale = np.maximum(difference_and_scale(sides.left, sides.right)[1], 1e-300)
            over = sides.left - sides.right if comparison in "<≤" else sides.right - sides.left
            found = over.max(axis=(-2, -1)) / scale
    return np.where(np.isfinite(found), found, np.inf)


def worst_first(comparison: str, sides: list[Sides]) -> list[Sides]:
    """The sides at several places of one draw, those first that speak most against a statement."""
    doubts = [float(suspicion(comparison, one)[0]) for one in sides]
    order = sorted(range(len(sides)), key=lambda place: -doubts[place] if np.isfinite(doubts[place]) else 0.0)
    return [sides[place] for place in order]


LAW_FLOOR = Fraction(3, 100_000)
"""Moments by the laws of weights are good to some 1e-14, even where they are smaller than that themselves."""


_SPREADING = ("transpose", "trace", "sum", "mean", "diag", "norm", "dot")
"""Functions that take sizes of parts to the size of the whole."""


def parts_of(statement: Statement) -> Statement:
    """Both sides with their parts as large as they are by themselves."""
    return replace(statement, left=without_cancellation(statement.left), right=without_cancellation(statement.right))


def without_cancellation(node: Term) -> Term:
    """The expression with every part as large as it is by itself, so that nothing cancels."""
    if isinstance(node, Apply):
        return _call_without_cancellation(node)
    if isinstance(node, Moment):
        return Combine("+", Apply("abs", (node,)), Constant(LAW_FLOOR))
    if not isinstance(node, Combine):
        return Apply("abs", (node,))
    match node.operator:
        case "+" | "-":
            return Combine("+", without_cancellation(node.left), without_cancellation(node.right))
        case "/":
            return Combine("/", without_cancellation(node.left), Apply("abs", (node.right,)))
        case "^":
            is_plain = isinstance(node.right, Constant) and node.right.value >= 1 and node.right.value.denominator == 1
            return replace(node, left=without_cancellation(node.left)) if is_plain else Apply("abs", (node,))
    return replace(node, left=without_cancellation(node.left), right=without_cancellation(node.right))


def _call_without_cancellation(node: Apply) -> Term:
    if node.function == "negative":
        return without_cancellation(node.arguments[0])
    if node.function in _SPREADING:
        return replace(node, arguments=tuple(without_cancellation(argument) for argument in node.arguments))
    return Apply("abs", (node,))


def pass_where(unmet: np.ndarray, sides: Sides, comparison: str, numbers: Arithmetic) -> Sides:
    """Sides with which draws that do not satisfy what is given speak neither for nor against the statement."""
    zero, one = numbers.number(0), numbers.number(1)
    low, high = (zero, zero) if comparison in ("=", "≈", "→") else (zero, one)
    left, right = (low, high) if comparison not in (">", "≥", "≫") else (high, low)
    where = unmet[:, None, None]
    return Sides(np.where(where, left, sides.left), np.where(where, right, sides.right), sides.assignment)


def with_draws(value: Value, n_draws: int) -> Value:
    """The value with as many draws on its leading axis, where it has one for all."""
    shape = (n_draws, *value.shape[-2:])
    return value if value.shape == shape else np.broadcast_to(value, shape)


RATIONAL_FUNCTIONS = frozenset(
    {"negative", "transpose", "inverse", "trace", "det", "diag", "sum", "mean", "dot", "vector", "delta"}
)
RATIONAL_LAWS = frozenset(
    {"normal", "symmetric", "definite", "semidefinite", "orthonormal", "positive", "probabilities", "distribution"}
)
_TWO = Fraction(2)
NODES = (Constant, SizeOf, Index, Identity, Ones, Zeros, Ref, Stack, Entry)


def is_rational_identity(task: Task, statement: Statement) -> bool:
    """Whether an equation that holds on random draws holds as an identity of rational functions."""
    if statement.comparison != "=" or task.premises:
        return False
    sides = (statement.left, statement.right)
    names = with_dependencies(symbols_in(sides[0]) | symbols_in(sides[1]), task.definitions)
    bodies = [body for name in names if name in task.definitions for body in _bodies(task, name)]
    laws = {spec.law for spec in task.setting.symbols if spec.name in names and spec.name not in task.definitions}
    return laws - {None} <= RATIONAL_LAWS and all(_is_rational(term) for term in (*sides, *bodies))


def _bodies(task: Task, name: str) -> list[Term]:
    definition = task.definitions[name]
    return [definition.body, *(body for _, body in definition.special)]


def _is_rational(term: Term) -> bool:
    match term:
        case Apply():
            is_known = term.function in RATIONAL_FUNCTIONS
        case Combine(operator="^"):
            if isinstance(term.left, Apply) and term.left.function == "norm" and term.right == Constant(_TWO):
                return _is_rational(term.left.arguments[0])
            is_known = isinstance(term.right, Constant) and term.right.value.denominator == 1
        case Combine():
            is_known = True
        case IndexedSum():
            is_known = term.operator in "+*"
        case _:
            is_known = isinstance(term, NODES)
    return is_known and all(_is_rational(child) for child in subterms(term))


def is_clear(comparison: str, sides: Sides, least: Decimal) -> Truth:
    """Whether one side is larger than the other by more than `least`, in every entry."""
    margin = sides.right - sides.left if comparison == "<" else sides.left - sides.right
    return "yes" if all(entry > least for entry in margin.flat) else "no"
