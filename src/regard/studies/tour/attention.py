"""Part A of the tour, keys without noise: attention that copies, that averages, and a summand taken out of a sum."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from regard.arrays import attend, attention_weights, entropy, projector
from regard.design import average, average_scale, copy_scale, outside_weight
from regard.display import percent
from regard.progress import Progress
from regard.report.tour.answers import Answer, Drawing, Number, Question, Table
from regard.shapes import Float
from regard.studies.tour.evidence import Config, Origin, draw, draw_copy_weight, try_claims

N_KEYS, ERROR = 10, 0.01
"""The exercise's keys, and the weight that may leak."""
SIZES = (2, 10, 100, 1000)


def fingerprint(config: Config) -> str:
    """Of the settings; there are no data."""
    return repr((config, N_KEYS, ERROR, SIZES))


@dataclass(frozen=True)
class Copying:
    """What a query along one of several orthonormal keys gives."""

    needed: dict[int, float]
    """The scale for a weight of 1 − ERROR, by the number of keys."""
    plain: dict[int, float]
    """The weight of the wanted key for q = k, by the number of keys."""
    weights: Float[np.ndarray, " key"]
    gap: float
    """How far c − v is from (1 − α)(v̄ − v)."""
    beside_longer: float
    """The weight of k₁ = (1, 0) = q beside k₂ = (3, 0)."""


def compute_copying(seed: int) -> Copying:
    """Copy the first of N_KEYS values with the smallest scale that leaks at most ERROR."""
    keys, values = np.eye(N_KEYS), np.random.default_rng(seed).standard_normal((N_KEYS, 3))
    needed = {n: copy_scale(n, ERROR) for n in SIZES}
    query = needed[N_KEYS] * keys[:1]
    weights, output = attention_weights(query, keys)[0], attend(query, keys, values)[0]
    rest = weights[1:] @ values[1:] / weights[1:].sum()
    longer = attention_weights(np.array([[1.0, 0.0]]), np.array([[1.0, 0.0], [3.0, 0.0]]))[0]
    return Copying(
        needed=needed,
        plain={n: 1 - outside_weight(n, 1, 1.0) for n in SIZES},
        weights=weights,
        gap=float(np.abs(output - values[0] - (1 - weights[0]) * (rest - values[0])).max()),
        beside_longer=float(longer[0]),
    )


def answer_copy(question: Question, config: Config, progress: Progress) -> Answer:
    """A1: a categorical distribution, when it copies, and what the output is then."""
    found = compute_copying(config.seed)
    return Answer(
        question=question,
        sentences=_copy_sentences(found),
        numbers=_copy_numbers(found, Origin(config.seed)),
        tables=(
            Table(
                "How the scale grows with the number of keys",
                ("keys n", "weight for q = k", f"C for a weight of {1 - ERROR:g}"),
                tuple((n, found.plain[n], found.needed[n]) for n in SIZES),
            ),
        ),
        drawings=_copy_drawings(found),
        claims=try_claims(
            (r"\sum_i \alpha_i = 1", "attention"),
            ("q = C k_a", "orthonormal-keys", r"c \approx v_a"),
            ("q = k_a", "orthonormal-keys", r"c \approx v_a"),
            ("q = C k_a", "attention", r"c \approx v_a"),
            (r"\alpha_a = 1", "attention"),
        ),
        command=r"regard check 'q = C k_a' --setting orthonormal-keys --goal 'c \approx v_a'",
        python=f"""\
import numpy as np
import regard

keys = np.eye({N_KEYS})
scale = regard.copy_scale({N_KEYS}, {ERROR})
weights = regard.attention_weights(scale * keys[:1], keys)[0]
print(scale, weights[0], weights.sum())
""",
        link="chapter/look-up/?keys=1,0;0,1;-1,0;0,-1&query=1,0&scale=5",
    )


def _copy_sentences(found: Copying) -> tuple[str, ...]:
    weights = found.weights
    return (
        "α is categorical because every exp(kᵢᵀq) is positive and they are divided by their sum: the weights are "
        f"positive and sum to 1 (here to within {abs(weights.sum() - 1):.0e}).",
        "Almost all of it lies on key j when kⱼᵀq exceeds every other kᵢᵀq by a wide margin: for a weight of 1 − ε "
        f"the margin ln((n − 1)(1 − ε)/ε) suffices. For {N_KEYS} orthonormal keys and ε = {ERROR:g} that is "
        f"q = C kⱼ with C = {found.needed[N_KEYS]:.4f}; q = kⱼ itself gives only {found.plain[N_KEYS]:.3f}. That kⱼ "
        f"resembles q is not enough: for q = k₁ = (1, 0) and k₂ = (3, 0) the weight of k₁ is "
        f"{found.beside_longer:.3f}.",
        "Then c = vⱼ + (1 − αⱼ)(v̄ − vⱼ), with v̄ the weighted mean of the other values: attention copies vⱼ, up "
        f"to {percent(1 - weights[0])} of the way to the others.",
    )


