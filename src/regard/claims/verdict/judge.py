"""The verdict on one statement: a search for an instance on which it is false, then the means that fit it.

`search_everywhere` decides what must hold on every instance. An approximation is judged in a limit, or within one per
cent where nothing is large or small; moments without an exact law are judged by samples.
"""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np

from regard.claims.meaning.terms import (
    Apply,
    Combine,
    Constant,
    Moment,
    NamedConstant,
    Statement,
    Term,
    contains,
    symbols_in,
    symbols_outside_moments,
    with_dependencies,
)
from regard.claims.trial.arithmetic.numbers import FLOATS, CannotEvaluate, NotPolynomial, TooLong
from regard.claims.trial.comparison import is_rational_identity, suspicion
from regard.claims.trial.instances.draws import DrawBatch
from regard.claims.trial.instances.premises import LIMITS
from regard.claims.trial.limit import (
    ONE_PERCENT,
    SCALES,
    Limit,
    LimitFound,
    NoLimit,
    find_limit,
    gaps_at,
    is_vanishing,
    meets_to_first_order,
    possible_limits,
)
from regard.claims.trial.moments import ExactMoments, NeedsSampling
from regard.claims.trial.tree_evaluation import evaluate
from regard.claims.trial.trials import TAME, Trials, draws_for
from regard.claims.verdict.asymptotics import judge_along_paths, judge_growing
from regard.claims.verdict.counterexample import APPROXIMATE, describe_counterexample, refute, violation
from regard.claims.verdict.records import StatementVerdict
from regard.claims.verdict.sampled_moments import judge_sampled
from regard.claims.verdict.search import SearchResult, search_everywhere
from regard.claims.verdict.witness import judge_some
from regard.display import percent

FAR = (100.0, 1e4)
"""Scales at which a limit is refuted."""

NEAR = (8.0, 16.0)
"""Where rounding hides the gap farther out."""

BEYOND_PERCENT = 100.0
"""A difference of so many times the sides says no more in per cent."""

UNDEFINED_FOR_SOME = "a side is not defined for all numbers that are meant; where it is, the claim is true"
MAX_UNDEFINED = 2
"""Of each size so many instances without a value are looked at again."""

MIN_CERTAIN = 10
"""So many instances that satisfy a given inequality have to be found: fewer may lie far from where a claim fails."""


def judge_statement(trials: Trials, statement: Statement) -> StatementVerdict:
    """The verdict on one statement, by the means that fit it."""
    statement = _without_infinity(statement)
    try:
        _refuse_drawn_conditions(trials, statement)
        if trials.task.some:
            return judge_some(trials, statement)
        if _has_limit_premises(trials):
            _refuse_speeds(trials)
            return judge_along_paths(trials, statement)
        if _is_in_growing_size(trials, statement):
            return judge_growing(trials, statement)
        if statement.comparison == "normal":
            return _judge_normal(trials, statement)
        if statement.comparison in ("=", *APPROXIMATE) and _have_noise_of_their_own(trials, statement):
            return _judge_law(trials, statement)
        if statement.comparison == "≠" and not trials.task.free_indices and not trials.task.premises:
            return _judge_unequal(trials, statement)
        if statement.comparison in ("≪", "≫"):
            return _judge_much(trials, statement)
        return _judge_everywhere(trials, statement)
    except NeedsSampling:
        return _judge_by_samples(trials, statement)
    except TooLong as error:
        return StatementVerdict("undecided", str(error), span=statement.span)
    except CannotEvaluate as error:
        return StatementVerdict("not-understood", str(error), span=statement.span)


def _has_limit_premises(trials: Trials) -> bool:
    """Whether something given holds only in a limit."""
    return any(one.statement.comparison in LIMITS for one in trials.task.premises)


def _is_in_growing_size(trials: Trials, statement: Statement) -> bool:
    """Whether the claim sends a size to infinity, and this statement is one of a limit."""
    return bool(trials.task.growing) and statement.comparison in ("→", "≈")


