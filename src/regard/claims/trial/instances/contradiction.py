"""Instances on which what is given holds and what is claimed does not: both are solved for at once.

Draws that are only pushed to where the premises hold end where it is nearest, and may all be of one kind: of P² = P and
P x = λ x, those with λ = 1. So the opposite of the claim is made one more premise, with some room.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace

import numpy as np

from regard.claims.meaning.statements import Premise
from regard.claims.meaning.terms import Constant, Statement, symbols_in, with_dependencies
from regard.claims.trial.arithmetic.decimals import Decimals
from regard.claims.trial.arithmetic.numbers import FLOATS, Arithmetic, Value
from regard.claims.trial.instances.draws import DrawBatch, draw_batch
from regard.claims.trial.instances.premises import MOVABLE, PremiseSolver, are_met, places_apart, premise_sides
from regard.claims.trial.trials import Trials

ROOM = (0.5, 0.05)
"""How far apart the sides should be: first plainly, then visibly."""
N_STARTS = 6
MAX_ROWS = 2
MAX_SECONDS = 0.5
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
    ends, n_tried = time.thread_time() + MAX_SECONDS, 0
    for row in trials.task.rows[:MAX_ROWS]:
        starts = trials.with_letters(draw_batch(trials.task.setting, row, N_STARTS))
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
    for row in trials.task.rows[:MAX_ROWS]:
        found = at_ends.satisfying(row, N_STARTS)
        for draw in range(len(found)) if found is not None else ():
            assert found is not None
            one = found.only([draw])
            if trials.truth(statement, one) == "no":
                return one
    return None
