"""Both sides of a statement on many instances, and how far they are apart.

A gap is |left − right| by its largest entry, relative to the larger side; where one side is exactly zero it is taken as
it is. Float64 looks for suspects, and decimals decide about them: with thirty digits more, a true zero shrinks by as
much and anything else stays.
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal, Underflow
from fractions import Fraction
from typing import Literal, TypeAlias

import numpy as np

from regard.claims.meaning.definitions import with_dependents
from regard.claims.meaning.statements import Task
from regard.claims.meaning.terms import (
    Apply,
    Combine,
    Constant,
    Moment,
    PartialDerivative,
    Ref,
    Stack,
    Statement,
    Term,
    contains,
    known_size,
    subterms,
    symbols_in,
    with_dependencies,
)
from regard.claims.trial.draws import DrawBatch, build_world, draw_batch, with_scalars
from regard.claims.trial.moments import ExactMoments, NeedsSampling
from regard.claims.trial.numbers import FLOATS, Arithmetic, Decimals, Value
from regard.claims.trial.tree_evaluation import World, evaluate

Truth: TypeAlias = Literal["yes", "no", "undefined"]

ROUNDING = 1e-9
"""Float64 results nearer than this are looked at again with more digits; laws of weights are good to this."""

SHRUNK = Decimal("1e-12")


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


def relative_gap(left: Value, right: Value) -> np.ndarray:
    """The gap of each draw."""
    with np.errstate(all="ignore"):
        difference, scale = difference_and_scale(left, right)
        is_zero = (np.abs(left).max(axis=(-2, -1)) == 0) | (np.abs(right).max(axis=(-2, -1)) == 0)
        gap = difference / np.where(is_zero, scale * 0 + 1, scale)
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


LAW_FLOOR = Fraction(3, 100_000)
"""Moments by the laws of weights are good to some 1e-14, even where they are smaller than that themselves."""

_SPREADING = ("transpose", "trace", "sum", "mean", "diag", "norm", "dot")
"""Functions that take sizes of parts to the size of the whole."""


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


MAX_ASSIGNMENTS = 40

MAX_COMBINATIONS = 4096

MAX_SECONDS = 10.0
"""Processor time for one claim, with all its readings and the suggestions for them."""

DIGITS = (50, 80)

DERIVATIVE_DIGITS = (20, 35)
"""For derivatives, which are worked out with three times as many."""

TIE_DIGITS = 400

TAME = 8.0
"""Numbers up to this size: logits stay below some hundreds, so that a tie can be told from what looks like one."""


@dataclass
class Trials:
    """Tries the statements of one task; keeps worlds, which all statements share."""

    task: Task
    worlds: dict[tuple[int, str], World] = field(default_factory=dict)
    kept: list[DrawBatch] = field(default_factory=list)
    how: set[str] = field(default_factory=set)
    too_small: bool = False
    """Whether a number was so small that even decimals took it for 0."""
    deadline: float = field(default_factory=lambda: time.thread_time() + MAX_SECONDS)

    def world(self, batch: DrawBatch, numbers: Arithmetic) -> World:
        """The world of a batch in an arithmetic."""
        key = (id(batch), f"{numbers.name}{getattr(numbers, 'digits', '')}")
        if key not in self.worlds:
            self.kept.append(batch)  # so that no other batch gets its id
            self.worlds[key] = build_world(
                batch,
                definitions=self.task.definitions,
                families=self.task.families,
                numbers=numbers,
                moments=ExactMoments(self.task.setting, self.task.random),
            )
            self.worlds[key].how = self.how
            self.worlds[key].deadline = self.deadline
        return self.worlds[key]

    def batches(self, n_draws: int, *, only_small: bool = False) -> Iterator[DrawBatch]:
        """A batch for each of the sizes that the claim is about, or for all but the largest."""
        for row in self.task.rows[:-1] if only_small and len(self.task.rows) > 2 else self.task.rows:
            yield self.with_letters(draw_batch(self.task.setting, row, n_draws))

    def with_letters(self, batch: DrawBatch) -> DrawBatch:
        """Free letters drawn; above what the claim says they are."""
        if not self.task.scalars and not self.task.lower_bounds:
            return batch
        batch = with_scalars(batch, self.task.scalars)
        return batch.having(
            **{name: batch.raw[name] + low for name, low in self.task.lower_bounds.items() if name in batch.raw}
        )

    def assignments(self, batch: DrawBatch) -> list[dict[str, int]]:
        """Every way to point the free indices, or many of them."""
        names = list(self.task.free_indices)
        sizes = [batch.sizes[str(known_size(size))] for size in self.task.free_indices.values()]
        every = (dict(zip(names, places, strict=True)) for places in _all_places(sizes))
        distinct = [one for one in every if self._are_distinct({**batch.marked, **one})]
        if len(distinct) > MAX_ASSIGNMENTS:
            chosen = np.random.default_rng(0).permutation(len(distinct))[:MAX_ASSIGNMENTS]
            distinct = [distinct[place] for place in sorted(chosen)]
        return distinct

    def _are_distinct(self, places: Mapping[str, int]) -> bool:
        return all(places.get(one) != places.get(other) for one, other in self.task.distinct)

    def sides(self, statement: Statement, batch: DrawBatch, numbers: Arithmetic = FLOATS) -> Iterator[Sides]:
        """Both sides for every way to point the free indices."""
        world = self.world(batch, numbers)
        inside = self.names_indices()
        for assignment in self.assignments(batch):
            here = world.with_given(marked={**world.marked, **assignment}) if inside else world
            with np.errstate(all="ignore"):
                left, right = (evaluate(side, here, assignment) for side in (statement.left, statement.right))
            yield Sides(_with_draws(left, len(batch)), _with_draws(right, len(batch)), assignment)

    def names_indices(self) -> bool:
        """Whether a definition of the claim speaks of a free index, so that all must be worked out for each place."""
        return any(
            set(self.task.free_indices) & _indices(definition.body)
            for name, definition in self.task.definitions.items()
            if name not in self.task.compiled.definitions
        )

    def gaps(self, statement: Statement, batch: DrawBatch) -> np.ndarray:
        """The largest relative gap of each draw; NaN where a side is not a number."""
        found = [relative_gap(one.left, one.right) for one in self.sides(statement, batch)]
        return np.max(found, axis=0) if found else np.zeros(len(batch))

    def truth(self, statement: Statement, draw: DrawBatch) -> Truth:
        """Whether a statement is true of one draw, settled with as many digits as it takes."""
        answers = set()
        self.too_small = False
        try:
            digits = (
                DERIVATIVE_DIGITS
                if contains(statement.left, PartialDerivative) or contains(statement.right, PartialDerivative)
                else DIGITS
            )
            per_digits = [list(self._decimal(statement, draw, one)) for one in digits]
        except NeedsSampling:
            return self.float_truth(statement, draw)
        for few, many in zip(*per_digits, strict=True):
            answer = decide(statement.comparison, few, many, digits)
            if answer == "yes" and self.too_small:
                answer = "undefined"  # what is equal may be two zeros that are none
            answers.add(self._tie(statement, draw) if answer == "tie" else answer)
        return "no" if "no" in answers else "undefined" if answers == {"undefined"} else "yes"

    def _decimal(self, statement: Statement, draw: DrawBatch, digits: int) -> Iterator[Sides]:
        numbers = Decimals(digits)
        with numbers.context() as context:
            yield from self.sides(statement, draw, numbers)
            self.too_small |= bool(context.flags[Underflow])

    def _tie(self, statement: Statement, draw: DrawBatch) -> Truth:
        """What looks equal where one side must be larger: certain for tame numbers, else rounding may have done it."""
        if any(np.abs(array).max() > TAME for array in draw.raw.values()) or contains(
            statement.left, PartialDerivative
        ):
            return "undefined"
        sides = list(self._decimal(statement, draw, TIE_DIGITS))
        margins = [one.right - one.left if statement.comparison == "<" else one.left - one.right for one in sides]
        return "yes" if all(entry > 0 for margin in margins for entry in margin.flat) else "no"

    def float_truth(self, statement: Statement, draw: DrawBatch) -> Truth:
        """Whether a statement is true of one draw in float64, for laws that have no more digits."""
        sizes = self.sides(
            replace(statement, left=without_cancellation(statement.left), right=without_cancellation(statement.right)),
            draw,
        )
        answers = {
            decide_in_float64(statement.comparison, one, float((size.left.max() + size.right.max()).real))
            for one, size in zip(self.sides(statement, draw), sizes, strict=True)
        }
        return "no" if "no" in answers else "undefined" if answers == {"undefined"} else "yes"

    def exact_gap(self, statement: Statement, draw: DrawBatch) -> float:
        """The largest relative gap of one draw, with fifty digits where there are any."""
        try:
            found = list(self._decimal(statement, draw, DIGITS[0]))
        except NeedsSampling:
            return float(self.gaps(statement, draw)[0])
        numbers = Decimals(DIGITS[0])
        with numbers.context():
            return max((float(relative_gap(one.left, one.right)[0]) for one in found), default=0.0)

    # What a statement depends on

    def depends(self, statement: Statement) -> set[str]:
        """All symbols that the statement speaks of, directly or through definitions."""
        return with_dependencies(symbols_in(statement.left) | symbols_in(statement.right), self.task.definitions)

    def is_random(self, statement: Statement) -> bool:
        """Whether random symbols stand outside of E, Var and Cov."""
        return any(symbols_outside_moments(side) & self.task.random for side in (statement.left, statement.right))

    def uses_laws(self, statement: Statement) -> bool:
        """Whether moments of the weights are asked for, directly or not."""
        weights = with_dependents({weight for weight, _ in self.task.setting.weights}, self.task.definitions)
        has_moment = contains(statement.left, Moment) or contains(statement.right, Moment)
        return has_moment and bool((symbols_in(statement.left) | symbols_in(statement.right)) & weights)

    def limits_of(self, statement: Statement) -> dict[str, str]:
        """The letters that a limit can be taken in, and where they go."""
        depends = self.depends(statement)
        found = {name: one.limit for name, one in self.task.scalars.items() if name in depends}
        for spec in self.task.setting.symbols:
            if spec.limit is not None and spec.name in depends and spec.name not in self.task.definitions:
                found[spec.name] = spec.limit  # type: ignore[assignment]
        return dict(found)


def _all_places(sizes: list[int]) -> Iterable[tuple[int, ...]]:
    """Every combination of places, or of very many a random choice."""
    if math.prod(sizes) <= MAX_COMBINATIONS:
        return itertools.product(*map(range, sizes))
    drawn = np.random.default_rng(1).integers(0, sizes, (MAX_COMBINATIONS, len(sizes)))
    return [tuple(int(place) for place in row) for row in drawn]


def symbols_outside_moments(node: Term) -> set[str]:
    """Symbols outside of any moment."""
    if isinstance(node, Moment):
        return set()
    found = {node.symbol} if isinstance(node, Ref | Stack) else set()
    return found.union(*(symbols_outside_moments(child) for child in subterms(node)))


def _indices(node: Term) -> set[str]:
    found = set(getattr(node, "indices", ())) | set(getattr(node, "excluded", ()))
    found |= {getattr(node, "name", "")}
    return found.union(*(_indices(child) for child in subterms(node)))


def _with_draws(value: Value, n_draws: int) -> Value:
    return np.broadcast_to(value, (n_draws, *value.shape[-2:]))


DRAWS = 8

RANDOM_DRAWS = 64
"""So many where random symbols stand outside of E: a failure of probability 0.08 stays unseen once in 10⁹ times."""

LAW_DRAWS = 2

RANDOM_LAW_DRAWS = 4


def draws_for(trials: Trials, statement: Statement) -> int:
    """How many draws of each size: more where chance decides, fewer where each takes long."""
    if trials.uses_laws(statement):
        return RANDOM_LAW_DRAWS if trials.is_random(statement) else LAW_DRAWS
    is_slow = contains(statement.left, PartialDerivative) or contains(statement.right, PartialDerivative)
    return RANDOM_DRAWS if trials.is_random(statement) and not is_slow else DRAWS
