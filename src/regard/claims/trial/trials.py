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
from dataclasses import dataclass, field
from decimal import Decimal, Underflow
from functools import cached_property
from typing import Any

import numpy as np

from regard.claims.meaning.definitions import with_dependents
from regard.claims.meaning.statements import Task
from regard.claims.meaning.terms import (
    Moment,
    PartialDerivative,
    Statement,
    contains,
    indices_in,
    symbols_in,
    symbols_outside_moments,
    with_dependencies,
)
from regard.claims.trial.arithmetic.decimals import Decimals
from regard.claims.trial.arithmetic.numbers import FLOATS, Arithmetic, CannotEvaluate
from regard.claims.trial.comparison import (
    Sides,
    Truth,
    decide,
    decide_at_once,
    decide_in_float64,
    is_below_digits,
    is_clear,
    parts_of,
    pass_where,
    relative_gap,
    with_draws,
    worst_first,
)
from regard.claims.trial.instances.draws import DrawBatch, build_world, draw_batch, with_scalars
from regard.claims.trial.instances.premises import EXACT, are_met
from regard.claims.trial.instances.solver import satisfying_draws
from regard.claims.trial.moments import ExactMoments, NeedsSampling
from regard.claims.trial.tree_evaluation import World, evaluate

MIN_SATISFYING = 3
"""So many instances must satisfy what is given before anything is said of what follows."""

ENOUGH_SATISFYING = 10
"""With so many, other sizes are left out once the search has taken long."""

MAX_SEARCH_SECONDS = 0.5
"""Processor time after which the search for such instances takes what it has."""

MAX_ASSIGNMENTS = 40
MAX_COMBINATIONS = 4096

MAX_SECONDS = 10.0
"""Processor time for one claim, with all its readings and the suggestions for them."""

DIGITS = (50, 80)
DERIVATIVE_DIGITS = (20, 35)
"""For derivatives, which are worked out with three times as many."""
TIE_DIGITS = 400
FINE_TIE = Decimal("1e-70")
SLOPE_TIE_DIGITS = 200
"""For derivatives: their differences are good to twice as many."""

MAX_CLOSE_LOOKS = 8
"""At so many places of the free indices a draw is looked at with many digits."""

TAME = 8.0
"""Numbers up to this size: logits stay below some hundreds, so that a tie can be told from what looks like one."""


