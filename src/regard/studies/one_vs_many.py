"""One head against many: what reaches the output when keys vary in length, exactly.

The classic exercise: n keys with orthonormal means, k_a = μ_a (1 + g) + small isotropic noise, g ~ N(0, ½); the output
should be the average of the wanted keys' values. Three designs with the same scale C are set side by side:

    one pull head     q = C Σ_wanted μ_i                     towards the wanted keys
    one push head     q = −C Σ_others μ_i                    away from the others: lengths of wanted keys do not matter
    many pull heads   q_h = C μ_h, one for each wanted key, outputs averaged
"""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from scipy.optimize import brentq

from regard.cluster import map_batches
from regard.errors import ValueRangeError
from regard.noise import Covariance, Estimate, GaussianKeys, OutputLaw, isotropic, output_law, radial
from regard.progress import Progress, silent, track
from regard.records import ALONE, OutputCloud, Workers
from regard.report.one_vs_many import draw_curves
from regard.shapes import Float
from regard.tables import StudyTable

MAX_KEYS = 1_000
MAX_SIZE = 1e12
"""Of scales and variances: beyond, squares of logits overflow."""
MAX_NUMBERS = 100_000_000
"""Of all draws together, a number for each key: 0.8 GB."""
CLASSIC_SCALES = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)


@dataclass(frozen=True)
class Config:
    """The exercise: `wanted` keys of `n_keys` are to be averaged.

    `radial` and `isotropic` are variances; `all_noisy` gives every key the radial noise that only the first has in the
    classic exercise. With `n_draws`, sampled figures stand beside the exact ones.
    """

    n_keys: int = 10
    wanted: int = 2
    scales: tuple[float, ...] = CLASSIC_SCALES
    radial: float = 0.5
    isotropic: float = 1e-4
    all_noisy: bool = False
    n_draws: int = 0
    seed: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.wanted < self.n_keys:
            raise ValueRangeError(
                f"the wanted keys must be at least one and fewer than all; got {self.wanted} of {self.n_keys}"
            )
        if self.n_keys > MAX_KEYS:
            raise ValueRangeError(f"this study takes at most {MAX_KEYS:,} keys; got {self.n_keys:,}")
        if not self.scales or not all(0 < scale <= MAX_SIZE for scale in self.scales):
            raise ValueRangeError(f"scales must be positive numbers up to {MAX_SIZE:g}; got {self.scales}")
        for name in ("radial", "isotropic"):
            if not 0 <= getattr(self, name) <= MAX_SIZE:
                raise ValueRangeError(f"{name} must be a variance from 0 to {MAX_SIZE:g}; got {getattr(self, name)}")
        if not 0 <= self.n_draws * self.n_keys <= MAX_NUMBERS:
            raise ValueRangeError(
                f"the number of draws must be from 0 to {MAX_NUMBERS // self.n_keys:,} for {self.n_keys} keys; "
                f"got {self.n_draws:,}"
            )


@dataclass(frozen=True)
class Design:
    """A family of queries with one scale; `wanted_weight` is what the first key should weigh in its head."""

    name: str
    queries: Callable[[float], Float[np.ndarray, "head width"]]
    wanted_weight: float


def designs(config: Config) -> tuple[Design, Design, Design]:
    """The three designs of the study."""
    axes = np.eye(config.n_keys)
    wanted, others = axes[: config.wanted], axes[config.wanted :]
    share = 1 / config.wanted
    return (
        Design("one pull head", lambda scale: scale * wanted.sum(axis=0)[None], share),
        Design("one push head", lambda scale: -scale * others.sum(axis=0)[None], share),
        Design(f"{config.wanted} pull heads", lambda scale: scale * wanted, 1.0),
    )


def noisy_keys(config: Config) -> GaussianKeys:
    """Orthonormal means with the noise of the exercise."""
    covariance: Covariance = isotropic(config.isotropic)
    covariance = covariance + radial(config.radial, key=None if config.all_noisy else 0)
    return GaussianKeys(np.eye(config.n_keys), covariance)


