"""What Python says of a thousand random cases of each law, kept for the tests of the lab's JavaScript.

Python takes minutes for all of them. They are computed once and kept in engine_references.npz, in steps of 2⁻⁴⁰ with
the error of each; a test computes some of them anew, others in every run. After a change of the cases or of the laws:

    python -m tests.support.engine_references
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from regard.noise import GaussianKeys, isotropic, output_law, radial
from regard.noise.one_weight.distribution import density_curve, weight_exceeds_each

FILE = Path(__file__).with_name("engine_references.npz")
N_CASES = 1000
UNIT = 2.0**-40
AT = (0.02, 0.3, 0.5, 0.7, 0.9)
"""Weights at which a law is asked."""
Case = dict[str, Any]


def draw_plane(rng: np.random.Generator, *, n_heads: int) -> Case:
    """Keys and queries of the plane, and values of three coordinates."""
    n = int(rng.integers(2, 6))
    return {
        "keys": rng.normal(size=(n, 2)).tolist(),
        "queries": (rng.normal(size=(n_heads, 2)) * 10 ** rng.uniform(-0.5, 0.6)).tolist(),
        "values": rng.normal(size=(n, 3)).tolist(),
        "radial": [0.0] * n,
        "isotropic": 0.0,
        "together": 0.0,
    }


def draw_lengths(rng: np.random.Generator, n: int, most: float) -> list[float]:
    """Variances of the keys' lengths, about half of them 0."""
    return [float(each) for each in np.where(rng.random(n) < 0.5, 0, rng.uniform(0, most, n))]


def draw_one_head(rng: np.random.Generator, place: int) -> Case:
    case = draw_plane(rng, n_heads=1)
    spread = float(rng.choice([0, 1e-4, 1e-2, 0.1]))
    return case | {"radial": draw_lengths(rng, len(case["keys"]), 1), "isotropic": spread}


def draw_together(rng: np.random.Generator, place: int) -> Case:
    return draw_plane(rng, n_heads=1 + place % 3) | {"together": float(rng.uniform(0, 1))}


def draw_two_heads(rng: np.random.Generator, place: int) -> Case:
    case = draw_plane(rng, n_heads=2)
    spread = float(rng.choice([1e-4, 1e-2, 0.1]))
    return case | {"radial": draw_lengths(rng, len(case["keys"]), 0.5), "isotropic": spread}


def draw_special_heads(rng: np.random.Generator, place: int) -> Case:
    """Two heads that are orthogonal or the same, among orthonormal keys."""
    axes, scale = np.eye(5), float(10 ** rng.uniform(-0.5, 2))
    queries = axes[:2] if place % 2 else np.stack([axes[0] + axes[1]] * 2)
    lengths = [float(rng.uniform(0, 1)), 0.0, 0.0, 0.0, 0.0]
    spread = float(rng.choice([1e-4, 1e-2]))
    return {
        "keys": axes.tolist(), "queries": (scale * queries).tolist(), "values": axes.tolist(), "radial": lengths,
        "isotropic": spread, "together": 0.0,
    }  # fmt: skip


def draw_two_noisy(rng: np.random.Generator, place: int) -> Case:
    """Logits of which two are noisy, from almost certain ones to very wide ones."""
    n = int(rng.integers(2, 6))
    mean = rng.normal(size=n) * 10 ** rng.uniform(-1, 1)
    sd = np.abs(rng.normal(size=n)) * 10 ** rng.uniform(-1, 1.5)
    sd[2:] = 0
    return {"mean": mean.tolist(), "sd": sd.tolist(), "key": int(rng.integers(0, n))}


def draw_all_noisy(rng: np.random.Generator, place: int) -> Case:
    n = int(rng.integers(3, 6))
    sd = np.abs(rng.normal(size=n)) * (2 if place % 2 else 0.4) + 0.05
    return {"mean": (2 * rng.normal(size=n)).tolist(), "sd": sd.tolist(), "key": int(rng.integers(0, n))}


def solve_output(case: Case) -> tuple[np.ndarray, np.ndarray]:
    """Mean and covariance of an output, one after another, and the error of each."""
    keys = np.array(case["keys"])
    shared = np.sqrt(case["together"]) * keys[None] if case["together"] else None
    noise = GaussianKeys(keys, isotropic(case["isotropic"]) + radial(np.array(case["radial"])), shared=shared)
    law = output_law(noise, np.array(case["values"]), np.array(case["queries"]))
    numbers = np.concatenate([law.mean, law.covariance[np.triu_indices(len(law.mean))]])
    return numbers, np.full(len(numbers), law.error)


def solve_weight(case: Case) -> tuple[np.ndarray, np.ndarray]:
    """P(α > t) and the density at each weight, and the error of each."""
    mean, sd, at, rng = np.array(case["mean"]), np.array(case["sd"]), np.array(AT), np.random.default_rng(0)
    above = weight_exceeds_each(mean, sd, case["key"], at, rng=rng)
    curve = density_curve(mean, sd, case["key"], at, rng=rng)
    return (
        np.array([*(each.value for each in above), *curve.value]),
        np.array([*(each.error for each in above), *curve.error]),
    )


Draw = Callable[[np.random.Generator, int], Case]
Solve = Callable[[Case], tuple[np.ndarray, np.ndarray]]
LAWS: dict[str, tuple[Draw, Solve]] = {
    "output of one head": (draw_one_head, solve_output),
    "output where lengths vary together": (draw_together, solve_output),
    "output of two heads that share noise": (draw_two_heads, solve_output),
    "output of orthogonal or equal heads": (draw_special_heads, solve_output),
    "weight where two logits are noisy": (draw_two_noisy, solve_weight),
    "weight among noisy ones": (draw_all_noisy, solve_weight),
}


def draw_cases(name: str) -> list[Case]:
    """The cases of one law, always the same."""
    rng = np.random.default_rng([20, list(LAWS).index(name)])
    return [LAWS[name][0](rng, place) for place in range(N_CASES)]


def checksum(cases: list[Case]) -> str:
    return hashlib.sha256(json.dumps(cases).encode()).hexdigest()


def read_references(name: str) -> list[tuple[np.ndarray, np.ndarray]]:
    """Python's numbers for every case of one law, and the error of each, that of rounding included."""
    with np.load(FILE, allow_pickle=False) as kept:
        assert str(kept[f"{name}: cases"]) == checksum(draw_cases(name)), "other cases than those that were solved"
        lengths, steps, errors = (kept[f"{name}: {part}"] for part in ("lengths", "steps", "errors"))
    ends = np.cumsum(lengths)[:-1]
    return list(zip(np.split(steps * UNIT, ends), np.split(errors.astype(float) + UNIT, ends), strict=True))


def write_references() -> None:
    kept: dict[str, np.ndarray] = {}
    for name, (_, solve) in LAWS.items():
        cases = draw_cases(name)
        solved = [solve(case) for case in cases]
        numbers = np.concatenate([values for values, _ in solved])
        assert np.abs(numbers).max() < 2**22, name
        kept[f"{name}: cases"] = np.array(checksum(cases))
        kept[f"{name}: lengths"] = np.array([len(values) for values, _ in solved], dtype=np.int8)
        kept[f"{name}: steps"] = np.round(numbers / UNIT).astype(np.int64)
        errors = np.minimum(np.concatenate([errors for _, errors in solved]), 1e30)  # more is as good as unknown
        kept[f"{name}: errors"] = (1.001 * errors).astype(np.float32)
        print(f"{name}: {len(cases)} cases, {len(numbers)} numbers", flush=True)
    np.savez_compressed(FILE, **kept)


if __name__ == "__main__":
    write_references()
