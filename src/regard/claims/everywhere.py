"""Whether a statement is true of every instance: float64 looks for suspects, many digits decide about them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from regard.claims.meaning.resolved import Slope, Statement, has
from regard.claims.trial.compare import ROUNDING, suspicion
from regard.claims.trial.draws import Batch
from regard.claims.trial.sides import Trials

Suspect: TypeAlias = tuple[float, Batch, int]
"""How much speaks against a draw, and which it is."""

DRAWS = 8
RANDOM_DRAWS = 64
"""So many where random symbols stand outside of E: a failure of probability 0.08 stays unseen once in 10⁹ times."""
LAW_DRAWS = 2
RANDOM_LAW_DRAWS = 4
MOST_SUSPECTS = 10
MOST_NOT_FINITE = 4
SECOND_LOOKS = 4


@dataclass(frozen=True)
class Search:
    """What came of the search: a draw that speaks against the statement, or None; and how many were looked at."""

    against: Batch | None
    n_instances: int
    n_sizes: int
    n_looked_closer: int
    all_undefined: bool = False


def search_everywhere(trials: Trials, statement: Statement) -> Search:
    """A draw for which the statement is false, if one is found."""
    n_draws = draws_for(trials, statement)
    batches = list(trials.batches(n_draws, only_small=trials.uses_laws(statement)))
    suspects = []
    for batch in batches:
        found = [suspicion(statement.comparison, one) for one in trials.sides(statement, batch)]
        doubts = np.max(found, axis=0) if found else np.full(len(batch), -np.inf)
        suspects += [(float(doubt), batch, draw) for draw, doubt in enumerate(doubts)]
    return _look_closer(trials, statement, suspects, len(batches))


def draws_for(trials: Trials, statement: Statement) -> int:
    """How many draws of each size: more where chance decides, fewer where each takes long."""
    if trials.uses_laws(statement):
        return RANDOM_LAW_DRAWS if trials.is_random(statement) else LAW_DRAWS
    is_slow = has(statement.left, Slope) or has(statement.right, Slope)
    return RANDOM_DRAWS if trials.is_random(statement) and not is_slow else DRAWS


def _look_closer(trials: Trials, statement: Statement, suspects: list[Suspect], n_sizes: int) -> Search:
    """Asks for the truth about those that look worst, and about some that look well."""
    infinite = [one for one in suspects if one[0] == np.inf]
    flagged = sorted((one for one in suspects if ROUNDING < one[0] < np.inf), key=lambda one: -one[0])
    unflagged = sorted((one for one in suspects if one[0] <= ROUNDING), key=lambda one: -one[0])
    is_slow = has(statement.left, Slope) or has(statement.right, Slope)
    chosen = flagged[:MOST_SUSPECTS] + infinite[: 1 if is_slow else MOST_NOT_FINITE]
    chosen += _spread(
        [one for one in unflagged if one[1].sizes in trials.task.setting.sizes[:2]] if is_slow else unflagged
    )
    answers = []
    for _, batch, draw in chosen:
        one = batch.only(slice(draw, draw + 1))
        answers.append(trials.truth(statement, one))
        if answers[-1] == "no":
            return Search(one, len(suspects), n_sizes, len(answers))
    nothing = bool(answers) and all(answer == "undefined" for answer in answers)
    return Search(None, len(suspects), n_sizes, len(answers), nothing)


def _spread(
    unflagged: list[Suspect],
) -> list[Suspect]:
    """The nearest to being suspects, and a draw with nothing special of the smaller sizes."""
    generic = [one for one in unflagged if one[2] == 0][:2]
    return unflagged[:SECOND_LOOKS] + [one for one in generic if one not in unflagged[:SECOND_LOOKS]]