def draw_keys(config: Config, *, n_draws: int = 600) -> Float[np.ndarray, "draw 2"]:
    """Draws of the first key, which varies in length: its coordinates along the first two means."""
    sd = np.sqrt(
        np.diagonal(noisy_keys(config).matrix(0))[:2]
    )  # the means are axes, so the coordinates are independent
    return np.array([1.0, 0.0]) + sd * np.random.default_rng(config.seed).standard_normal((n_draws, 2))


def target(config: Config) -> Float[np.ndarray, " width"]:
    """The average of the wanted values; values are orthonormal."""
    return np.where(np.arange(config.n_keys) < config.wanted, 1 / config.wanted, 0.0)


def output_law_of(config: Config, design: Design, scale: float) -> OutputLaw:
    """The exact law of a design's output."""
    return output_law(noisy_keys(config), np.eye(config.n_keys), design.queries(scale))


def run(config: Config, *, workers: Workers = ALONE, progress: Progress = silent) -> StudyTable:
    """Mean, variance, error and failure of every design at every scale, and where one head is the better."""
    columns = ["scale", "design", "wanted_share", "variance", "mean_squared_error", "failure", "method", "error"]
    if config.n_draws:
        columns += ["sampled_variance", "sampled_mean_squared_error"]
    cases = [(config, number, scale) for scale in config.scales for number in range(len(designs(config)))]
    found = map_batches(solve_case, cases, workers=workers, total=len(cases), progress=progress, message="exact laws")
    answers = [json.loads(answer) for answer in found]
    rows = [tuple(answer["row"]) for answer in answers]
    failures = [Estimate(**answer["failure"]) for answer in answers]
    return StudyTable(
        title=f"One head against {config.wanted}: averaging {config.wanted} of {config.n_keys} keys under noise",
        columns=tuple(columns),
        rows=tuple(rows),
        notes=(*_notes(config), _failure_note(failures), _method_note(rows)),
        config=dataclasses.asdict(config),
        draw=draw_curves,
    )


def solve_case(config: Config, design: int, scale: float) -> bytes:
    """One row of the table, and its failure with method and error, as JSON, which keeps every digit."""
    row, lost = _make_row(config, designs(config)[design], scale)
    return json.dumps({"row": row, "failure": dataclasses.asdict(lost)}).encode()


def _make_row(config: Config, design: Design, scale: float) -> tuple[tuple[object, ...], Estimate]:
    """One row of the table, and its failure with method and error."""
    found, wanted = output_law_of(config, design, scale), target(config)
    lost = failure(found, design)
    row = (
        scale,
        design.name,
        float(found.mean[: config.wanted].sum()),
        found.variance,
        found.mean_squared_error(wanted),
        lost.value,
        found.method,
        found.error,
    )
    if not config.n_draws:
        return row, lost
    draws = found.sample(np.random.default_rng(config.seed), config.n_draws)
    return (*row, float(draws.var(axis=0).sum()), float(((draws - wanted) ** 2).sum(axis=1).mean())), lost


def failure(found: OutputLaw, design: Design) -> Estimate:
    """Probability that the first key weighs less than half of what it should in its head."""
    kept = found.probability(0, above=design.wanted_weight / 2)
    return Estimate(1 - kept.value, kept.method, kept.error)


@lru_cache(maxsize=32)
def find_crossing(config: Config, *, low: float = 1e-2, high: float = 300.0) -> float | None:
    """The scale at which one pull head and many have equal errors; None where there is none."""
    if config.wanted == 1:
        return None  # one head and many are the same
    one, _, many = designs(config)

    def gap(log_scale: float) -> float:
        scale = math.exp(log_scale)
        errors = [output_law_of(config, design, scale).mean_squared_error(target(config)) for design in (one, many)]
        return errors[0] - errors[1]

    grid = np.linspace(math.log(low), math.log(high), 25)
    gaps = [gap(point) for point in grid]
    for (left, gap_left), (right, gap_right) in zip(
        zip(grid, gaps, strict=True), zip(grid[1:], gaps[1:], strict=True), strict=False
    ):
        if gap_left < 0 <= gap_right:
            return math.exp(brentq(gap, left, right, xtol=1e-12))
    return None