def _judge_by_samples(trials: Trials, statement: Statement) -> StatementVerdict:
    try:
        return judge_sampled(trials, statement)
    except TooLong as error:
        return StatementVerdict("undecided", str(error), span=statement.span)
    except CannotEvaluate as error:
        return StatementVerdict("not-understood", str(error), span=statement.span)
    except (NeedsSampling, NotPolynomial):
        words = "what is given speaks of a mean that only samples tell, so that no instance can be found"
        return StatementVerdict("not-understood", words, span=statement.span)


def _refuse_drawn_conditions(trials: Trials, statement: Statement) -> None:
    """x + y = ε, ε ~ N(0, 1) ⇒ Var(x) = 0: a condition on what is drawn changes the law of all that it speaks of.

    Raises: CannotEvaluate.
    """
    if not contains(statement.left, Moment) and not contains(statement.right, Moment):
        return
    given = [one.statement for one in trials.task.premises if one.statement.comparison != "normal"]
    sides = [side for one in given for side in (one.left, one.right)]
    if any(symbols_outside_moments(side) & trials.task.random for side in sides):
        raise CannotEvaluate(
            "what is given is said of random letters as they are drawn; their moments then are not read"
        )


def _refuse_speeds(trials: Trials) -> None:
    """C → ∞ and α → 0 so that C² α → 0: how fast letters go where they go, one beside the other, is not read.

    Raises: CannotEvaluate.
    """
    for one in trials.task.premises:
        names = symbols_in(one.statement.left) | symbols_in(one.statement.right)
        if one.statement.comparison in LIMITS and len(names & set(trials.task.stated_limits)) > 1:
            raise CannotEvaluate("how fast several letters go to their limits beside each other is not read")


def _without_infinity(statement: Statement) -> Statement:
    """x → ∞ as e^−x → 0, and x → −∞ as e^x → 0: infinite sides cannot be compared."""
    if statement.comparison not in ("=", *APPROXIMATE):
        return statement
    if statement.right == NamedConstant("infinity"):
        small: Term = Apply("exp", (Apply("negative", (statement.left,)),))
    elif statement.right == Apply("negative", (NamedConstant("infinity"),)):
        small = Apply("exp", (statement.left,))
    else:
        return statement
    return replace(statement, comparison="→", left=small, right=Constant(_ZERO))


def _have_noise_of_their_own(trials: Trials, statement: Statement) -> bool:
    """Whether one side has noise of the setting and the other only noise that the claim declares: k_a ≈ γ μ_a."""
    noise = {spec.name for spec in trials.task.setting.symbols if spec.random}
    own = {name for name in noise if name.startswith("noise ")}
    left, right = (
        with_dependencies(symbols_outside_moments(side), trials.task.definitions) & noise
        for side in (statement.left, statement.right)
    )
    return bool(left and right) and not left & right and (left <= own) != (right <= own)


def _judge_law(trials: Trials, statement: Statement) -> StatementVerdict:
    """Two sides with different noise: mean and covariance are compared, as the letters themselves never agree."""
    found = StatementVerdict("holds", "")
    notes: tuple[str, ...] = ("the sides have different noise: their means and covariances are compared",)
    for kind, name in (("mean", "mean"), ("covariance", "covariance")):
        sides = [Moment(kind, (side,)) for side in (statement.left, statement.right)]  # type: ignore[arg-type]
        found = judge_statement(trials, replace(statement, left=sides[0], right=sides[1], moment=name))
        if found.verdict not in ("holds", "holds-in-limit"):
            return replace(found, reason=f"the {name} differs: {found.reason}", notes=(*found.notes, *notes))
    return replace(found, notes=(*found.notes, *notes))


def _judge_unequal(trials: Trials, statement: Statement) -> StatementVerdict:
    """≠ says that two sides are not the same in general: it is the opposite of =."""
    found = judge_statement(trials, replace(statement, comparison="="))
    if found.verdict == "fails":
        return StatementVerdict("holds", f"the sides differ: {found.reason}", found.how)
    if found.verdict == "holds":
        return replace(found, verdict="fails", reason=f"the sides are equal: {found.reason}", span=statement.span)
    return found


