"""A counterexample, from the draw that was found to what is told: shrunk, confirmed by a second evaluation."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from regard.claims.meaning.terms import Moment, Statement, contains
from regard.claims.trial.comparison import suspicion
from regard.claims.trial.instances.draws import DrawBatch
from regard.claims.trial.trials import Trials
from regard.claims.verdict.counterexample import describe_counterexample, shrink
from regard.claims.verdict.records import StatementVerdict, describe_sides
from regard.claims.verdict.sampled_moments import sample_truth

APPROXIMATE = ("≈", "→")
VISIBLE = 1e-4
SEEN_BY_SAMPLES = 0.05
"""A gap that some ten thousand samples show."""


def violation(trials: Trials, statement: Statement) -> Callable[[DrawBatch], bool]:
    """Whether a draw plainly speaks against a statement that must be true everywhere."""

    def violates(draw: DrawBatch) -> bool:
        doubts = [float(suspicion(statement.comparison, one)[0]) for one in trials.sides(statement, draw)]
        worst = max(doubts, default=-1.0)
        if statement.comparison in ("=", *APPROXIMATE):
            return VISIBLE < worst < math.inf
        return (worst > VISIBLE or abs(worst) < 1e-9) and worst < math.inf and trials.truth(statement, draw) == "no"

    return violates


def refute(
    trials: Trials,
    statement: Statement,
    against: DrawBatch,
    violates: Callable[[DrawBatch], bool],
    how: str,
    *,
    scaled: Callable[[DrawBatch], DrawBatch] = lambda draw: draw,
    reason: str = "",
) -> StatementVerdict:
    """The verdict `fails` with the smallest example found against a statement; `undecided` where none is confirmed."""
    smallest = scaled(shrink(trials, violates, against, most_tries=_tries(trials, statement)))
    if not reason and _is_true_after_all(trials, statement, smallest):
        smallest = scaled(against)  # which was found false with many digits
    chosen = _confirm(trials, statement, (smallest, scaled(against)))
    if chosen is None:
        words = "a counterexample was found that a second evaluation does not confirm"
        return StatementVerdict("undecided", words, how, span=statement.span)
    found = describe_counterexample(trials, statement, chosen)
    return StatementVerdict("fails", reason or describe_sides(found), how, found, span=statement.span)


def _confirm(trials: Trials, statement: Statement, draws: tuple[DrawBatch, ...]) -> DrawBatch | None:
    """The first of some counterexamples that a second evaluation confirms, or cannot work out; else None."""
    if contains(statement.left, Moment) or contains(statement.right, Moment):
        return next((one for one in draws if not _samples_agree(trials, statement, one)), None)
    from regard.claims.verdict.second_opinion import confirms  # only what fails needs it

    return next(
        (one for one in draws if confirms(trials.task, statement, one, trials.assignments(one)) is not False), None
    )


def _samples_agree(trials: Trials, statement: Statement, draw: DrawBatch) -> bool:
    """Whether samples show both sides of an equation between moments to be equal where algebra says otherwise."""
    if statement.comparison != "=" or float(trials.gaps(statement, draw)[0]) < SEEN_BY_SAMPLES:
        return False
    return sample_truth(trials, statement, draw, np.random.default_rng(2), n_looks=2).answer == "yes"


def _is_true_after_all(trials: Trials, statement: Statement, draw: DrawBatch) -> bool:
    """Whether a shrunk draw does not refute the statement when it is looked at with many digits."""
    if statement.comparison in (*APPROXIMATE, "≪", "≫") or trials.uses_laws(statement):
        return False
    return trials.truth(statement, draw) != "no"


def _tries(trials: Trials, statement: Statement) -> int:
    return 8 if trials.uses_laws(statement) else 120
