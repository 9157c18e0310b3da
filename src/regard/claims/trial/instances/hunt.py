"""A hunt for counterexamples beyond random draws: structured instances, then steps uphill from the worst draws.

Structured instances are where inequalities become equalities and where students forget a case: everything equal,
zero, uniform, collinear. From the draws that come nearest to violating an inequality, random steps are kept whenever
they bring it nearer still.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from regard.claims.meaning.terms import Moment, PartialDerivative, Statement, contains
from regard.claims.trial.comparison import ROUNDING, suspicion
from regard.claims.trial.instances.contradiction import contradict, find_tie
from regard.claims.trial.instances.draws import DrawBatch
from regard.claims.trial.instances.premises import move_raw
from regard.claims.trial.instances.structured import law_of, structured
from regard.claims.trial.trials import Trials

N_STARTS = 4
N_TRIALS = 12
N_ROUNDS = 30
MAX_ROWS = 3
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
    for batch in batches[:MAX_ROWS]:
        shaped = structured(trials.task, batch)
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
    for batch in batches[:MAX_ROWS]:
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
    here = batch.only(np.argsort(-doubts)[:N_STARTS])
    best = np.sort(doubts)[::-1][:N_STARTS].copy()
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