def _judge_everywhere(trials: Trials, statement: Statement) -> StatementVerdict:
    search = search_everywhere(trials, statement)
    how = _how(trials, statement, search)
    if search.all_undefined and trials.too_small:
        raise CannotEvaluate("numbers become too small to be told from 0; take logarithms, or smaller factors")
    if search.all_undefined and trials.has_premises():
        raise CannotEvaluate(
            "of the instances that satisfy what is given there is none on which both sides are defined"
        )
    if search.all_undefined:
        return StatementVerdict(
            "fails",
            "one side is not defined on any instance: a division by zero or a logarithm of what is not positive",
            how,
            span=statement.span,
        )
    if search.against is None and 2 * search.n_infinite >= search.n_instances and statement.comparison == "=":
        words = f"a side is infinite and the other is not on {search.n_infinite} of {search.n_instances} instances"
        return StatementVerdict("undecided", words, how, span=statement.span)
    if search.against is None and 2 * search.n_undefined >= search.n_instances:
        words = (
            f"a side is not defined on {search.n_undefined} of {search.n_instances} instances, on the others it holds"
        )
        return StatementVerdict("undecided", words, how, span=statement.span)
    is_bounded = any(one.statement.comparison in "<≤>≥" for one in trials.task.premises)
    if search.against is None and is_bounded and search.n_instances < MIN_CERTAIN:
        found = f"true of the {search.n_instances} instances that were found"
        words = f"{found}; {MIN_CERTAIN} are needed where a bound is given"
        return StatementVerdict("undecided", words, how, span=statement.span)
    if search.against is None and _is_undefined_for_some(trials, statement):
        return StatementVerdict("undecided", UNDEFINED_FOR_SOME, how, span=statement.span)
    if search.against is None:
        tried = "found that satisfy what is given" if trials.has_premises() else "tried"
        return StatementVerdict("holds", f"true of all {search.n_instances} instances {tried}", how)
    limits = trials.limits_of(statement)
    if statement.comparison in APPROXIMATE:
        return _judge_limit(trials, statement, how) if limits else _judge_percent(trials, statement, how)
    if statement.comparison in "<≤>≥" and set(limits) & set(trials.task.stated_limits):
        return _judge_far(trials, statement, search, how)
    return refute(trials, statement, search.against, violation(trials, statement), how)


def _is_undefined_for_some(trials: Trials, statement: Statement) -> bool:
    """Whether a claim about all x has one for which a side is not defined: x/x = 1 for all x."""
    known = {spec.name for spec in trials.task.setting.symbols if spec.law is not None} | set(trials.task.scalars)
    letters = known & trials.depends(statement)
    is_of_all = bool(letters) and letters <= trials.task.universal
    if not is_of_all or statement.comparison in APPROXIMATE or trials.is_random(statement):
        return False
    for batch in trials.batches(draws_for(trials, statement)):
        gaps = trials.gaps(statement, batch)
        drawn = [batch.only(slice(draw, draw + 1)) for draw in np.flatnonzero(np.isnan(gaps))]
        tame = [one for one in drawn if all(np.abs(array).max(initial=0.0) <= TAME for array in one.raw.values())]
        if any(trials.truth(statement, one) == "undefined" for one in tame[:MAX_UNDEFINED]):
            return True
    return False


def _how(trials: Trials, statement: Statement, search: SearchResult) -> str:
    means = ", ".join(sorted(trials.how)) or "float64"
    closer = (
        ""
        if "exact laws of the weights" in trials.how
        else f"; {search.n_looked_closer} looked at again with 50 digits or more"
    )
    sure = _sureness(trials, statement, search)
    return f"{search.n_instances} instances of {search.n_sizes} sizes by {means}{closer}{sure}"


