"""Claims that hold further and further out: as a size grows, or the better what is given holds.

Limits in a size are E‖x‖/√d → 1 as d → ∞ and Var(X̄) → 0 as n → ∞. A size is a whole number that shapes depend on, so
instances are drawn anew for each of a few growing ones, with the same numbers. A gap vanishes if it falls by a factor
that does not come nearer to 1 from one size to the next.

Premises that hold only in a limit are s_a ≫ s_i, as a growing gap, and α_a ≈ 1. An instance is pushed to where the
premise holds ten, forty, … times as far, each time from where it was before; what is claimed is watched along the way.
It holds in the limit if its gap vanishes on every path.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from regard.claims.meaning.setting import SymbolSpec
from regard.claims.meaning.terms import Statement
from regard.claims.trial.arithmetic.numbers import FLOATS, CannotEvaluate, NotPolynomial, TooLong
from regard.claims.trial.comparison import relative_gap, suspicion
from regard.claims.trial.instances.draws import GENERIC_DRAWS, DrawBatch, draw_batch
from regard.claims.trial.instances.premises import are_met, places_apart
from regard.claims.trial.instances.solver import PremiseSolver
from regard.claims.trial.instances.structured import structured_draws
from regard.claims.trial.limit import STEADY, is_vanishing, tame_draws
from regard.claims.trial.moments import NeedsSampling
from regard.claims.trial.trials import Trials
from regard.claims.verdict.counterexample import describe_counterexample
from regard.claims.verdict.records import StatementVerdict
from regard.display import percent

LADDERS = ((16, 64, 256), (4, 8, 16, 32))
"""Sizes to try; the second where the first take too long or too many terms."""
N_DRAWS = 4
NOTHING = 1e-9
FLATTER = 1.15
"""A factor from one size to the next that is so much nearer to 1 than the one before: the gap may stay."""
STAYS = 0.95
VISIBLE = 0.02


def judge_growing(trials: Trials, statement: Statement) -> StatementVerdict:
    """The verdict as the claim's sizes grow together.

    Raises: CannotEvaluate where vectors or matrices would have to be drawn anew for each size.
    """
    drawn = [spec for spec in trials.task.setting.symbols if spec.name in trials.depends(statement) and not spec.random]
    sized = [
        spec.name
        for spec in drawn
        if spec.law is not None and (spec.over or spec.shape != (1, 1)) and not _is_alike(trials, spec)
        if spec.name not in trials.task.definitions
    ]
    if sized or any(not _is_of_alike(trials, one.statement) for one in trials.task.premises):
        what = sized[0] if sized else "what is given"
        raise CannotEvaluate(f"how {what} goes on as a size grows is not said")
    words = " and ".join(f"{name} → ∞" for name in sorted(trials.task.growing))
    is_square = any(_is_alike(trials, spec) for spec in trials.task.setting.symbols)
    for ladder in LADDERS[is_square:]:  # n vectors in n dimensions
        try:
            gaps = _gaps(trials, statement, ladder)
        except (NeedsSampling, NotPolynomial, TooLong):
            continue
        how = f"{gaps.shape[1]} instances at sizes {', '.join(map(str, ladder))}"
        if all(_vanishes(column) for column in gaps.T):
            left = percent(float(gaps[-1].max()))
            words = f"the difference of the two sides falls to {left} at size {ladder[-1]}, and further as {words}"
            return StatementVerdict("holds-in-limit", words, how)
        staying = [column for column in gaps.T if column[-1] > VISIBLE and column[-1] > STAYS * column[-2]]
        if staying:
            words = f"the two sides do not meet as {words}: they still differ by {percent(staying[0][-1])}"
            return StatementVerdict("fails", words, how, span=statement.span)
        return StatementVerdict("undecided", f"whether the gap vanishes as {words} could not be told", how)
    raise CannotEvaluate(f"this cannot be followed as {words}; write the size as a number, or give a closed form")


def _is_alike(trials: Trials, spec: SymbolSpec) -> bool:
    """Whether more members of a family are as those before: of orthonormal ones only products are seen."""
    return spec.law == "orthonormal" and spec.over in trials.task.growing


def _is_of_alike(trials: Trials, given: Statement) -> bool:
    """Whether what is given speaks of orthonormal members alone, of which it is true anyway."""
    specs = [one for one in trials.task.setting.symbols if one.name in trials.depends(given) and one.law is not None]
    return given.comparison == "=" and bool(specs) and all(_is_alike(trials, one) for one in specs)


def _vanishes(gaps: np.ndarray) -> bool:
    if gaps[-1] <= NOTHING:
        return True
    with np.errstate(all="ignore"):
        factors = gaps[1:] / gaps[:-1]
    is_falling = bool(np.isfinite(factors).all() and (factors < STEADY).all())
    return is_falling and bool((factors[1:] <= FLATTER * factors[:-1]).all())


def _gaps(trials: Trials, statement: Statement, ladder: tuple[int, ...]) -> np.ndarray:
    """The gaps (size, draw)."""
    setting = trials.task.setting
    base = setting.sizes[trials.task.rows[-1]]
    growing = set(trials.task.growing)
    growing |= {str(one.shape[0]) for one in setting.symbols if _is_alike(trials, one)}  # as many directions as members
    rows = tuple({**base, **dict.fromkeys(growing, size)} for size in ladder)
    compiled = replace(trials.task.compiled, setting=replace(setting, sizes=rows))
    task = replace(trials.task, compiled=compiled, rows=tuple(range(len(rows))), growing=frozenset())
    larger = Trials(task, deadline=trials.deadline)
    found: list[np.ndarray] = []
    first: DrawBatch | None = None
    for drawn in larger.batches(N_DRAWS):
        first = tame_draws(drawn) if first is None else first
        batch = _with_numbers_of(drawn.only(slice(0, len(first))), first)
        found.append(larger.gaps(statement, batch))
    return np.stack(found)


def _with_numbers_of(batch: DrawBatch, first: DrawBatch) -> DrawBatch:
    """The batch with the numbers of the first, so that sizes alone differ."""
    same = {name: array for name, array in first.raw.items() if array.shape == batch.raw[name].shape}
    return batch.having(**{name: array for name, array in same.items() if array[0].size == 1})


SCALES = (10.0, 40.0, 160.0, 640.0)
MIN_PATHS = 3
N_PATH_DRAWS = 16
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
        batch = trials.with_letters(draw_batch(trials.task.setting, row, N_PATH_DRAWS))
        alike = structured_draws(trials.task, batch)  # where all keys are equal, nothing tells them apart
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
