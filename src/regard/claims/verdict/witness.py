"""Claims that something exists: for some i, there is an x such that.

An index is looked for among all places. A letter is moved, all others held, until the statement is true: a witness.
Where none is found nothing is said, since there may be one that was missed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from regard.claims.meaning.statements import Premise
from regard.claims.meaning.terms import Statement, mentions_index
from regard.claims.trial.arithmetic.numbers import CannotEvaluate
from regard.claims.trial.comparison import suspicion
from regard.claims.trial.instances.draws import DrawBatch
from regard.claims.trial.instances.solver import PremiseSolver
from regard.claims.trial.instances.structured import structured_draws
from regard.claims.trial.limit import tame_draws
from regard.claims.trial.trials import Trials, draws_for
from regard.claims.verdict.counterexample import VISIBLE
from regard.claims.verdict.records import StatementVerdict

SURE = 1e-9
TIE = 1e-14
N_DRAWS = 4


def judge_some(trials: Trials, statement: Statement) -> StatementVerdict:
    """Whether a place of an index, or a value of a letter, makes the statement true on every instance."""
    if trials.task.some <= set(trials.task.free_indices):
        return _some_index(trials, statement)
    if trials.task.some & set(trials.task.free_indices):
        raise CannotEvaluate("an index and a letter that are both to be found are not looked for together")
    return _some_letter(trials, statement)


def _some_index(trials: Trials, statement: Statement) -> StatementVerdict:
    """For each instance and each place of the other indices, the best place of the one that is looked for."""
    n_instances, worst = 0, -np.inf
    others = [name for name in trials.task.free_indices if name not in trials.task.some]
    batches = list(trials.batches(draws_for(trials, statement)))
    if not trials.task.premises:
        batches += [structured_draws(trials.task, batch) for batch in batches]
    for batch in batches:
        best: dict[tuple[int, ...], np.ndarray] = {}
        for sides in trials.sides(statement, batch):
            place = tuple(sides.assignment[name] for name in others)
            doubts = suspicion(statement.comparison, sides)
            best[place] = np.minimum(best.get(place, np.full(len(batch), np.inf)), doubts)
        n_instances += len(batch)
        worst = max([worst, *(float(one.max()) for one in best.values())])
    how = f"{n_instances} instances, every place tried"
    if statement.comparison in "<>" and abs(worst) < TIE:
        return StatementVerdict(
            "fails", "on some instance both sides are equal at every place", how, span=statement.span
        )
    if worst <= SURE:
        return StatementVerdict("holds", f"on each of {n_instances} instances there is such a place", how)
    if np.isfinite(worst) and worst > VISIBLE:
        return StatementVerdict("fails", "on some instance no place does", how, span=statement.span)
    return StatementVerdict("undecided", "whether there is such a place could not be told", how, span=statement.span)


def _some_letter(trials: Trials, statement: Statement) -> StatementVerdict:
    """Newton's method in the letters that are looked for."""
    given = [side for one in trials.task.premises for side in (one.statement.left, one.statement.right)]
    if any(mentions_index(side, name) for side in given for name in trials.task.free_indices):
        raise CannotEvaluate("what is given at one place of an index alone is not used where something is to be found")
    premise = Premise(statement, dict(trials.task.free_indices))
    task = replace(trials.task, premises=(*trials.task.premises, premise), free_indices={})
    with_witness = Trials(task, deadline=trials.deadline)
    is_closed = {name for name in trials.depends(statement) if name not in trials.task.definitions} <= trials.task.some
    n_found = n_tried = 0
    for one in _single_draws(trials):
        is_found = WitnessSolver(with_witness, {}).find(one)
        n_tried, n_found = n_tried + 1, n_found + is_found
        if is_found == is_closed:  # one is enough where nothing else varies, and else one without is
            break
    how = f"{n_tried} instances, each from a few starts by Newton's method"
    names = ", ".join(sorted(trials.task.some))
    if n_found and is_closed:
        return StatementVerdict("holds", f"a fitting {names} was found", how)
    if n_found == n_tried:
        return StatementVerdict("holds", f"a fitting {names} was found for all {n_tried} instances tried", how)
    words = f"a fitting {names} was found for {n_found} of {n_tried} instances; elsewhere one may have been missed"
    return StatementVerdict("undecided", words, how, span=statement.span)


def _single_draws(trials: Trials) -> Iterator[DrawBatch]:
    for drawn in trials.batches(N_DRAWS):
        batch = tame_draws(drawn)
        for draw in range(min(N_DRAWS, len(batch))):
            yield batch.only([draw])


@dataclass
class WitnessSolver(PremiseSolver):
    """Moves the letters that are looked for, and no others."""

    def unknowns(self, batch: DrawBatch) -> list[str]:
        """The letters that are looked for."""
        return [name for name in self.trials.task.some if name in batch.raw]

    def find(self, draw: DrawBatch) -> bool:
        """Whether a value was found that makes all statements true to a hundred digits."""
        if not self.unknowns(draw):
            raise CannotEvaluate("what is to be found is no letter that could be varied")
        for factor in (1.0, 3.0, 0.1):
            start = draw.having(**{name: draw.raw[name] * factor for name in self.unknowns(draw)})
            solved = self.solve(start)
            self.trials.forget()
            if solved is not None and self.refine(solved) is not None:
                return True
        return False
