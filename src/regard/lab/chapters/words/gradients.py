"""What chapter 5 asks about derivatives: the formulas of the neural bigram model against what is measured.

    h = σ(x W₁ + b₁)      ŷ = softmax(h W₂ + b₂)      J = −Σⱼ yⱼ ln ŷⱼ

A mistake can be made on purpose, to see that the check finds it, and where.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from regard.models.bigram import (
    PARAMETERS,
    ActivationName,
    BigramNetwork,
    Forward,
    Gradients,
    backward,
    cross_entropy,
    forward,
)
from regard.report.figures import COLOURS, FAINT, MARKERS, new_figure
from regard.shapes import Float
from regard.training.bigram.gradient_check import TOLERANCES, central_difference, complex_step

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTH, HIDDEN, VOCAB, BATCH = 5, 4, 7, 3
NAMES = {"x": "x", "w1": "W₁", "b1": "b₁", "w2": "W₂", "b2": "b₂"}
METHODS = {"central difference": central_difference, "complex step": complex_step}
MIN_GAP = 1e-18
"""What a gap of nothing is drawn as."""


def _other_slope(x: Any, passed: Forward, y: Any, network: BigramNetwork) -> Gradients:
    other: ActivationName = "tanh" if network.activation == "sigmoid" else "sigmoid"
    return backward(x, passed, y, replace(network, activation=other))


def _wrong_sign(x: Any, passed: Forward, y: Any, network: BigramNetwork) -> Gradients:
    return Gradients(*(-part for part in backward(x, passed, y, network)))


class Way(NamedTuple):
    """A way to work out the derivatives, and what is wrong with it."""

    label: str
    derivatives: Callable[[Any, Forward, Any, BigramNetwork], Gradients]


MISTAKES = {
    "none": Way("none", backward),
    "slope": Way("the slope of the other σ", _other_slope),
    "sign": Way("y − ŷ for ŷ − y", _wrong_sign),
}


@dataclass(frozen=True)
class GradientCase:
    """A random network with random vectors to read and random soft targets that sum to one."""

    network: BigramNetwork
    x: Float[np.ndarray, "batch width"]
    y: Float[np.ndarray, "batch vocab"]


@dataclass(frozen=True)
class Gap:
    """The largest gap between formula and measurement, relative to the largest derivative, by each method."""

    parameter: str
    n_entries: int
    largest: float
    gaps: dict[str, float]

    @property
    def holds(self) -> bool:
        """Whether each gap is within what its method can tell."""
        return all(gap <= TOLERANCES[method] for method, gap in self.gaps.items())


def draw_network(seed: int, *, activation: ActivationName) -> GradientCase:
    """The network of this seed: 5 numbers a word, 4 hidden units, 7 words, 3 examples."""
    rng = np.random.default_rng(seed)
    shapes = [(VOCAB, WIDTH), (WIDTH, HIDDEN), (HIDDEN,), (HIDDEN, VOCAB), (VOCAB,)]
    vectors, w1, b1, w2, b2 = (rng.standard_normal(shape) for shape in shapes)
    network = BigramNetwork(vectors, w1, b1, w2, b2, activation=activation)
    return GradientCase(network, rng.standard_normal((BATCH, WIDTH)), rng.dirichlet(np.ones(VOCAB), size=BATCH))


def check_derivatives(given: GradientCase, *, mistake: str = "none") -> tuple[Gap, ...]:
    """A row for each of x, W₁, b₁, W₂, b₂: every entry is nudged, and J is seen to change."""
    passed = forward(given.x, given.network)
    formulas = MISTAKES[mistake].derivatives(given.x, passed, given.y, given.network)._asdict()
    return tuple(_gap(name, formula, given) for name, formula in formulas.items())


def _gap(name: str, formula: Float[np.ndarray, "*axes"], given: GradientCase) -> Gap:
    at = given.x if name == "x" else getattr(given.network, name)
    places, claimed = np.arange(at.size), formula.reshape(-1)

    def loss(value: np.ndarray) -> Any:
        changed: dict[str, Any] = {name: value} if name in PARAMETERS else {}
        log_probs = forward(value if name == "x" else given.x, replace(given.network, **changed)).log_probs
        return cross_entropy(log_probs, given.y).sum()

    largest = float(np.abs(claimed).max())
    gaps = {
        method: float(np.abs(measured(loss, at, places) - claimed).max()) / largest
        for method, measured in METHODS.items()
    }
    return Gap(name, at.size, largest, gaps)


def gap_table(gaps: tuple[Gap, ...]) -> str:
    """The rows in Markdown, and the verdict."""
    rows = [
        f"| {NAMES[gap.parameter]} | {gap.largest:.2g} | "
        + " | ".join(f"{gap.gaps[method]:.2g}" for method in METHODS)
        + f" | {'yes' if gap.holds else '**no**'} |"
        for gap in gaps
    ]
    heading = (
        "| with respect to | largest derivative | gap to central differences | gap to complex steps | right |"
        "\n| --- | ---: | ---: | ---: | --- |"
    )
    wrong = [NAMES[gap.parameter] for gap in gaps if not gap.holds]
    verdict = (
        f"**The derivatives with respect to {', '.join(wrong)} are wrong.**" if wrong else "All derivatives are right."
    )
    return "\n".join([heading, *rows]) + f"\n\n{verdict} Gaps are relative to the largest derivative of the row."


def gap_figure(gaps: tuple[Gap, ...]) -> Figure:
    """The gaps on a logarithmic scale, with the line that each method's gaps should stay to the left of."""
    figure = new_figure((8.0, 2.9))
    axes = figure.subplots()
    rows = np.arange(len(gaps))[::-1]
    for place, method in enumerate(METHODS):
        found = [max(gap.gaps[method], MIN_GAP) for gap in gaps]
        beside = rows + 0.12 * (1 - 2 * place)  # so that equal gaps do not hide each other
        axes.semilogx(found, beside, MARKERS[place], color=COLOURS[place], label=method, markersize=7)
        axes.axvline(TOLERANCES[method], color=COLOURS[place], linestyle="--", linewidth=1)
    axes.set_yticks(rows, [NAMES[gap.parameter] for gap in gaps])
    axes.set_xlim(MIN_GAP / 3, 30)
    axes.set_ylim(-0.6, len(gaps) - 0.4)
    axes.set_xlabel("largest relative gap between formula and measurement; dashed: what the method can tell")
    axes.grid(color=FAINT, alpha=0.4, axis="y")
    axes.legend(frameon=False, loc="lower right", bbox_to_anchor=(1, 0.98), ncols=2, fontsize=9)
    return figure


