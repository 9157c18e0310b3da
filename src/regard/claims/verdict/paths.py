"""Premises that hold only further and further out: s_a ≫ s_i as a growing gap, α_a ≈ 1 as a limit.

An instance is pushed to where the premise holds ten, forty, … times as far, each time from where it was before; what is
claimed is watched along the way. It holds in the limit if its gap vanishes on every path.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from regard.claims.meaning.terms import Statement
from regard.claims.trial.arithmetic.numbers import FLOATS, CannotEvaluate
from regard.claims.trial.comparison import relative_gap, suspicion
from regard.claims.trial.instances.draws import GENERIC_DRAWS, DrawBatch, draw_batch
from regard.claims.trial.instances.premises import LIMITS, PremiseSolver, are_met, places_apart
from regard.claims.trial.instances.structured import structured
from regard.claims.trial.limit import is_vanishing
from regard.claims.trial.trials import Trials
from regard.claims.verdict.counterexample import describe_counterexample
from regard.claims.verdict.records import StatementVerdict
from regard.display import percent

SCALES = (10.0, 40.0, 160.0, 640.0)
MIN_PATHS = 3
N_DRAWS = 16
MAX_ROWS = 3
MAX_ASSIGNMENTS = 2
MAX_SECONDS = 1.2
"""Processor time after which the paths that were found must do."""
EQUAL = 1e-9
NOTHING_LEFT = 5e-6
"""A relative difference below that is told as none."""


@dataclass(frozen=True)
class Path:
    """One instance at growing scales, with the claim's indices at fixed places."""

    draws: tuple[DrawBatch, ...]
    assignment: dict[str, int]


def has_limit_premises(trials: Trials) -> bool:
    """Whether something given holds only in a limit."""
    return any(one.statement.comparison in LIMITS for one in trials.task.premises)


def judge_along_paths(trials: Trials, statement: Statement) -> StatementVerdict:
    """The verdict on a statement whose premises hold further and further.

    Raises: CannotEvaluate where too few instances could be pushed there.
    """
    if trials.paths is None:
        trials.paths = list(_paths(trials))
    paths: list[Path] = trials.paths
    if len(paths) < MIN_PATHS:
        raise CannotEvaluate(f"what is given could be approached on {len(paths)} instances; {MIN_PATHS} are needed")
    how = f"{len(paths)} instances pushed to where what is given holds, up to a scale of {SCALES[-1]:g}"
    for path in paths:
        gaps = np.array([_gap(trials, statement, draw, path.assignment) for draw in path.draws])
        if not _is_reached(statement.comparison, gaps):
            return _refute(trials, statement, path, float(gaps[-1]), how)
    worst = max(_gap(trials, statement, path.draws[-1], path.assignment) for path in paths)
    if statement.comparison in "<≤>≥":
        return StatementVerdict("holds", f"true of all {len(paths)} instances pushed to where what is given holds", how)
    end = f"differ by only {percent(worst)}" if worst > NOTHING_LEFT else "agree"
    words = f"the better what is given holds, the nearer the two sides come; at the last step they {end}"
    return StatementVerdict("holds-in-limit", words, how)


def _is_reached(comparison: str, gaps: np.ndarray) -> bool:
    if comparison in ("≈", "→", "≪", "≫"):
        return bool(is_vanishing(gaps[:, None])[0])
    if comparison == "=":
        return bool((gaps <= EQUAL).all())
    return bool((gaps[-2:] <= 0).all())


def _gap(trials: Trials, statement: Statement, draw: DrawBatch, assignment: dict[str, int]) -> float:
    """How far the statement is from being true of one draw, the indices at these places; NaN where it is undefined."""
    for sides in trials.sides(statement, draw):
        if all(sides.assignment[name] == place for name, place in assignment.items()):
            if statement.comparison in "≪≫":
                small, large = (sides.left, sides.right) if statement.comparison == "≪" else (sides.right, sides.left)
                with np.errstate(all="ignore"):
                    return float(np.abs(small / large).max()) if bool((large > 0).all()) else np.inf
            if statement.comparison in ("=", "≈", "→"):
                gap = float(relative_gap(sides.left, sides.right)[0])
                return trials.exact_gap(statement, draw, [dict(sides.assignment)]) if np.isnan(gap) else gap
            return float(suspicion(statement.comparison, sides)[0])
    return 0.0


def _refute(trials: Trials, statement: Statement, path: Path, gap: float, how: str) -> StatementVerdict:
    example = describe_counterexample(trials, statement, path.draws[-1])
    if not np.isfinite(gap):
        raise CannotEvaluate("a side is not defined where what is given holds")
    words = f"however well what is given holds, the two sides do not meet: they still differ by {percent(gap)}"
    return StatementVerdict("fails", words, how, example, span=statement.span)


def _paths(trials: Trials) -> Iterator[Path]:
    ends = time.thread_time() + MAX_SECONDS
    for row in trials.task.rows[:MAX_ROWS]:
        batch = trials.with_letters(draw_batch(trials.task.setting, row, N_DRAWS))
        alike = structured(trials.task, batch)  # where all keys are equal, nothing tells them apart
        assignments = places_apart(trials.assignments(batch))
        chosen: Iterable[int] = (
            np.unique(np.linspace(0, len(assignments) - 1, MAX_ASSIGNMENTS).astype(int)) if assignments else []
        )
        for place in chosen:
            met = np.flatnonzero(are_met(trials, batch, FLOATS, assignments[int(place)]))
            starts = [batch.only([draw]) for draw in (met[:GENERIC_DRAWS] if len(met) else range(GENERIC_DRAWS))]
            for start in (*starts, alike.only([0])):
                if time.thread_time() > ends:
                    return
                path = _path(trials, start, assignments[int(place)], ends)
                if path is not None:
                    yield path


def _path(trials: Trials, start: DrawBatch, assignment: dict[str, int], ends: float) -> Path | None:
    """One draw pushed to each scale, from above or from below; None where it cannot be, or time is up."""
    for sign in (1.0, -1.0):
        draws: list[DrawBatch] = []
        draw: DrawBatch | None = start
        for scale in SCALES:
            assert draw is not None
            draw = PremiseSolver(trials, assignment, scale, sign).solve(draw)
            trials.forget()
            if draw is None or time.thread_time() > ends:
                draw = None
                break
            draws.append(draw)
        if draw is not None:
            return Path(tuple(draws), assignment)
    return None
