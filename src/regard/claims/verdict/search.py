"""The search for an instance on which a statement is false: many are tried, the worst looked at with many digits."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from regard.claims.meaning.terms import PartialDerivative, Statement, applies, contains
from regard.claims.trial.comparison import ROUNDING, Sides, suspicion
from regard.claims.trial.instances.draws import DrawBatch
from regard.claims.trial.instances.hunt import hunt
from regard.claims.trial.instances.structured import sparse_draws
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
