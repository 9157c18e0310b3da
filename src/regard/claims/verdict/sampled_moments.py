"""Moments from samples, and a sequential test for those that no exact law gives: sample, look, sample twice as many.

The difference of the two sides is estimated on independent groups of samples, both sides on the same ones. At each look
it is compared with its standard error over the groups (Student's t); the thresholds of all looks, entries and instances
together leave a probability of at most 1e-6 to reject a true statement. A statement stands when a difference of more
than one per cent has been ruled out with that certainty. Neither is said while a few samples make up most of a
variance: then the tail that matters has not been seen yet, and no standard error can be trusted. What is still open
after the last look, or when time is up, is undecided.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Literal, TypeAlias

import numpy as np

from regard.claims.meaning.terms import Moment, Statement
from regard.claims.trial.arithmetic.numbers import DEFINED_FLOATS, CannotEvaluate, Value
from regard.claims.trial.comparison import ROUNDING
from regard.claims.trial.grid_moments import flatten_sides, integrate_sides
from regard.claims.trial.instances.draws import DrawBatch, build_world
from regard.claims.trial.limit import Limit, possible_limits
from regard.claims.trial.tree_evaluation import World, evaluate
from regard.claims.trial.trials import Trials
from regard.claims.verdict.records import StatementVerdict
from regard.display import percent


@dataclass
class SampleMoments:
    """Works out moments from samples: the noise has draws on its leading axis, and nothing else has more than one.

    `seen` holds, for each moment, the largest squared deviation of a single sample and the sum of all.
    """

    seen: dict[Any, tuple[np.ndarray, np.ndarray]] = field(default_factory=dict)

    @property
    def dominance(self) -> float:
        """The largest share that one sample has in a variance: near 1/n for tame laws, near 1 for heavy tails."""
        shares = [top[total > 0] / total[total > 0] for top, total in self.seen.values()]
        return max((float(share.max()) for share in shares if share.size), default=0.0)

    def __call__(self, node: Moment, world: World, bound: Mapping[str, int]) -> Value:
        """The sample moment, unbiased."""
        values = [evaluate(argument, world, bound) for argument in node.arguments]
        n_draws = max(len(value) if value.ndim > 2 else 1 for value in world.given.values())
        values = [np.broadcast_to(value, (n_draws, *value.shape[-2:])) for value in values]
        place = (id(node), *sorted({**world.marked, **bound}.items()))
        if node.kind == "mean":
            self.note(place, values[0])
            return values[0].mean(axis=0, keepdims=True)
        centred = [value - value.mean(axis=0) for value in values]
        for side, value in enumerate(centred):
            self.note((side, *place), value * value)
        return _spread(node.kind, centred[0], centred[-1])

    def note(self, place: Any, value: np.ndarray) -> None:
        """Adds the squared deviations of some samples."""
        with np.errstate(all="ignore"):
            squares = (value - value.mean(axis=0)) ** 2
            top, total = squares.max(axis=0), squares.sum(axis=0)
        before = self.seen.get(place, (np.zeros_like(top), np.zeros_like(total)))
        self.seen[place] = (np.maximum(top, before[0]), total + before[1])


def _spread(kind: str, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """A covariance, the variances of all entries, or their sum, from centred samples."""
    n_draws = len(left)
    if kind == "variances":
        return (left * left).sum(axis=0, keepdims=True) / (n_draws - 1)
    if kind == "total":
        return (left * left).sum(axis=(0, 1, 2), keepdims=True) / (n_draws - 1)
    flat = [one.reshape(n_draws, -1) for one in (left, right)]
    return (flat[0].T @ flat[1])[None] / (n_draws - 1)


MAX_SHARE = 100.0
"""A difference of so many times the sides says no more in per cent."""

FARTHER = 1e4
"""The scale at which a limit is looked at."""


def judge_sampled(trials: Trials, statement: Statement) -> StatementVerdict:
    """Moments that no exact law gives: a sequential test, in a limit at a far scale."""
    limits = trials.limits_of(statement) if statement.comparison in ("≈", "→") else {}
    everywhere = replace(statement, comparison="=") if limits else statement
    found = integrate_everywhere(trials, everywhere) or sample_everywhere(trials, everywhere, lambda draw: draw)
    if found.answer == "yes":
        return StatementVerdict(
            "holds", f"no difference was found; one of {_share(found.resolution)} would have been seen", _by_test(found)
        )
    for limit in possible_limits(limits):
        found = sample_everywhere(trials, statement, partial(_at_far, limit))
        if found.answer == "yes":
            words = f"at scale {FARTHER:g} the sides differ by less than 1 %, so as {limit.words}"
            return StatementVerdict("holds-in-limit", words, _by_test(found))
    if found.answer == "undecided":
        return _leave_undecided(statement, found)
    apart = percent(found.gap) if found.gap < MAX_SHARE else "more than either of them is large"
    words = f"the two sides differ by {apart} at {_sizes_text(found.draw)}"
    return StatementVerdict("fails", words, _by_test(found), span=statement.span)


def _share(resolution: float) -> str:
    """1 %, or 2e-09 of the larger side."""
    return percent(resolution, digits=2) if resolution >= 0.0005 else f"{resolution:.1g} of the larger side"


def _by_test(found: SampledAnswer) -> str:
    if found.is_integral:
        return f"integrals over the noise of {found.n_instances} instances, on a grid"
    risk = f"probability of a wrong rejection at most {ERROR_PROBABILITY:g}"
    return f"sequential test on samples of {found.n_instances} instances, {risk}"


def _leave_undecided(statement: Statement, found: SampledAnswer) -> StatementVerdict:
    """Neither shown nor refuted: no verdict is given that might be wrong."""
    within = f"{percent(found.gap, digits=2)}, give or take {percent(found.resolution, digits=2)}"
    reason = (
        f"{found.n_samples} samples are too few to tell: the two sides differ by {within}; "
        f"a verdict would be wrong more often than once in {1 / ERROR_PROBABILITY:,.0f} times"
    )
    return StatementVerdict("undecided", reason, _by_test(found), span=statement.span)


def _at_far(limit: Limit, draw: DrawBatch) -> DrawBatch:
    return limit.at(draw, FARTHER)


def _sizes_text(draw: DrawBatch) -> str:
    return ", ".join(f"{name} = {size}" for name, size in draw.sizes.items())


SampledSides: TypeAlias = tuple[np.ndarray, np.ndarray]

Decision: TypeAlias = Literal["yes", "no", "undecided"]

ERROR_PROBABILITY = 1e-6

N_GROUPS = 32

FIRST_SIZE = 256

N_LOOKS = 11

TOLERANCE = 0.01

DOMINANT = 0.01
"""No standard error is trusted while a single sample has so large a share of a variance."""

N_ROWS = 2

N_DRAWS = 2

MAX_PLACES = 6

PIECE = 8192
"""Samples worked out at once; fewer where values are large."""

MAX_NUMBERS = 1 << 21

SHARE_OF_TIME = 0.25
"""The share of the time that is left to a claim which one instance may take."""


@dataclass(frozen=True)
class SampledAnswer:
    """What the test says: the relative difference `gap`, known to within `resolution`, of `draw`."""

    answer: Decision
    gap: float
    resolution: float
    draw: DrawBatch
    n_samples: int = 0
    n_instances: int = 1
    is_integral: bool = False


INTEGRAL_DRAWS = 6
MIN_INTEGRALS = 6
ORDER_DRAWS = 24
"""More for an inequality, which may fail on few; every other of them has small numbers."""
SMALL = 0.3
CLEAR = 10.0
"""A difference of two integrals counts where it is so many times their error, or more."""


def integrate_everywhere(trials: Trials, statement: Statement) -> SampledAnswer | None:
    """What integrals over the noise say of several draws; None where they cannot be had, or say too little."""
    found: list[SampledAnswer] = []
    is_order = statement.comparison in "<≤>≥"
    n_draws = ORDER_DRAWS if is_order else INTEGRAL_DRAWS
    for batch in trials.batches(n_draws):
        for draw in range(min(n_draws, len(batch))):
            one = batch.only(slice(draw, draw + 1))
            one = _shrunk(trials, one) if is_order and draw % 2 and not trials.task.premises else one
            answer = _integrated_truth(trials, statement, one)
            found += [answer] if answer is not None else []
            if answer is not None and answer.answer == "no":
                return replace(answer, n_instances=len(found))
    if len(found) < MIN_INTEGRALS or any(one.answer != "yes" for one in found):
        return None
    return replace(max(found, key=lambda one: one.resolution), n_instances=len(found))


def _shrunk(trials: Trials, draw: DrawBatch) -> DrawBatch:
    """The draw with numbers of a third of their size: a variance may be below a deviation."""
    names = [
        spec.name for spec in trials.task.setting.symbols if spec.law in ("normal", "positive") and not spec.random
    ]
    return draw.having(**{name: SMALL * draw.raw[name] for name in names if name in draw.raw})


def _integrated_truth(trials: Trials, statement: Statement, draw: DrawBatch) -> SampledAnswer | None:
    """Whether a statement is true of one draw by its integrals; "no" where the sides plainly differ."""
    sides = integrate_sides(trials, statement, draw)
    if sides is None:
        return None
    left, right, error = sides
    scale = max(float(np.abs(left).max()), float(np.abs(right).max()), 1e-300)
    scale = scale if left.any() and right.any() else max(scale, 1.0)
    gap, error = (left - right) / scale, error / scale + ROUNDING
    if error.max() > TOLERANCE:
        return None  # next to nothing is left of what cancels
    answer = decide_by_samples(statement.comparison, gap, error)
    if answer == "no" and decide_by_samples(statement.comparison, gap, CLEAR * error) != "no":
        answer = "undecided"
    return SampledAnswer(answer, float(np.abs(gap).max()), float(error.max()), draw, is_integral=True)


def sample_everywhere(trials: Trials, statement: Statement, change: Callable[[DrawBatch], DrawBatch]) -> SampledAnswer:
    """What the test says of several draws, each changed: the first that is not "yes", else the least certain."""
    rng = np.random.default_rng(0)
    rows = trials.task.rows[:N_ROWS]
    found: list[SampledAnswer] = []
    for batch in trials.batches(N_DRAWS):
        if len(found) >= len(rows) * N_DRAWS:
            break
        for draw in range(N_DRAWS):
            one = change(batch.only(slice(draw, draw + 1)))
            if not _is_defined(trials, statement, one):
                continue
            found.append(sample_truth(trials, statement, one, rng, n_tests=len(rows) * N_DRAWS))
            if found[-1].answer == "no":
                again = sample_truth(trials, statement, one, np.random.default_rng(1), n_tests=len(rows) * N_DRAWS)
                found[-1] = again if again.answer != "no" else found[-1]  # a second sample must say so, too
            if found[-1].answer != "yes":
                return replace(found[-1], n_instances=len(found))
    if not found:
        raise CannotEvaluate("a side is not defined on any instance that was tried")
    return replace(max(found, key=lambda one: one.resolution), n_instances=len(found))


def _is_defined(trials: Trials, statement: Statement, draw: DrawBatch) -> bool:
    """Whether both sides are numbers: where log 0 stands in them, an instance says nothing."""
    sides = _piece(trials, statement, draw, np.random.default_rng(0), FEW_SAMPLES, SampleMoments())
    return not any(np.isnan(side).any() for side in sides)


FEW_SAMPLES = 8


def sample_truth(
    trials: Trials,
    statement: Statement,
    draw: DrawBatch,
    rng: np.random.Generator,
    *,
    n_tests: int = 1,
    n_looks: int = 11,
) -> SampledAnswer:
    """Whether the statement is true of one draw, by the sequential test."""
    from scipy.special import stdtrit  # scipy.stats takes seconds to load

    now = time.thread_time()
    deadline = now + SHARE_OF_TIME * (trials.deadline - now)
    result = SampledAnswer("undecided", 0.0, np.inf, draw)
    for look in range(n_looks):
        moments, n_samples = SampleMoments(), FIRST_SIZE * 2**look
        groups = [_group(trials, statement, draw, rng, n_samples, moments) for _ in range(N_GROUPS)]
        differences = np.stack([left - right for left, right in groups])
        level = ERROR_PROBABILITY / (2 * N_LOOKS * n_tests * differences.shape[1])
        half = -float(stdtrit(N_GROUPS - 1, level)) * differences.std(axis=0, ddof=1) / np.sqrt(N_GROUPS)
        gap, error = (one / _scale(groups, n_samples) for one in (differences.mean(axis=0), half))
        answer = decide_by_samples(statement.comparison, gap, error) if moments.dominance <= DOMINANT else "undecided"
        result = SampledAnswer(answer, float(np.abs(gap).max()), float(error.max()), draw, N_GROUPS * n_samples)
        if answer != "undecided" or time.thread_time() > deadline or not np.isfinite(differences).all():
            break
    return result


def decide_by_samples(comparison: str, gap: np.ndarray, error: np.ndarray) -> Decision:
    """What differences, relative and good to within their errors, say of a comparison.

    >>> [decide_by_samples(comparison, np.array([0.002]), np.array([0.001])) for comparison in ("=", "≈")]
    ['no', 'yes']
    """
    is_fine = bool(error.max() <= TOLERANCE)
    if comparison == "≠":
        return "yes" if bool((np.abs(gap) > error).any()) else "undecided"
    if comparison == "=":
        return "no" if bool((np.abs(gap) > error).any()) else "yes" if is_fine else "undecided"
    if comparison in ("≈", "→"):
        is_off = bool((np.abs(gap) > error + TOLERANCE).any())
        is_near = bool((np.abs(gap) + error <= TOLERANCE).all())
        return "no" if is_off else "yes" if is_near else "undecided"
    margin = -gap if comparison in "<≤" else gap
    if bool((margin > error).all()):
        return "yes"
    if bool((margin < -error).any()):
        return "no"
    return "yes" if comparison in "≤≥" and is_fine else "undecided"


def _scale(groups: list[SampledSides], n_samples: int) -> float:
    """The size of the larger side; beside an exact zero, the standard deviation of one sample."""
    left, right = (np.stack([pair[side] for pair in groups]) for side in (0, 1))
    if not left.any() or not right.any():
        return float((left - right).std(axis=0).max()) * n_samples**0.5 + 1e-300
    return float(max(np.abs(left.mean(axis=0)).max(), np.abs(right.mean(axis=0)).max())) + 1e-300


def _group(
    trials: Trials,
    statement: Statement,
    draw: DrawBatch,
    rng: np.random.Generator,
    n_samples: int,
    moments: SampleMoments,
) -> SampledSides:
    """Both sides from one group of samples, in pieces of bounded size: the mean over the pieces."""
    largest = max(draw.sizes.values())
    piece = max(FIRST_SIZE, min(PIECE, MAX_NUMBERS // largest**3))
    n_pieces = max(1, n_samples // piece)
    pieces = [_piece(trials, statement, draw, rng, n_samples // n_pieces, moments) for _ in range(n_pieces)]
    left, right = (np.mean([one[side] for one in pieces], axis=0) for side in (0, 1))
    return left, right


def _piece(
    trials: Trials,
    statement: Statement,
    draw: DrawBatch,
    rng: np.random.Generator,
    n_samples: int,
    moments: SampleMoments,
) -> SampledSides:
    """Both sides, for each way to point the free indices, flattened."""
    noise = {
        spec.name: rng.standard_normal((n_samples, *draw.raw[spec.name].shape[1:]))
        for spec in trials.task.setting.symbols
        if spec.random
    }
    definitions, families = trials.task.definitions, trials.task.families
    world = build_world(
        draw.having(**noise), definitions=definitions, families=families, numbers=DEFINED_FLOATS, moments=moments
    )
    world.deadline = trials.deadline
    return flatten_sides(statement, world, _few(trials.assignments(draw)))


def _few(assignments: list[dict[str, int]]) -> list[dict[str, int]]:
    """Some of them, from the first to the last."""
    places = np.unique(np.linspace(0, len(assignments) - 1, MAX_PLACES).round().astype(int))
    return [assignments[place] for place in places] if assignments else [{}]