def _notes(config: Config) -> tuple[str, ...]:
    equal = find_crossing(config)
    if config.wanted == 1:
        better = "with a single wanted key one head and many are the same"
    elif equal is None:
        better = f"one pull head is nowhere the better: {config.wanted} have the smaller error at every scale"
    else:
        better = f"one pull head has the smaller error below C = {equal:.6f}, {config.wanted} heads above"
    who = "every key" if config.all_noisy else "the first key"
    return (
        better,
        f"noise: {who} varies in length with variance {config.radial:g}, all keys in every direction with "
        f"{config.isotropic:g}; values orthonormal",
    )


def _failure_note(failures: list[Estimate]) -> str:
    methods = ", ".join(dict.fromkeys(each.method for each in failures))
    return (
        "failure: probability that the first key weighs less than half of what it should in its head; by: "
        f"{methods}; none errs by more than {_round_up(max(each.error for each in failures)):.0e}"
    )


def _method_note(rows: list[tuple[Any, ...]]) -> str:
    methods = ", ".join(dict.fromkeys(row[6] for row in rows))
    largest = _round_up(max(1e-300, *(row[7] for row in rows)))
    return f"mean and covariance are exact, by: {methods}; no entry errs by more than {largest:.0e}"


def _round_up(error: float) -> float:
    """To a power of ten."""
    return 10.0 ** math.ceil(math.log10(error))


def compute_curves(
    config: Config,
    *,
    low: float = 0.3,
    high: float = 300.0,
    n_points: int = 37,
    workers: Workers = ALONE,
    progress: Progress = silent,
) -> StudyTable:
    """The study on a fine grid of scales, for the figure."""
    scales = [float(scale) for scale in np.geomspace(low, high, n_points)]
    cases = [(config, number, scale) for number in range(len(designs(config))) for scale in scales]
    found = map_batches(solve_point, cases, workers=workers, total=len(cases), progress=progress, message="curves")
    rows = [tuple(json.loads(point)) for point in found]
    columns = ("scale", "design", "variance", "mean_squared_error")
    title = "Variance and error against the scale"
    return StudyTable(title, columns, tuple(rows), config=dataclasses.asdict(config), draw=draw_curves)


def solve_point(config: Config, design: int, scale: float) -> bytes:
    """One point of the curves, as JSON."""
    chosen = designs(config)[design]
    found = output_law_of(config, chosen, scale)
    return json.dumps([scale, chosen.name, found.variance, found.mean_squared_error(target(config))]).encode()


def sample_clouds(
    config: Config, scale: float, *, n_draws: int = 1500, progress: Progress = silent
) -> tuple[OutputCloud, ...]:
    """Draws of every design's output at one scale, with the exact density of the first key's weight."""
    rng = np.random.default_rng(config.seed)
    every = track(designs(config), progress=progress, message="densities")
    return tuple(_cloud(config, design, scale, rng, n_draws) for design in every)


def _cloud(config: Config, design: Design, scale: float, rng: np.random.Generator, n_draws: int) -> OutputCloud:
    found = output_law_of(config, design, scale)
    draws = found.sample(rng, n_draws)
    wanted = draws[:, : config.wanted].sum(axis=1)
    shares = np.stack([draws[:, 0], wanted - draws[:, 0], 1 - wanted], axis=1)
    head = found.heads[0]
    mean, spread = float(head.weight_mean[0]), math.sqrt(float(head.weight_variance[0]))
    weights = _density_grid(mean, spread)
    return OutputCloud(design.name, shares, weights, found.density_curve(0, at=weights).value, mean)


def _density_grid(mean: float, spread: float) -> Float[np.ndarray, " node"]:
    """Weights at which to show a density: where it is, if narrow; else uniform in the logit, where it is smooth."""
    if spread < 1e-3:
        return np.zeros(0)
    if spread < 0.1:
        return np.linspace(max(mean - 4.5 * spread, 1e-3), min(mean + 4.5 * spread, 1 - 1e-3), 31)
    return 1 / (1 + np.exp(-np.linspace(-9, 9, 91)))