def _sureness(trials: Trials, statement: Statement, search: SearchResult) -> str:
    """How sure a statement is that was not refuted: an identity, or nothing found by a search of so many steps."""
    if search.against is not None:
        return ""
    if is_rational_identity(trials.task, statement):
        return "; an identity of rational functions"
    is_inequality = statement.comparison in "<≤>≥" and search.n_steps
    return f"; a search of {search.n_steps} steps found no counterexample" if is_inequality else ""


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
            "holds", f"the sides differ by at most {percent(worst)} on all instances tried (≈ means at most 1 %)", how
        )

    def violates(draw: DrawBatch) -> bool:
        return ONE_PERCENT < float(trials.gaps(statement, draw)[0]) < math.inf

    found = refute(trials, statement, against, violates, how)
    if found.counterexample is None:  # none was confirmed
        return found
    sizes = ", ".join(f"{name} = {size}" for name, size in found.counterexample.sizes.items())
    words = f"the sides differ by {percent(found.counterexample.gap)}" + (f" at {sizes}" if sizes else "")
    return replace(found, reason=f"{words}; ≈ without a limit means at most 1 %")


def _judge_limit(trials: Trials, statement: Statement, how: str) -> StatementVerdict:
    found = find_limit(trials, statement)
    if isinstance(found, LimitFound) and not meets_to_first_order(trials, statement, found.limit):
        words = f"both sides have one limit as {found.limit.words}, but differ as much as the right side does from it"
        return StatementVerdict("fails", words, how, span=statement.span)
    if isinstance(found, LimitFound):
        how = f"{found.n_instances} instances at scales up to {SCALES[-1]:g}" + _by(trials)
        if trials.is_random(statement):
            how += "; in probability: for every draw of the noise that was tried"
        return StatementVerdict(
            "holds-in-limit", _limit_sentence(trials, found), how, rates=found.rates, notes=found.notes
        )
    return _refute_limit(trials, statement, found)


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


def _refute_limit(trials: Trials, statement: Statement, found: NoLimit) -> StatementVerdict:
    limit, scales = found.limit, NEAR if found.is_rounded else FAR

    def violates(draw: DrawBatch) -> bool:
        gaps = [float(trials.gaps(statement, limit.at(draw, scale))[0]) for scale in scales]
        return all(ONE_PERCENT < gap < math.inf for gap in gaps)

    how = f"scales up to {SCALES[-1]:g}" + _by(trials)
    judged = refute(trials, statement, found.against, violates, how, scaled=lambda draw: limit.at(draw, scales[0]))
    if judged.counterexample is None:  # none was confirmed
        return judged
    gap = judged.counterexample.gap
    if not math.isfinite(gap):
        raise TooLong(f"numbers become too large to be followed as {limit.words}")
    probability = _failing_share(trials, statement, limit) if trials.is_random(statement) else ""
    apart = percent(gap) if gap < BEYOND_PERCENT else "ever more"
    words = f"the two sides do not meet as {limit.words}: they still differ by {apart}{probability}"
    return replace(judged, reason=words)


def _failing_share(trials: Trials, statement: Statement, limit: Limit) -> str:
    batch = list(trials.batches(draws_for(trials, statement)))[-1]
    gaps = gaps_at(trials, statement, batch, [limit.at(batch, scale) for scale in SCALES])
    share = float((~is_vanishing(gaps)).mean())
    return f", for about {share:.0%} of the draws of the noise" if share > 0 else ", for some draws of the noise"


def _judge_far(trials: Trials, statement: Statement, search: SearchResult, how: str) -> StatementVerdict:
    """An inequality for large C: true of every instance from some scale on."""
    for limit in possible_limits(trials.limits_of(statement)):
        stated = set(trials.task.stated_limits)
        if not set(limit.moving) & stated and not set(limit.still) & stated:
            continue
        batches = list(trials.batches(draws_for(trials, statement)))
        if all(_is_true_far(trials, statement, limit, batch) for batch in batches):
            return StatementVerdict(
                "holds-in-limit", f"true of all instances tried once {limit.words} has gone far enough", how
            )
    assert search.against is not None
    return refute(trials, statement, search.against, violation(trials, statement), how)


def _is_true_far(trials: Trials, statement: Statement, limit: Limit, batch: DrawBatch) -> bool:
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
