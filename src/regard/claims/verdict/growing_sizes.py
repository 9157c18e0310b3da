"""Limits in a size: E‖x‖/√d → 1 as d → ∞, Var(X̄) → 0 as n → ∞.

A size is a whole number that shapes depend on, so instances are drawn anew for each of a few growing ones, with the
same numbers. A gap vanishes if it falls by a factor that does not come nearer to 1 from one size to the next.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from regard.claims.meaning.setting import SymbolSpec
from regard.claims.meaning.terms import Statement
from regard.claims.trial.arithmetic.numbers import CannotEvaluate, NotPolynomial, TooLong
from regard.claims.trial.instances.draws import DrawBatch
from regard.claims.trial.limit import tame_draws
from regard.claims.trial.moments import NeedsSampling
from regard.claims.trial.trials import Trials
from regard.claims.verdict.records import StatementVerdict
from regard.display import percent

LADDERS = ((16, 64, 256), (4, 8, 16, 32))
"""Sizes to try; the second where the first take too long or too many terms."""
N_DRAWS = 4
NOTHING = 1e-9
STEADY = 0.8
FLATTER = 1.15
"""A factor from one size to the next that is so much nearer to 1 than the one before: the gap may stay."""
STAYS = 0.95
VISIBLE = 0.02


def is_in_growing_size(trials: Trials, statement: Statement) -> bool:
    """Whether the claim sends a size to infinity, and this statement is one of a limit."""
    return bool(trials.task.growing) and statement.comparison in ("→", "≈")


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
