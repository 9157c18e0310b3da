"""What chapter 3 asks of the package: two keys to be averaged, one of which keeps its direction but not its length.

k_a = (1 + g) μ_a + small noise in every direction, g ~ N(0, variance). A query that pulls towards both keys,
q = C(μ_a + μ_b), turns g into a difference of logits C·g and flips between the two values; one that pushes away
from all other keys, q = −C Σ μ_other, does not see g at all.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from regard.report.figures import COLOURS, FAINT, LINES, new_figure
from regard.report.one_vs_many import draw_key_plane
from regard.shapes import Float
from regard.studies.one_vs_many import Config, Design, designs, draw_keys, output_law_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

N_DRAWS = 600
SCALES = np.geomspace(0.3, 100, 25)
LOPSIDED = 0.9
"""A weight above this, or below one minus this, is a flip: the output is one value, not the average of two."""


@dataclass(frozen=True, eq=False)
class WeightSample:
    """One design at one scale: its weight of the first key over draws, and what is known of it exactly."""

    name: str
    weights: Float[np.ndarray, " draw"]
    sampled_variance: float
    variance: float
    flips: float


@dataclass(frozen=True, eq=False)
class Experiment:
    """The exercise, the scale at which it is looked at, draws of the noisy key, and the outcome of each design."""

    config: Config
    scale: float
    keys: Float[np.ndarray, "draw 2"]
    outcomes: tuple[WeightSample, WeightSample]


@lru_cache(maxsize=32)
def run_experiment(*, n_keys: int, variance: float, scale: float, seed: int) -> Experiment:
    """Everything that the chapter shows, for one setting of its controls."""
    config = Config(n_keys=n_keys, wanted=2, radial=variance, seed=seed)
    pull, push, _ = designs(config)
    outcomes = (_outcome(config, pull, scale), _outcome(config, push, scale))
    return Experiment(config, scale, draw_keys(config, n_draws=N_DRAWS), outcomes)


def _outcome(config: Config, design: Design, scale: float) -> WeightSample:
    found = output_law_of(config, design, scale)
    draws = found.sample(np.random.default_rng(config.seed), N_DRAWS)
    above, below = (found.probability(0, above=weight).value for weight in (LOPSIDED, 1 - LOPSIDED))
    flips = min(1.0, max(0.0, above) + max(0.0, 1 - below))
    return WeightSample(design.name, draws[:, 0], float(draws.var(axis=0).sum()), found.variance, flips)


@lru_cache(maxsize=64)
def variance_curves(n_keys: int, variance: float) -> dict[str, Any]:
    """The exact variance of the output at every scale, for each design."""
    config = Config(n_keys=n_keys, wanted=2, radial=variance)
    curves = {
        design.name: np.array([output_law_of(config, design, float(scale)).variance for scale in SCALES])
        for design in designs(config)[:2]
    }
    return {"scale": SCALES, **curves}


@lru_cache(maxsize=32)
def figure(now: Experiment) -> Figure:
    """The noisy key, the weight it gets over draws under the exact density, and the variance against the scale."""
    drawing = new_figure((10.0, 6.6))
    axes = drawing.subplots(2, 2)
    draw_key_plane(axes[0, 0], now.keys, now.config.radial)
    axes[0, 0].set_title("draws of the key $k_a$: direction kept, length not", fontsize=10)
    _draw_variances(axes[0, 1], now)
    for place, outcome in enumerate(now.outcomes):
        _draw_weights(axes[1, place], now, outcome, place)
    return drawing


def _draw_variances(axes: Axes, now: Experiment) -> None:
    curves = variance_curves(now.config.n_keys, now.config.radial)
    for place, outcome in enumerate(now.outcomes):
        axes.loglog(curves["scale"], curves[outcome.name], LINES[place], color=COLOURS[place], label=outcome.name)
        axes.plot([now.scale], [outcome.variance], "o", color=COLOURS[place])
    axes.set_title("exact variance of the output", fontsize=10)
    axes.set_xlabel("scale C of the query")
    axes.set_ylabel("variance")
    axes.legend(frameon=False, fontsize=8)


def _draw_weights(axes: Axes, now: Experiment, outcome: WeightSample, place: int) -> None:
    design = designs(now.config)[place]
    axes.hist(outcome.weights, bins=np.linspace(0, 1, 41).tolist(), density=True, color=COLOURS[place], alpha=0.35)
    if outcome.weights.std() > 0.003:  # else the density is a needle
        at = (1 - np.cos(np.linspace(0.02, np.pi - 0.02, 161))) / 2  # closer together where a flipping density rises
        axes.plot(at, output_law_of(now.config, design, now.scale).density_curve(0, at=at).value, color=COLOURS[place])
        axes.set_ylim(0, 8)
    axes.axvline(0.5, color=FAINT, linewidth=1)
    axes.set_xlim(0, 1)
    axes.set_xlabel("weight of key a")
    axes.set_ylabel("density")
    axes.set_title(f"{outcome.name}: {N_DRAWS} draws and the exact density", fontsize=10)


def outcome_table(now: Experiment) -> str:
    """What each design does, in Markdown."""
    rows = [
        f"| {outcome.name} | {outcome.variance:.4g} | {outcome.sampled_variance:.4g} | {_probability(outcome.flips)} |"
        for outcome in now.outcomes
    ]
    heading = (
        f"| design | variance of the output, exact | over {N_DRAWS} draws | probability of a flip, exact |"
        "\n| --- | ---: | ---: | ---: |"
    )
    note = f"In a flip, key a has a weight above {LOPSIDED} or below {1 - LOPSIDED:.1f}, where it should have one half."
    return "\n".join([heading, *rows]) + "\n\n" + note


def _probability(value: float) -> str:
    return f"{value:.3g}" if value > 1e-9 else "below 1e-9"


def python_for(now: Experiment) -> str:
    """Code that gives the same numbers."""
    config = now.config
    return f"""
import numpy as np
import regard

n_keys, scale = {config.n_keys}, {now.scale!r}
noise = regard.isotropic({config.isotropic!r}) + regard.radial({config.radial!r}, key=0)
keys = regard.GaussianKeys(np.eye(n_keys), noise)
pull = scale * np.eye(n_keys)[:2].sum(axis=0)
push = -scale * np.eye(n_keys)[2:].sum(axis=0)
for query in (pull, push):
    law = regard.output_law(keys, np.eye(n_keys), query)
    flips = law.probability(0, above={LOPSIDED}).value + 1 - law.probability(0, above={1 - LOPSIDED:.1f}).value
    print(law.variance, flips)
"""