def _copy_numbers(found: Copying, origin: Origin) -> tuple[Number, ...]:
    scale, weights = found.needed[N_KEYS], found.weights
    return (
        origin.number(f"C for a weight of {1 - ERROR:g} among {N_KEYS} keys", scale, error=1e-15 * scale),
        origin.number("weight of the wanted key at that C", weights[0], error=1e-15),
        origin.number(f"weight of the wanted key for q = k, {N_KEYS} keys", found.plain[N_KEYS], error=1e-15),
        origin.number("entropy of the weights, nats", entropy(weights), error=1e-14),
        origin.number("largest gap in c − v = (1 − α)(v̄ − v)", found.gap, how="measured; rounding alone"),
    )


def _copy_drawings(found: Copying) -> tuple[Drawing, ...]:
    scales = np.linspace(0, 20, 81)
    curves = {n: [1 - outside_weight(n, 1, float(each)) for each in scales] for n in SIZES}
    return draw(
        f"Weight of the wanted key against C; a dot where it reaches {1 - ERROR:g}",
        lambda: draw_copy_weight(scales.tolist(), curves, error=ERROR, needed=found.needed),
    )


@dataclass(frozen=True)
class Parts:
    """A summand taken out of a sum, and two values averaged."""

    off: float
    """How far M(v_a + v_b) is from v_a."""
    removed: float
    """What M leaves of v_b."""
    scale: float
    """The C of q = C(k_a + k_b) for a leak of ERROR."""
    weights: Float[np.ndarray, " key"]


def compute_parts(seed: int) -> Parts:
    """Project a sum from random orthogonal subspaces of ℝ⁷, and average two of N_KEYS values."""
    rng = np.random.default_rng(seed)
    bases = np.linalg.qr(rng.standard_normal((7, 5)))[0]
    basis, other = bases[:, :3], bases[:, 3:]
    v_a, v_b = basis @ rng.standard_normal(3), other @ rng.standard_normal(2)
    matrix = projector(basis)
    return Parts(
        off=float(np.abs(matrix @ (v_a + v_b) - v_a).max()),
        removed=float(np.abs(matrix @ v_b).max()),
        scale=average_scale(N_KEYS, 2, ERROR),
        weights=average(np.eye(N_KEYS), [0, 1], error=ERROR, family="pull").weights,
    )


def answer_parts(question: Question, config: Config, progress: Progress) -> Answer:
    """A2: the projector that takes a summand out of a sum, and the query that averages two values."""
    found = compute_parts(config.seed)
    return Answer(
        question=question,
        sentences=_parts_sentences(found),
        numbers=_parts_numbers(found, Origin(config.seed)),
        claims=try_claims(
            ("M = A A^T", "two-subspaces"),
            ("M = A^T", "two-subspaces"),
            ("M = A^T A", "two-subspaces"),
            ("q = C(k_a + k_b)", "orthonormal-keys"),
            ("q = k_a + k_b", "orthonormal-keys"),
            (r"q = \frac12(k_a + k_b)", "orthonormal-keys"),
        ),
        command="regard check 'M = A A^T' --setting two-subspaces",
        python=f"""\
import numpy as np
import regard

print(regard.check("M = A A^T", setting="two-subspaces"))
design = regard.average(np.eye({N_KEYS}), [0, 1], error={ERROR}, family="pull")
print(design.scale, design.weights[:3])
""",
        link="chapter/average-and-subspace/?shares=1,1,0,0,0&error=0.01&angle=90",
    )


def _parts_sentences(found: Parts) -> tuple[str, ...]:
    return (
        "M = A Aᵀ. v_a = A x for some x and AᵀA = I, so M v_a = A AᵀA x = v_a; every column of B is orthogonal to "
        f"every column of A, so M v_b = 0. On random subspaces of ℝ⁷ M(v_a + v_b) misses v_a by {found.off:.0e}. Aᵀ "
        "alone gives the coordinates of v_a, not v_a.",
        f"q = C(k_a + k_b) gives both keys the logit C and all others 0, so that each weighs ½ up to a leak of "
        f"(n − 2)/(2 e^C + n − 2): for n = {N_KEYS} a leak of {ERROR:g} takes C = {found.scale:.4f}, and without a "
        f"large factor C it does not average: at C = 1 the two keys have only "
        f"{1 - outside_weight(N_KEYS, 2, 1.0):.3f} of the weight.",
    )


def _parts_numbers(found: Parts, origin: Origin) -> tuple[Number, ...]:
    return (
        origin.number("largest entry of M(v_a + v_b) − v_a", found.off, how="measured; rounding alone"),
        origin.number("largest entry of M v_b", found.removed, how="measured; rounding alone"),
        origin.number(f"C for a leak of {ERROR:g}, {N_KEYS} keys", found.scale, error=1e-15 * found.scale),
        origin.number("weight of key a at that C", found.weights[0], error=1e-15),
        origin.number("weight of key b at that C", found.weights[1], error=1e-15),
    )
