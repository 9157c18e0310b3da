"""The smallest and simplest instance on which a statement is still false, confirmed by a second evaluation."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from regard.claims.meaning.randomness import ROOT
from regard.claims.meaning.shapes import Dim, known_size
from regard.claims.meaning.terms import (
    Moment,
    Statement,
    Term,
    contains,
    mentions_index,
    subterms,
    symbols_in,
    with_dependencies,
)
from regard.claims.trial.arithmetic.numbers import FLOATS
from regard.claims.trial.comparison import Sides, relative_gap, suspicion
from regard.claims.trial.instances.draws import DrawBatch, draw_batch
from regard.claims.trial.tree_evaluation import World
from regard.claims.trial.trials import Trials
from regard.claims.verdict.records import Counterexample, StatementVerdict, describe_sides
from regard.claims.verdict.sampled_moments import sample_truth

SIMPLE_DRAWS = 12
MAX_TRIES = 120
TINY = 0.1
INVISIBLE = 1e-12
"""Beside the largest entry: what rounding has left of a zero."""


def shrink(
    trials: Trials, violates: Callable[[DrawBatch], bool], against: DrawBatch, *, most_tries: int = MAX_TRIES
) -> DrawBatch:
    """A simpler draw than `against` that still violates: the smallest size that does, then the simplest numbers."""
    for row in trials.task.rows:
        for one in sorted(_simple_draws(trials, row), key=lambda draw: _blankness(trials, draw)):
            if violates(one):
                return _simplify(trials, one, violates, most_tries)
        if dict(trials.task.setting.sizes[row]) == dict(against.sizes):
            break
    return _simplify(trials, against, violates, most_tries)


def _simple_draws(trials: Trials, row: int) -> list[DrawBatch]:
    """Draws of whole numbers and unit vectors, simplest first."""
    base = trials.with_letters(draw_batch(trials.task.setting, row, SIMPLE_DRAWS, 1))
    rng = np.random.default_rng(row)
    raw = {name: _simple(trials, name, array, rng) for name, array in base.raw.items()}
    marked = {name: place for place, name in enumerate(trials.task.setting.marked)}
    batch = DrawBatch(base.setting, base.sizes, marked, raw)
    order = sorted(range(SIMPLE_DRAWS), key=lambda draw: _weight(batch, draw))
    return [batch.only(slice(draw, draw + 1)) for draw in order]


def _simple(trials: Trials, name: str, array: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    law = _law_of(trials, name)
    if law == "normal":
        return rng.choice([0.0, 0.0, 1.0, 1.0, -1.0, 2.0], array.shape)
    if law == "orthonormal":  # two equal reflections: unit vectors
        return np.repeat(array[:, :1], 2, axis=1)
    if law == "noise":
        return np.round(array, 1) + 0.05
    if law == "positive":
        low = trials.task.lower_bounds.get(name, 0.0)
        return low + rng.choice([1.0, 1.0, 2.0, 0.5], array.shape)
    return array


def _law_of(trials: Trials, name: str) -> str:
    for spec in trials.task.setting.symbols:
        if name in (spec.name, spec.group) and spec.law is not None:
            return spec.law
    return "positive"


def _weight(batch: DrawBatch, draw: int) -> float:
    return sum(float(np.abs(array[draw]).sum() + (array[draw] != 0).sum()) for array in batch.raw.values())


def _blankness(trials: Trials, draw: DrawBatch) -> tuple[int, int]:
    """How many symbols are all zeros, and how many vectors of a family are zero or equal to another of it.

    Keys that all lie at the origin, or on each other, refute little and show less: the fewer the better.
    """
    families = {spec.name for spec in trials.task.setting.symbols if spec.over is not None}
    n_odd = 0
    for name in families & draw.raw.keys():
        vectors = draw.raw[name][0].reshape(len(draw.raw[name][0]), -1)
        n_odd += len(vectors) - len({tuple(vector) for vector in vectors if vector.any()})
    return sum(not array.any() for array in draw.raw.values()), n_odd


def _simplify(trials: Trials, draw: DrawBatch, violates: Callable[[DrawBatch], bool], most_tries: int) -> DrawBatch:
    """Tiny numbers made larger; then entry by entry: 0 if it can be, else 1, −1 for what is below 0, or rounded."""
    tries = 0
    allowed = _blankness(trials, draw)
    for name in draw.raw:
        if _law_of(trials, name) != "normal" or name in trials.task.definitions:
            continue
        larger = draw.having(**{name: draw.raw[name] / max(float(np.abs(draw.raw[name]).max()), 1e-300)})
        if 0 < np.abs(draw.raw[name]).max() < TINY and violates(larger):
            draw = larger
        for place in np.ndindex(draw.raw[name].shape):
            old = float(draw.raw[name][place])
            for simple in (0.0, 1.0, min(np.sign(old), 0.0), float(np.round(old))):
                if tries >= most_tries or abs(simple) > max(abs(old), 1.0) or old in (simple, 0.0):
                    continue
                tries += 1
                changed = draw.raw[name].copy()
                changed[place] = simple
                candidate = draw.having(**{name: changed})
                if _blankness(trials, candidate) <= allowed and violates(candidate):
                    draw = candidate
                    break
    return draw


def describe_counterexample(trials: Trials, statement: Statement, draw: DrawBatch) -> Counterexample:
    """The draw as it is printed: sizes, the symbols that matter, both sides at the place that refutes most."""
    sides = max(trials.sides(statement, draw), key=lambda one: _doubt(statement.comparison, one))
    world = trials.world(draw, FLOATS)
    if trials.names_indices:
        world = world.with_given(marked={**world.marked, **sides.assignment})
    named = _index_names(trials, statement)
    marked = {name: place for name, place in draw.marked.items() if name in named}
    places = {name: place + 1 for name, place in {**marked, **sides.assignment}.items()}
    with np.errstate(all="ignore"):
        shown = {name: to_plain(world.value(name)) for name in _worth_showing(trials, statement, world)}
    left, right = to_plain(sides.left), to_plain(sides.right)
    return Counterexample(
        _sizes_worth_showing(trials, statement, draw),
        {**places, **shown},
        left,
        right,
        float(f"{_gap(sides.left, sides.right):.6g}"),
    )


def _spoken_of(trials: Trials, statement: Statement) -> list[Term]:
    """What is claimed, what is given, and what the claim defines."""
    sides = [side for one in trials.task.premises for side in (one.statement.left, one.statement.right)]
    own = [one.body for name, one in trials.task.definitions.items() if name in trials.task.trees]
    return [statement.left, statement.right, *sides, *own]


def _index_names(trials: Trials, statement: Statement) -> set[str]:
    """The named indices, a and b, that the claim speaks of."""
    terms = _spoken_of(trials, statement)
    return {name for name in trials.task.setting.marked if any(mentions_index(term, name) for term in terms)}


def _sizes_worth_showing(trials: Trials, statement: Statement, draw: DrawBatch) -> dict[str, int]:
    """The sizes; without a setting only those of letters that count here, as a claim on numbers has none."""
    setting = trials.task.setting
    if not setting.broadcasts:
        return dict(draw.sizes)
    terms = _spoken_of(trials, statement)
    depends = with_dependencies(set().union(*map(symbols_in, terms)), trials.task.definitions)
    specs = [spec for spec in setting.symbols if spec.name in depends]
    used = {str(known_size(size)) for spec in specs for size in spec.shape} | {spec.over for spec in specs}
    used |= {str(known_size(size)) for term in terms for size in _sizes_in(term)}
    return {name: size for name, size in draw.sizes.items() if name in used}


def _sizes_in(term: Term) -> set[Dim]:
    """The sizes that an expression speaks of itself: n, I_n, Σ_{i=1}^n."""
    found: set[Dim] = {getattr(term, "size", 1), *getattr(term, "shape", ())}
    return found.union(*map(_sizes_in, subterms(term)))


def _worth_showing(trials: Trials, statement: Statement, world: World) -> list[str]:
    """Given symbols and those that the claim defines; noise and what follows from it only where it was drawn."""
    is_drawn = trials.is_random(statement)
    depends = trials.depends(statement).union(*(trials.depends(one.statement) for one in trials.task.premises))
    names = [name for name in sorted(depends) if name in world.given or name in trials.task.trees]
    names = list(dict.fromkeys(name.removeprefix(ROOT) for name in names))  # Σ, where its root was drawn
    return [name for name in names if is_drawn or name not in trials.task.random]


def _doubt(comparison: str, sides: Sides) -> float:
    """How much a place speaks against the statement; of an inequality, how far one side is beyond the other."""
    if comparison in ("<", "≤", ">", "≥"):
        return float(suspicion(comparison, sides)[0])
    return _gap(sides.left, sides.right)


def _gap(left: np.ndarray, right: np.ndarray) -> float:
    gap = float(relative_gap(left, right)[0])
    return float("inf") if np.isnan(gap) else gap


def _six_digits(x: float, largest: float) -> float:
    return 0.0 if abs(x) < INVISIBLE * largest else float(f"{x:.6g}")


_ROUND = np.vectorize(_six_digits, otypes=[float])


def to_plain(value: Any) -> Any:
    """A value of one draw as a number or nested lists, to six digits; columns are lists, families lists of them."""
    array = np.asarray(value, dtype=float)
    array = array[0] if array.ndim > 2 else array
    largest = float(np.nanmax(np.abs(array), initial=1.0))
    with np.errstate(invalid="ignore"):  # a side may be no number in float64
        rounded = _ROUND(array, largest)
    if rounded.ndim == 3:
        return [to_plain(member[None]) for member in rounded]
    if rounded.shape == (1, 1):
        return float(rounded[0, 0])
    return (rounded[:, 0] if rounded.shape[1] == 1 else rounded).tolist()


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
