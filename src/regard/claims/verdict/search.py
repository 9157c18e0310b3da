"""The search for an instance on which a statement is false, in three steps.

1. Many draws are tried, and those that look worst are looked at with many digits.
2. Structured instances follow, where inequalities become equalities and where students forget a case: everything
   equal, zero, uniform, collinear. From the draws that come nearest to violating an inequality, random steps are kept
   whenever they bring it nearer still.
3. Where something is given, it and the opposite of the claim, with some room, are solved for at once: draws that are
   only pushed to where the premises hold end where it is nearest, and may all be of one kind (of P² = P and
   P x = λ x, those with λ = 1).
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np

from regard.claims.meaning.statements import Premise
from regard.claims.meaning.terms import (
    Constant,
    Moment,
    PartialDerivative,
    Statement,
    applies,
    contains,
    symbols_in,
    with_dependencies,
)
from regard.claims.trial.arithmetic.decimals import Decimals
from regard.claims.trial.arithmetic.numbers import FLOATS, Arithmetic, Value
from regard.claims.trial.comparison import ROUNDING, Sides, suspicion
from regard.claims.trial.instances.draws import DrawBatch, draw_batch
from regard.claims.trial.instances.premises import are_met, places_apart, premise_sides
from regard.claims.trial.instances.solver import MOVABLE, PremiseSolver, move_raw
from regard.claims.trial.instances.structured import law_of, sparse_draws, structured_draws
from regard.claims.trial.limit import tame_draws
from regard.claims.trial.trials import Trials, draws_for

Suspect: TypeAlias = tuple[float, DrawBatch, int]
"""How much speaks against a draw, and which it is."""

PLAINLY = 0.05
"""Sides that are so far apart, beside the larger one, speak plainly against a statement."""
MAX_SUSPECTS, MAX_NOT_FINITE, SECOND_LOOKS = 10, 4, 4
"""How many are looked at again: of those that look false, of those without a finite value, of those that look true."""


@dataclass(frozen=True)
class SearchResult:
    """What came of the search: a draw that speaks against the statement, or None; and how many were looked at."""

    against: DrawBatch | None
    n_instances: int
    n_sizes: int
    n_looked_closer: int
    n_steps: int = 0
    all_undefined: bool = False
    n_infinite: int = 0
    """Of so many instances one side is infinite and the other is not."""
    n_undefined: int = 0
    """So many are undefined with many digits, where the others are all of size 1: P⁻¹ of a projector P."""


def search_everywhere(trials: Trials, statement: Statement, *, with_hunt: bool = True) -> SearchResult:
    """A draw for which the statement is false, if one is found."""
    n_draws = draws_for(trials, statement)
    batches = list(trials.batches(n_draws, only_small=trials.uses_laws(statement)))
    if any(applies(side, name) for side in (statement.left, statement.right) for name in ("rank", "projector")):
        batches = [tame_draws(batch) for batch in batches]  # of huge numbers, no digits tell a small one from 0
        if not trials.has_premises():  # random matrices have full rank
            batches += [sparse_draws(trials.task, batch) for batch in batches]
    suspects, n_infinite = [], 0
    for batch in batches:
        sides = list(trials.sides(statement, batch))
        found = [suspicion(statement.comparison, one) for one in sides]
        doubts = np.max(found, axis=0) if found else np.full(len(batch), -np.inf)
        n_infinite += int(np.any([_is_one_infinite(one) for one in sides], axis=0).sum()) if sides else 0
        suspects += [(float(doubt), batch, draw) for draw, doubt in enumerate(doubts)]
    result = replace(_look_closer(trials, statement, suspects, len(batches)), n_infinite=n_infinite)
    if result.against is not None or result.all_undefined or not with_hunt:
        return result
    hunted = hunt(trials, statement, batches)
    return replace(result, against=hunted.against, n_steps=hunted.n_steps)


def _is_one_infinite(sides: Sides) -> np.ndarray:
    """For each draw, whether one side is infinite where the other is finite."""
    left, right = (np.asarray(side, dtype=float).reshape(len(side), -1) for side in (sides.left, sides.right))
    infinite = [np.isinf(side).any(axis=1) & ~np.isnan(side).any(axis=1) for side in (left, right)]
    finite = [np.isfinite(side).all(axis=1) for side in (left, right)]
    return np.asarray((infinite[0] & finite[1]) | (infinite[1] & finite[0]))


def _look_closer(trials: Trials, statement: Statement, suspects: list[Suspect], n_sizes: int) -> SearchResult:
    """Asks for the truth about those that look worst, and about some that look well."""
    infinite = [one for one in suspects if one[0] == np.inf]
    flagged = [one for one in suspects if ROUNDING < one[0] < np.inf]
    if trials.has_premises():  # whose instances are not shrunk to smaller ones, so that small ones come first
        flagged.sort(key=lambda one: (one[0] < PLAINLY, trials.task.setting.sizes.index(one[1].sizes), -one[0]))
    else:
        flagged.sort(key=lambda one: -one[0])
    unflagged = sorted((one for one in suspects if one[0] <= ROUNDING), key=lambda one: -one[0])
    is_slow = contains(statement.left, PartialDerivative) or contains(statement.right, PartialDerivative)
    chosen = flagged[:MAX_SUSPECTS] + infinite[: 1 if is_slow else MAX_NOT_FINITE]
    chosen += _spread(
        [one for one in unflagged if one[1].sizes in trials.task.setting.sizes[:2]] if is_slow else unflagged
    )
    answers = []
    for _, batch, draw in chosen:
        one = batch.only(slice(draw, draw + 1))
        answers.append(trials.truth(statement, one))
        if answers[-1] == "no":
            return SearchResult(one, len(suspects), n_sizes, len(answers))
    nothing = bool(answers) and all(answer == "undefined" for answer in answers)
    n_doubtful = len(flagged) + len(infinite)
    n_looked = min(len(flagged), MAX_SUSPECTS) + min(len(infinite), 1 if is_slow else MAX_NOT_FINITE)
    is_undefined = n_looked and all(answer == "undefined" for answer in answers[:n_looked])
    is_tiny = all(max(one[1].sizes.values(), default=0) == 1 for one in unflagged)
    n_undefined = n_doubtful if is_undefined and is_tiny else 0
    return SearchResult(None, len(suspects), n_sizes, len(answers), all_undefined=nothing, n_undefined=n_undefined)


def _spread(unflagged: list[Suspect]) -> list[Suspect]:
    """The nearest to being suspects, and a draw with nothing special of the smaller sizes."""
    generic = [one for one in unflagged if one[2] == 0][:2]
    return unflagged[:SECOND_LOOKS] + [one for one in generic if one not in unflagged[:SECOND_LOOKS]]


N_CLIMBERS = 4
N_TRIALS = 12
N_ROUNDS = 30
MAX_HUNTED_SIZES = 3
FIRST_STEP = 0.7
MAX_NUMBERS = 60


@dataclass(frozen=True)
class HuntResult:
    """A draw for which the statement is false, or None; and how many instances were looked at on the way."""

    against: DrawBatch | None
    n_steps: int


def hunt(trials: Trials, statement: Statement, batches: list[DrawBatch]) -> HuntResult:
    """Looks for a counterexample where random draws have shown none."""
    if trials.uses_laws(statement) or trials.is_random(statement):
        return HuntResult(None, 0)
    is_slow = _has(statement, Moment) or _has(statement, PartialDerivative)
    if is_slow and statement.comparison not in "<>":
        return HuntResult(None, 0)  # moments and derivatives take long: only ties are looked for among them
    n_steps = 0
    for batch in batches[:MAX_HUNTED_SIZES]:
        shaped = structured_draws(trials.task, batch)
        found = _worst(trials, statement, shaped)
        n_steps += len(shaped)
        if found is not None:
            return HuntResult(found, n_steps)
    if any(one.statement.comparison == "=" for one in trials.task.premises):
        if is_slow or statement.comparison not in "=<≤>≥":
            return HuntResult(None, n_steps)
        found, steps = contradict(trials, statement)
        return HuntResult(found, n_steps + steps)
    if statement.comparison not in "<≤>≥" or is_slow:
        return HuntResult(None, n_steps)
    tie = find_tie(trials, statement)
    if tie is not None:
        return HuntResult(tie, n_steps)
    for batch in batches[:MAX_HUNTED_SIZES]:
        found, steps = _climb(trials, statement, batch)
        n_steps += steps
        if found is not None:
            return HuntResult(found, n_steps)
    return HuntResult(None, n_steps)


def _has(statement: Statement, kind: type) -> bool:
    return contains(statement.left, kind) or contains(statement.right, kind)


def _doubts(trials: Trials, statement: Statement, batch: DrawBatch) -> np.ndarray:
    found = [suspicion(statement.comparison, one) for one in trials.sides(statement, batch)]
    trials.forget()
    doubts = np.max(found, axis=0) if found else np.full(len(batch), -np.inf)
    return np.where(np.isfinite(doubts), doubts, -np.inf)


def _worst(trials: Trials, statement: Statement, batch: DrawBatch) -> DrawBatch | None:
    """A draw that is false for certain, among those that look so or may be a tie."""
    doubts = _doubts(trials, statement, batch)
    least = -1e-12 if statement.comparison in "<>" else ROUNDING
    for draw in np.argsort(-doubts)[:3]:
        if doubts[draw] < least:
            break
        one = batch.only(slice(draw, draw + 1))
        if trials.truth(statement, one) == "no":
            return one
    return None


def _climb(trials: Trials, statement: Statement, batch: DrawBatch) -> tuple[DrawBatch | None, int]:
    """Random steps from the worst draws, kept where they speak more against the statement."""
    names = [
        name
        for name, array in batch.raw.items()
        if law_of(trials.task, name) not in ("noise", "one-hot", "count") and name not in trials.task.definitions
    ]
    if sum(batch.raw[name][0].size for name in names) > MAX_NUMBERS:
        return None, 0
    doubts = _doubts(trials, statement, batch)
    here = batch.only(np.argsort(-doubts)[:N_CLIMBERS])
    best = np.sort(doubts)[::-1][:N_CLIMBERS].copy()
    rng = np.random.default_rng(0)
    step = np.full(len(here), FIRST_STEP)
    for round_ in range(N_ROUNDS):
        tried = _steps(trials, here, names, step, rng)
        value = _doubts(trials, statement, tried).reshape(N_TRIALS, len(here))
        top = value.argmax(axis=0)
        better = value[top, np.arange(len(here))] > best
        places = np.where(better, top * len(here) + np.arange(len(here)), -1)
        here = _take(here, tried, places)
        best = np.where(better, value[top, np.arange(len(here))], best)
        step = np.where(better, step * 1.3, step * 0.6)
        if best.max() > ROUNDING:
            found = _worst(trials, statement, here)
            if found is not None:
                return found, (round_ + 1) * N_TRIALS * len(here)
    return None, N_ROUNDS * N_TRIALS * len(here)


def _steps(trials: Trials, here: DrawBatch, names: list[str], step: np.ndarray, rng: np.random.Generator) -> DrawBatch:
    """Every draw with N_TRIALS random steps."""
    repeated = here.only(np.tile(np.arange(len(here)), N_TRIALS))
    sizes = np.tile(step, N_TRIALS)
    changed = {}
    for name in names:
        array = repeated.raw[name]
        moves = rng.standard_normal(array.shape) * sizes.reshape(-1, *([1] * (array.ndim - 1)))
        moves *= rng.random(array.shape) < rng.choice([0.2, 0.5, 1.0])
        changed[name] = move_raw(array, moves, law_of(trials.task, name))
    return repeated.having(**changed)


def _take(here: DrawBatch, tried: DrawBatch, places: np.ndarray) -> DrawBatch:
    """The draws with those replaced that have a better place among the tried."""
    raw = {}
    for name, array in here.raw.items():
        changed = array.copy()
        for draw, place in enumerate(places):
            if place >= 0:
                changed[draw] = tried.raw[name][place]
        raw[name] = changed
    return DrawBatch(here.setting, here.sizes, here.marked, raw)


ROOM = (0.5, 0.05)
"""How far apart the sides should be: first plainly, then visibly."""
N_SOLVED_STARTS = 6
MAX_SOLVED_SIZES = 2
MAX_SOLVING_SECONDS = 0.5
"""Processor time for the whole search."""


@dataclass
class ContradictionSolver(PremiseSolver):
    """Moves draws to where the premises hold and the statement is false by some room."""

    statement: Statement = field(default_factory=lambda: Statement("=", Constant(0), Constant(0)))  # type: ignore[arg-type]
    room: float = ROOM[0]

    def unknowns(self, batch: DrawBatch) -> list[str]:
        """What premises depend on, and what the statement does."""
        task, found = self.trials.task, super().unknowns(batch)
        named = symbols_in(self.statement.left) | symbols_in(self.statement.right)
        depends = with_dependencies(named, task.definitions)
        drawn = [name for name in batch.raw if name in depends and name not in task.definitions]
        return found + [name for name in drawn if name not in found and self.law_of(name) in MOVABLE]

    def residuals(self, batch: DrawBatch, numbers: Arithmetic = FLOATS) -> Value:
        """How far the premises are from being true; in float64 also how far the statement is from being false."""
        found = super().residuals(batch, numbers)
        if isinstance(numbers, Decimals):  # that has some room, and needs no digits
            return found
        [(left, right)] = premise_sides(self.trials, Premise(self.statement, {}), batch, numbers, self.assignment)
        missing = np.maximum(self.room - _distance(self.statement.comparison, left, right), 0.0)
        return np.concatenate([found, missing[:, None]], axis=1)


def _distance(comparison: str, left: Value, right: Value) -> np.ndarray:
    """How far both sides speak against a comparison."""
    with np.errstate(all="ignore"):
        if comparison == "=":
            return np.asarray(np.sqrt(((left - right) ** 2).sum(axis=(-2, -1))))
        over = left - right if comparison in "<≤" else right - left
        return np.asarray(over.max(axis=(-2, -1)))


def contradict(trials: Trials, statement: Statement) -> tuple[DrawBatch | None, int]:
    """A draw that satisfies the premises and for which the statement is false, or None; and how many were tried."""
    ends, n_tried = time.thread_time() + MAX_SOLVING_SECONDS, 0
    for row in trials.task.rows[:MAX_SOLVED_SIZES]:
        starts = trials.with_letters(draw_batch(trials.task.setting, row, N_SOLVED_STARTS))
        assignments = places_apart(trials.assignments(starts))
        for room in ROOM:
            for assignment in assignments[:1]:
                if time.thread_time() > ends:
                    return None, n_tried
                n_tried += len(starts)
                found = _contradict_at(trials, statement, starts, assignment, room)
                if found is not None:
                    return found, n_tried
    return None, n_tried


def _contradict_at(
    trials: Trials, statement: Statement, starts: DrawBatch, assignment: dict[str, int], room: float
) -> DrawBatch | None:
    solver = ContradictionSolver(trials, assignment, statement=statement, room=room)
    solved = solver.solve(starts)
    trials.forget()
    for draw in range(len(solved)) if solved is not None else ():
        assert solved is not None
        one = solver.refine(solved.only([draw]))
        if one is not None and are_met(trials, one, FLOATS, assignment).all() and trials.truth(statement, one) == "no":
            return one
    return None


def find_tie(trials: Trials, statement: Statement) -> DrawBatch | None:
    """A draw on which both sides are equal where one must be larger: of α_i ≥ 0.9 ⇒ α_j < 0.1, at α_i = 0.9."""
    given = [one.statement.comparison for one in trials.task.premises]
    if statement.comparison not in "<>" or not {"≤", "≥"} & set(given) or "=" in given:
        return None
    premises = tuple(
        replace(one, statement=replace(one.statement, comparison="=")) if one.statement.comparison in "≤≥" else one
        for one in trials.task.premises
    )
    at_ends = Trials(replace(trials.task, premises=premises), deadline=trials.deadline)
    for row in trials.task.rows[:MAX_SOLVED_SIZES]:
        found = at_ends.satisfying_draws(row, N_SOLVED_STARTS)
        for draw in range(len(found)) if found is not None else ():
            assert found is not None
            one = found.only([draw])
            if trials.truth(statement, one) == "no":
                return one
    return None