@dataclass
class Trials:
    """Tries the statements of one task; keeps worlds, which all statements share."""

    task: Task
    worlds: dict[tuple[int, str], World] = field(default_factory=dict)
    kept: list[DrawBatch] = field(default_factory=list)
    how: set[str] = field(default_factory=set)
    found: dict[tuple[int, int], DrawBatch | None] = field(default_factory=dict)
    paths: list[Any] | None = None
    """Instances pushed to where premises hold (see `paths`), for all statements of the task."""
    too_small: bool = False
    """Whether a number was so small that even decimals took it for 0."""
    needs_digits: bool = False
    """Whether a limit was seen only with hundreds of digits."""
    search_ends: float | None = None
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
            self.worlds[key].asks_for_dependence = self.task.setting.broadcasts
        return self.worlds[key]

    def batches(self, n_draws: int, *, only_small: bool = False) -> Iterator[DrawBatch]:
        """A batch for each of the sizes that the claim is about, or for all but the largest.

        Raises: CannotEvaluate where too few instances satisfy what is given.
        """
        rows = self.task.rows[:-1] if only_small and len(self.task.rows) > 2 else self.task.rows
        if not self.has_premises():
            for row in rows:
                yield self.with_letters(draw_batch(self.task.setting, row, n_draws))
            return
        found: list[DrawBatch] = []
        for row in rows:
            if self.is_search_over() and sum(map(len, found)) >= ENOUGH_SATISFYING:
                break
            one = self.satisfying_draws(row, n_draws)
            found += [one] if one is not None else []
        if sum(map(len, found)) < MIN_SATISFYING:
            raise CannotEvaluate(
                f"what is given was true of {sum(map(len, found))} instances that could be found; "
                f"{MIN_SATISFYING} are needed to judge what follows"
            )
        yield from found

    def is_search_over(self) -> bool:
        """Whether instances that satisfy what is given have been looked for long enough."""
        now = time.thread_time()
        if self.search_ends is None:
            self.search_ends = now + MAX_SEARCH_SECONDS
        return now > self.search_ends

    def has_premises(self) -> bool:
        """Whether instances must satisfy something before they count."""
        return any(one.statement.comparison in EXACT for one in self.task.premises)

    def satisfying_draws(self, row: int, n_draws: int) -> DrawBatch | None:
        """Draws of one size that satisfy what is given; each is looked for once."""
        key = (row, n_draws)
        if key not in self.found:
            base = self.with_letters(draw_batch(self.task.setting, row, min(4 * n_draws, 64)))
            self.found[key] = satisfying_draws(self, base, n_draws)
            self.forget()
        return self.found[key]

    def forget(self) -> None:
        """Drops the worlds of draws that were only passed through."""
        self.worlds.clear()
        self.kept.clear()

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
        sizes = [batch.n_places(size) for size in self.task.free_indices.values()]
        every = (dict(zip(names, places, strict=True)) for places in _all_places(sizes))
        distinct = [one for one in every if self.fits({**batch.marked, **one})]
        if len(distinct) > MAX_ASSIGNMENTS:
            chosen = np.random.default_rng(0).permutation(len(distinct))[:MAX_ASSIGNMENTS]
            distinct = [distinct[place] for place in sorted(chosen)]
        return distinct

    def fits(self, places: Mapping[str, int]) -> bool:
        """Whether indices that should differ do, and those that should be equal are."""
        known = dict(places)
        for one, other in self.task.distinct:
            if one in known and other in known and known[one] == known[other]:
                return False
        for one, other in self.task.same:
            place = int(other) - 1 if other.isdecimal() else known.get(other)
            if one in known and place is not None and known[one] != place:
                return False
        return True

    def sides(
        self,
        statement: Statement,
        batch: DrawBatch,
        numbers: Arithmetic = FLOATS,
        assignments: list[dict[str, int]] | None = None,
    ) -> Iterator[Sides]:
        """Both sides for every way to point the free indices, or for some."""
        world = self.world(batch, numbers)
        inside = self.names_indices
        for assignment in self.assignments(batch) if assignments is None else assignments:
            here = world.with_given(marked={**world.marked, **assignment}) if inside else world
            with np.errstate(all="ignore"):
                left, right = (evaluate(side, here, assignment) for side in (statement.left, statement.right))
            sides = Sides(with_draws(left, len(batch)), with_draws(right, len(batch)), assignment)
            if not self.has_premises():
                yield sides
                continue
            met = are_met(self, batch, numbers, assignment)
            if met.any():
                yield sides if met.all() else pass_where(~met, sides, statement.comparison, numbers)

    @cached_property
    def names_indices(self) -> bool:
        """Whether a definition of the claim speaks of a free index, so that all must be worked out for each place."""
        return any(
            set(self.task.free_indices) & indices_in(definition.body)
            for name, definition in self.task.definitions.items()
            if name not in self.task.compiled.definitions
        )

    def gaps(self, statement: Statement, batch: DrawBatch) -> np.ndarray:
        """The largest relative gap of each draw; NaN where a side is not a number."""
        floor = _floor(statement)
        found = [relative_gap(one.left, one.right, floor=floor) for one in self.sides(statement, batch)]
        return np.max(found, axis=0) if found else np.zeros(len(batch))

    def truth(self, statement: Statement, draw: DrawBatch) -> Truth:
        """Whether a statement is true of one draw, settled with as many digits as it takes.

        Of many ways to point the free indices those are looked at that look worst in float64, one at a time.
        """
        answers = set()
        self.too_small = False
        try:
            for floats in worst_first(statement.comparison, list(self.sides(statement, draw)))[:MAX_CLOSE_LOOKS]:
                answers.add(self._truth_at(statement, draw, floats))
                if "no" in answers:
                    return "no"
        except NeedsSampling:
            return self.float_truth(statement, draw)
        return "undefined" if answers == {"undefined"} else "yes"

    def _truth_at(self, statement: Statement, draw: DrawBatch, floats: Sides) -> Truth:
        """Whether a statement is true of one draw, the free indices at one place."""
        place = dict(floats.assignment)
        is_slow = contains(statement.left, PartialDerivative) or contains(statement.right, PartialDerivative)
        digits = DERIVATIVE_DIGITS if is_slow else DIGITS
        few = self._decimal(statement, draw, digits[0], place)
        if few is None:
            return "undefined"
        with Decimals(digits[0]).context():
            known = None if self.too_small else decide_at_once(statement.comparison, floats, few, digits[0])
        if known is not None:
            return known
        many = self._decimal(statement, draw, digits[1], place)
        if many is None:
            return "undefined"  # whether a condition is met here depends on rounding
        answer = decide(statement.comparison, few, many, digits)
        if answer == "yes" and self.too_small:
            return "undefined"  # what is equal may be two zeros that are none
        if answer == "no" and self._is_lost(statement, draw, many, digits[1]):
            return "undefined"
        return self._tie(statement, draw, place) if answer == "tie" else answer

    def _is_lost(self, statement: Statement, draw: DrawBatch, sides: Sides, digits: int) -> bool:
        """Whether the parts of both sides are so large that their difference is below all digits: cosh² x − sinh² x."""
        parts = self._decimal(parts_of(statement), draw, digits, dict(sides.assignment))
        return parts is not None and is_below_digits(sides, parts, digits)

    def _decimal(self, statement: Statement, draw: DrawBatch, digits: int, place: dict[str, int]) -> Sides | None:
        """Both sides at one place of the free indices, unless what is given does not hold there."""
        numbers = Decimals(digits)
        with numbers.context() as context:
            found = next(self.sides(statement, draw, numbers, [place]), None)
            self.too_small |= bool(context.flags[Underflow])
            return found

    def _tie(self, statement: Statement, draw: DrawBatch, place: dict[str, int]) -> Truth:
        """What looks equal where one side must be larger: certain for tame numbers, else rounding may have done it."""
        if any(np.abs(array).max() > (TAME / 2 if draw.fine else TAME) for array in draw.raw.values()):
            return "undefined"
        if draw.fine:  # on which equations hold to a hundred digits, and not to more
            sides = self._decimal(statement, draw, DIGITS[1], place)
            return "undefined" if sides is None else is_clear(statement.comparison, sides, FINE_TIE)
        has_slopes = contains(statement.left, PartialDerivative) or contains(statement.right, PartialDerivative)
        sides = self._decimal(statement, draw, SLOPE_TIE_DIGITS if has_slopes else TIE_DIGITS, place)
        if sides is None:
            return "undefined"
        least = Decimal(10) ** -SLOPE_TIE_DIGITS if has_slopes else Decimal(0)  # differences are never exact
        return is_clear(statement.comparison, sides, least)

    def float_truth(self, statement: Statement, draw: DrawBatch) -> Truth:
        """Whether a statement is true of one draw in float64, for laws that have no more digits."""
        sizes = self.sides(parts_of(statement), draw)
        answers = {
            decide_in_float64(statement.comparison, one, float((size.left.max() + size.right.max()).real))
            for one, size in zip(self.sides(statement, draw), sizes, strict=True)
        }
        return "no" if "no" in answers else "undefined" if answers == {"undefined"} else "yes"

    def exact_gap(
        self,
        statement: Statement,
        draw: DrawBatch,
        places: list[dict[str, int]] | None = None,
        *,
        digits: int | None = None,
    ) -> float:
        """The largest relative gap of one draw, at all places of the indices or some, with fifty digits if possible."""
        numbers = Decimals(digits or DIGITS[0])
        with numbers.context():
            try:
                found = list(self.sides(statement, draw, numbers, places))
            except NeedsSampling:
                return float(self.gaps(statement, draw)[0])
            if not found:  # what is given holds to the digits of float64, and not to fifty
                return float(self.gaps(statement, draw)[0])
            floor = _floor(statement)
            return max(float(relative_gap(one.left, one.right, floor=floor)[0]) for one in found)

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
        """The letters that a limit can be taken in, and where they go.

        A claim that says itself what goes where, `→ 0 as n → ∞`, means that alone; but what vanishes in its setting
        vanishes for every draw of the noise.
        """
        depends = self.depends(statement)
        stated = {
            name: where
            for name, where in self.task.stated_limits.items()
            if name in depends and name not in self.task.definitions
        }
        scales = {name: one.limit for name, one in self.task.scalars.items() if name in depends}
        own = {
            spec.name: spec.limit
            for spec in self.task.setting.symbols
            if spec.limit is not None and spec.name in depends and spec.name not in self.task.definitions
        }
        if stated and statement.comparison == "→":
            scales, own = {}, own if self.is_random(statement) else {}
        found = {name: where for name, where in {**scales, **own}.items() if name not in self.task.fixed}
        return {**found, **stated}


def _floor(statement: Statement) -> float:
    """x → y means that x − y vanishes, also where y is next to nothing; ≈ is meant beside the size of y."""
    return 1.0 if statement.comparison == "→" else 0.0


def _all_places(sizes: list[int]) -> Iterable[tuple[int, ...]]:
    """Every combination of places, or of very many a random choice."""
    if math.prod(sizes) <= MAX_COMBINATIONS:
        return itertools.product(*map(range, sizes))
    drawn = np.random.default_rng(1).integers(0, sizes, (MAX_COMBINATIONS, len(sizes)))
    return [tuple(int(place) for place in row) for row in drawn]


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
