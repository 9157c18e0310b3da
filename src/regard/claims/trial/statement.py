"""One statement judged: which means fit it, and the sentence that says what came of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import numpy as np

from regard.claims.meaning.resolved import Combine, Constant, Statement
from regard.claims.trial.compare import suspicion
from regard.claims.trial.draws import Batch
from regard.claims.trial.evaluate import evaluate
from regard.claims.trial.limit import (
    SCALES,
    Limit,
    LimitFound,
    NoLimit,
    find_limit,
    gaps_at,
    is_vanishing,
    possible_limits,
)
from regard.claims.trial.moments import ExactMoments, NeedsSampling
from regard.claims.trial.numbers import FLOATS, CannotEvaluate
from regard.claims.trial.polynomial import NotPolynomial
from regard.claims.trial.sequential import judge_sampled
from regard.claims.trial.shrink import describe_counterexample, shrink
from regard.claims.trial.sides import Search, Trials, draws_for, search_everywhere
from regard.claims.verdict import StatementVerdict

ONE_PERCENT = 0.01
VISIBLE = 1e-4
FAR = 100.0
FARTHER = 1e4
APPROXIMATE = ("≈", "→")


def judge_statement(trials: Trials, statement: Statement) -> StatementVerdict:
    """The verdict on one statement, by the means that fit it."""
    try:
        if statement.comparison == "normal":
            return _judge_normal(trials, statement)
        if statement.comparison in ("≪", "≫"):
            return _judge_much(trials, statement)
        return _judge_everywhere(trials, statement)
    except NeedsSampling:
        return judge_sampled(trials, statement)
    except CannotEvaluate as error:
        return StatementVerdict("not-understood", str(error), span=statement.span)


def _judge_everywhere(trials: Trials, statement: Statement) -> StatementVerdict:
    search = search_everywhere(trials, statement)
    how = _how(trials, search)
    if search.all_undefined and trials.too_small:
        raise CannotEvaluate("numbers become too small to be told from 0; take logarithms, or smaller factors")
    if search.all_undefined:
        return StatementVerdict(
            "fails",
            "one side is not defined on any instance: a division by zero or a logarithm of what is not positive",
            how,
            span=statement.span,
        )
    if search.against is None:
        return StatementVerdict("holds", f"true of all {search.n_instances} instances tried", how)
    limits = trials.limits_of(statement)
    if statement.comparison in APPROXIMATE:
        return _judge_limit(trials, statement, how) if limits else _judge_percent(trials, statement, how)
    if statement.comparison in "<≤>≥" and set(limits) & trials.task.stated_limits:
        return _judge_far(trials, statement, search, how)
    return _failed(trials, statement, search.against, _violation(trials, statement), how)


def _how(trials: Trials, search: Search) -> str:
    means = ", ".join(sorted(trials.how)) or "float64"
    closer = (
        ""
        if "exact laws of the weights" in trials.how
        else f"; {search.n_looked_closer} looked at again with 50 and 80 digits"
    )
    return f"{search.n_instances} instances of {search.n_sizes} sizes by {means}{closer}"


def _violation(trials: Trials, statement: Statement) -> Callable[[Batch], bool]:
    """Whether a draw plainly speaks against a statement that must be true everywhere."""

    def violates(draw: Batch) -> bool:
        doubts = [float(suspicion(statement.comparison, one)[0]) for one in trials.sides(statement, draw)]
        worst = max(doubts, default=-1.0)
        if statement.comparison in ("=", *APPROXIMATE):
            return VISIBLE < worst < math.inf
        return (worst > VISIBLE or abs(worst) < 1e-9) and worst < math.inf and trials.truth(statement, draw) == "no"

    return violates


def _failed(
    trials: Trials,
    statement: Statement,
    against: Batch,
    violates: Callable[[Batch], bool],
    how: str,
    *,
    scaled: Callable[[Batch], Batch] = lambda draw: draw,
    reason: str = "",
) -> StatementVerdict:
    smallest = scaled(shrink(trials, violates, against, most_tries=_tries(trials, statement)))
    found = describe_counterexample(trials, statement, smallest)
    sizes = ", ".join(f"{name} = {size}" for name, size in found.sizes.items())
    sentence = reason or f"at {sizes} the sides are {_short(found.left)} and {_short(found.right)}"
    return StatementVerdict("fails", sentence, how, found, span=statement.span)


def _tries(trials: Trials, statement: Statement) -> int:
    return 8 if trials.uses_laws(statement) else 120


def _short(side: object) -> str:
    text = str(side)
    return text if len(text) <= 60 else text[:57] + "…"


def _judge_percent(trials: Trials, statement: Statement, how: str) -> StatementVerdict:
    """≈ where nothing is large or small: within one per cent on every instance."""
    worst, against = 0.0, None
    for batch in trials.batches(draws_for(trials, statement)):
        gaps = trials.gaps(statement, batch)
        for draw in np.flatnonzero(~(gaps <= ONE_PERCENT)):
            one = batch.only(slice(draw, draw + 1))
            if trials.exact_gap(statement, one) > ONE_PERCENT:
                against = one
                break
        worst = max(worst, float(np.nanmax(gaps)))
        if against is not None:
            break
    if against is None:
        return StatementVerdict(
            "holds", f"the sides differ by at most {worst:.2g} of their size on all instances tried (≈ means 1 %)", how
        )

    def violates(draw: Batch) -> bool:
        return ONE_PERCENT < float(trials.gaps(statement, draw)[0]) < math.inf

    found = _failed(trials, statement, against, violates, how)
    assert found.counterexample is not None
    sizes = ", ".join(f"{name} = {size}" for name, size in found.counterexample.sizes.items())
    return replace(
        found,
        reason=f"the sides differ by {found.counterexample.gap:.2g} of their size at {sizes}; "
        "≈ without a limit means 1 %",
    )


def _judge_limit(trials: Trials, statement: Statement, how: str) -> StatementVerdict:
    found = find_limit(trials, statement)
    if isinstance(found, LimitFound):
        how = f"{found.n_instances} instances at scales up to {SCALES[-1]:g}" + _by(trials)
        if trials.is_random(statement):
            how += "; in probability: for every draw of the noise that was tried"
        return StatementVerdict(
            "holds-in-limit", _limit_sentence(trials, found), how, rates=found.rates, notes=found.notes
        )
    return _failed_limit(trials, statement, found)


def _by(trials: Trials) -> str:
    means = ", ".join(sorted(trials.how))
    return f", by {means}" if means else ""


def _limit_sentence(trials: Trials, found: LimitFound) -> str:
    if not found.rates:
        return f"the gap vanishes as {found.limit.words}"
    rate = found.rates[0]
    sizes = ", ".join(f"{name} = {size}" for name, size in trials.task.setting.sizes[trials.task.rows[-1]].items())
    factor = "" if rate.power == 1 else f"{rate.power:g} "
    speed = f"e^(−{factor}{rate.scale})" if rate.form == "exponential" else f"({rate.scale})^−{rate.power:g}"
    return (
        f"the gap vanishes as {found.limit.words}, like {speed}; "
        f"within 1 % from {rate.scale} = {rate.one_percent_at:.4g} on at {sizes}"
    )


def _failed_limit(trials: Trials, statement: Statement, found: NoLimit) -> StatementVerdict:
    limit = found.limit

    def violates(draw: Batch) -> bool:
        gaps = [float(trials.gaps(statement, limit.at(draw, scale))[0]) for scale in (FAR, FARTHER)]
        return all(ONE_PERCENT < gap < math.inf for gap in gaps)

    how = f"scales up to {SCALES[-1]:g}" + _by(trials)
    judged = _failed(trials, statement, found.against, violates, how, scaled=lambda draw: limit.at(draw, FAR))
    assert judged.counterexample is not None
    gap = judged.counterexample.gap
    probability = _failing_share(trials, statement, limit) if trials.is_random(statement) else ""
    return replace(judged, reason=f"as {limit.words} a gap of {gap:.3g} of the sides' size remains{probability}")


def _failing_share(trials: Trials, statement: Statement, limit: Limit) -> str:
    batch = list(trials.batches(draws_for(trials, statement)))[-1]
    gaps = gaps_at(trials, statement, batch, [limit.at(batch, scale) for scale in SCALES])
    share = float((~is_vanishing(gaps)).mean())
    return f", for about {share:.0%} of the draws of the noise" if share > 0 else ", for some draws of the noise"


def _judge_far(trials: Trials, statement: Statement, search: Search, how: str) -> StatementVerdict:
    """An inequality for large C: true of every instance from some scale on."""
    for limit in possible_limits(trials.limits_of(statement)):
        if not set(limit.moving) & trials.task.stated_limits and not set(limit.still) & trials.task.stated_limits:
            continue
        batches = list(trials.batches(draws_for(trials, statement)))
        if all(_is_true_far(trials, statement, limit, batch) for batch in batches):
            return StatementVerdict(
                "holds-in-limit", f"true of all instances tried once {limit.words} has gone far enough", how
            )
    assert search.against is not None
    return _failed(trials, statement, search.against, _violation(trials, statement), how)


def _is_true_far(trials: Trials, statement: Statement, limit: Limit, batch: Batch) -> bool:
    for scale in SCALES:
        sides = list(trials.sides(statement, limit.at(batch, scale)))
        if any((suspicion(statement.comparison, one) > 0).any() for one in sides):
            return False
    return True


def _judge_much(trials: Trials, statement: Statement) -> StatementVerdict:
    """left ≪ right: left/right → 0 in a limit, or below 1 % on every instance where nothing is large or small."""
    small, large = (
        (statement.left, statement.right) if statement.comparison == "≪" else (statement.right, statement.left)
    )
    ratio = Statement("≈", Combine("/", small, large), Constant(_ZERO), span=statement.span)
    judged = _judge_everywhere(trials, ratio)
    sign = Statement(">", large, Constant(_ZERO), span=statement.span)
    if judged.verdict in ("holds", "holds-in-limit"):
        positive = _judge_everywhere(trials, sign)
        if positive.verdict == "fails":
            return replace(positive, reason=f"what is said to be much larger is not positive: {positive.reason}")
        return replace(judged, reason=f"the smaller over the larger side: {judged.reason}")
    shown = (
        describe_counterexample(trials, statement, next(trials.batches(1)))
        if judged.counterexample is None
        else judged.counterexample
    )
    return replace(
        judged, counterexample=shown, reason=f"the smaller over the larger side does not vanish: {judged.reason}"
    )


_ZERO = Fraction(0)


def _judge_normal(trials: Trials, statement: Statement) -> StatementVerdict:
    """Whether something is normal: linear in normal noise."""
    exactly = ExactMoments(trials.task.setting, trials.task.random)
    batch = next(trials.batches(2))
    world = exactly.of_noise(trials.world(batch, FLOATS))
    try:
        value = evaluate(statement.left, world, {**trials.assignments(batch)[0]})
        is_normal = all(entry.degree <= 1 for entry in value.flat)
    except NotPolynomial:
        is_normal = False
    if is_normal:
        return StatementVerdict("holds", "normal: linear in normal noise", "Gaussian algebra")
    return StatementVerdict(
        "fails", "this is not normal: it is not linear in normal noise", "Gaussian algebra", span=statement.span
    )
