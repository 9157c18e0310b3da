"""Part B of the tour: the gradients of the cross-entropy, derived, and checked in three independent ways."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from regard.errors import MissingExtraError
from regard.models.bigram import (
    PARAMETERS,
    BigramNetwork,
    backward,
    cross_entropy,
    forward,
    log_softmax,
    logit_gradient,
)
from regard.progress import Progress
from regard.report.tour.answers import Answer, Question, Table
from regard.shapes import Float
from regard.studies.tour.evidence import Config, Origin, try_claims
from regard.training.bigram.gradient_check import GradientRow, central_difference, check_gradients, complex_step

WIDTH, HIDDEN, VOCAB, BATCH = 5, 4, 7, 3
DERIVATIVES = {"logits": "θ", "x": "x", "w1": "W₁", "b1": "b₁", "w2": "W₂", "b2": "b₂"}


def fingerprint(config: Config) -> str:
    """Of the settings; there are no data."""
    return repr(config)


SOFTMAX_CLAIMS = (
    (r"\partial CE/\partial\theta = \hat y - y", "softmax-cross-entropy"),
    (r"\partial CE/\partial\theta = y - \hat y", "softmax-cross-entropy"),
    (r"\partial CE/\partial\theta = \hat y", "softmax-cross-entropy"),
)


SOFTMAX_PYTHON = """\
import regard

print(regard.check("∂CE/∂θ = ŷ − y", setting="softmax-cross-entropy"))
print(regard.check("∂CE/∂θ = y − ŷ", setting="softmax-cross-entropy").nearest)
"""


def answer_softmax(question: Question, config: Config, progress: Progress) -> Answer:
    """B1: the gradient of the cross-entropy of softmax(θ) by θ."""
    origin, rng = Origin(config.seed), np.random.default_rng(config.seed)
    theta, y = rng.standard_normal((1, VOCAB)), rng.dirichlet(np.ones(VOCAB), size=1)

    def loss(at: np.ndarray) -> complex:
        return complex(cross_entropy(log_softmax(at), y).sum())

    claimed = logit_gradient(log_softmax(theta), y).ravel()
    places = np.arange(VOCAB)
    differences, steps = (measured(loss, theta, places) for measured in (central_difference, complex_step))
    predicted = np.exp(log_softmax(theta)).ravel()
    gaps = [float(np.abs(measured - claimed).max()) for measured in (differences, steps)]
    return Answer(
        question=question,
        sentences=(
            "∂CE/∂θ = ŷ − y. With ŷ = softmax(θ), ln ŷⱼ = θⱼ − ln Σₖ e^θₖ, so CE = −y·θ + (Σⱼ yⱼ) ln Σₖ e^θₖ, whose "
            "derivative is ŷ Σⱼ yⱼ − y: ŷ − y for every y that sums to one, one-hot or not.",
            f"Checked on {VOCAB} random logits with a soft y: complex steps, which subtract nothing, agree to "
            f"{gaps[1]:.0e}, central differences to {gaps[0]:.0e}, which is as much as they can tell.",
        ),
        numbers=(
            origin.number("largest gap to complex steps", gaps[1], how="measured; rounding alone"),
            origin.number("largest gap to central differences", gaps[0], how="measured; error ε² + rounding/ε"),
            origin.number("sum of the gradient, which must be 0", claimed.sum(), error=1e-15),
        ),
        tables=(
            Table(
                "One instance",
                ("θ", "y", "ŷ", "ŷ − y", "complex step", "central difference"),
                _columns(theta[0], y[0], predicted, claimed, steps, differences),
            ),
        ),
        claims=try_claims(*SOFTMAX_CLAIMS),
        command="regard check '∂CE/∂θ = ŷ − y' --setting softmax-cross-entropy",
        python=SOFTMAX_PYTHON,
        link="chapter/check/?claim=%E2%88%82CE%2F%E2%88%82%CE%B8%20%3D%20%C5%B7%20%E2%88%92%20y&setting=softmax-cross-entropy",
    )


NETWORK_CLAIMS = (
    (r"\partial J/\partial x = ((\hat y - y) W_2^T \odot h \odot (1 - h)) W_1^T", "one-hidden-layer"),
    (r"\partial J/\partial x = (\hat y - y) W_2^T W_1^T", "one-hidden-layer"),
    (r"\partial J/\partial x = ((\hat y - y) W_2^T \odot h \odot (1 - h)) W_1", "one-hidden-layer"),
)


def answer_network(question: Question, config: Config, progress: Progress) -> Answer:
    """B2: the gradients of a network with one hidden layer, by its input and all its parameters."""
    origin, rng = Origin(config.seed), np.random.default_rng(config.seed)
    network = draw_network(rng)
    x, y = rng.standard_normal((BATCH, WIDTH)), rng.dirichlet(np.ones(VOCAB), size=BATCH)
    rows = check_gradients(network, x, y, rng)
    by_autograd, notes = _try_autograd(network, x, y)
    largest = {
        "complex steps": max(row.complex_step for row in rows),
        "central differences": max(row.central_difference for row in rows),
        **({"autograd": max(by_autograd.values())} if by_autograd else {}),
    }
    return Answer(
        question=question,
        sentences=_describe_network(rows, largest),
        numbers=tuple(
            origin.number(f"largest gap to {name}", gap, how="measured over all derivatives")
            for name, gap in largest.items()
        ),
        tables=(_gap_table(rows, by_autograd),),
        claims=try_claims(*NETWORK_CLAIMS),
        command=f"regard train bigram --check-gradients --seed {config.seed}",
        python=f"""\