def gap_columns(gaps: tuple[Gap, ...]) -> dict[str, list[Any]]:
    """The gaps as columns of a file, a row for each parameter."""
    columns = {method: [gap.gaps[method] for gap in gaps] for method in METHODS}
    return {"parameter": [gap.parameter for gap in gaps], "largest": [gap.largest for gap in gaps], **columns}


def python_for(seed: int, *, activation: str, mistake: str = "none") -> str:
    """Code that checks the same network, with the same mistake."""
    if mistake != "none":
        return f"""
from regard.lab.chapters.words.gradients import check_derivatives, draw_network

rows = check_derivatives(draw_network({seed}, activation={activation!r}), mistake={mistake!r})
for row in rows:
    print(row.parameter, *row.gaps.values())
"""
    return f"""
import numpy as np
from regard.models.bigram import BigramNetwork
from regard.training.bigram.gradient_check import check_gradients

rng = np.random.default_rng({seed})
shapes = [({VOCAB}, {WIDTH}), ({WIDTH}, {HIDDEN}), ({HIDDEN},), ({HIDDEN}, {VOCAB}), ({VOCAB},)]
network = BigramNetwork(*(rng.standard_normal(shape) for shape in shapes), activation={activation!r})
x, y = rng.standard_normal(({BATCH}, {WIDTH})), rng.dirichlet(np.ones({VOCAB}), size={BATCH})
rows = check_gradients(network, x, y, rng)
for row in rows:
    print(row.parameter, row.central_difference / row.largest_derivative, row.complex_step / row.largest_derivative)
"""