import numpy as np
from regard.training.bigram.gradient_check import check_random

for row in check_random(np.random.default_rng({config.seed})):
    print(row.parameter, row.n_entries, row.complex_step, row.central_difference, row.holds)
""",
        link=f"chapter/words/?network={config.seed % 1_000_000}&activation=sigmoid",
        notes=notes,
    )


def draw_network(rng: np.random.Generator) -> BigramNetwork:
    """A network of the size that is checked, its numbers drawn at random."""
    shapes = [(VOCAB, WIDTH), (WIDTH, HIDDEN), (HIDDEN,), (HIDDEN, VOCAB), (VOCAB,)]
    vectors, w1, b1, w2, b2 = (rng.standard_normal(shape) for shape in shapes)
    return BigramNetwork(vectors, w1, b1, w2, b2, activation="sigmoid")


def _describe_network(rows: Sequence[GradientRow], largest: dict[str, float]) -> tuple[str, ...]:
    return (
        "With δ = ŷ − y and dz = (δ W₂ᵀ) ∘ h ∘ (1 − h): ∂J/∂x = dz W₁ᵀ, ∂J/∂W₁ = xᵀ dz, ∂J/∂b₁ = dz, "
        "∂J/∂W₂ = hᵀ δ, ∂J/∂b₂ = δ (summed over the rows of a batch).",
        f"Every one of the {sum(row.n_entries for row in rows)} derivatives of a random network, with a batch of "
        f"{BATCH} and soft targets, was compared with independent measurements: the largest gap is "
        + ", ".join(f"{gap:.0e} to {name}" for name, gap in largest.items())
        + "; the first is rounding, and central differences cannot tell more.",
    )


def _gap_table(rows: Sequence[GradientRow], by_autograd: dict[str, float]) -> Table:
    return Table(
        "Formula against measurement: the largest gap",
        ("derivative by", "entries", "largest derivative", "complex step", "central difference", "autograd"),
        tuple(
            (
                DERIVATIVES[row.parameter],
                row.n_entries,
                row.largest_derivative,
                row.complex_step,
                row.central_difference,
                by_autograd.get(row.parameter, "–"),
            )
            for row in rows
        ),
    )


def _try_autograd(
    network: BigramNetwork, x: Float[np.ndarray, "batch width"], y: Float[np.ndarray, "batch vocab"]
) -> tuple[dict[str, float], tuple[str, ...]]:
    """The gaps to torch's derivatives; where torch is not installed, none and a note that says so."""
    try:
        return autograd_gaps(network, x, y), ()
    except MissingExtraError as error:
        return {}, (str(error),)


def autograd_gaps(
    network: BigramNetwork, x: Float[np.ndarray, "batch width"], y: Float[np.ndarray, "batch vocab"]
) -> dict[str, float]:
    """The largest gap between the formulas of `backward` and torch's automatic derivatives, for each of them.

    Raises MissingExtraError where torch is not installed.
    """
    try:
        import torch
    except ImportError:
        raise MissingExtraError("automatic derivatives need torch: pip install 'regard[models]'") from None
    given = {"x": x, **{name: getattr(network, name) for name in PARAMETERS}}
    leaves = {name: torch.tensor(value, dtype=torch.float64, requires_grad=True) for name, value in given.items()}
    hidden = torch.sigmoid(leaves["x"] @ leaves["w1"] + leaves["b1"])
    logits = hidden @ leaves["w2"] + leaves["b2"]
    logits.retain_grad()
    (-(torch.from_numpy(y) * torch.log_softmax(logits, dim=1)).sum()).backward()
    passed = forward(x, network)
    formulas = {"logits": logit_gradient(passed.log_probs, y), **backward(x, passed, y, network)._asdict()}
    measured = {"logits": logits, **leaves}
    return {name: float(np.abs(_gradient(measured[name]) - formula).max()) for name, formula in formulas.items()}


def _columns(*columns: np.ndarray) -> tuple[tuple[float, ...], ...]:
    """Rows of a table from its columns."""
    return tuple(zip(*(column.tolist() for column in columns), strict=True))


def _gradient(leaf: object) -> np.ndarray:
    found: np.ndarray = leaf.grad.numpy()  # type: ignore[attr-defined]
    return found
