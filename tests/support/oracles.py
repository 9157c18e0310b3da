"""Independent references: high-precision quadrature and plain loops, sharing no code with what they judge.

What takes seconds is computed once and kept in oracles.json. A case that is not there is computed each time, until

    python -m tests.support.oracles

computes all cases anew.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

import mpmath
import numpy as np

KERNEL_SDS = (0.05, 0.5, 0.51, 2.0, 5.9, 6.1, 40.0, 5000.0)
LOGISTIC_SDS = (1e-6, 0.3, 1.0, 1.01, 2.0, 14.0, 700.0)
LOGISTIC_MEANS = (-12.0, -1.0, 0.0, 3.0)
RECORD = Path(__file__).with_suffix(".json")
DIGITS = 30


def kernel_points(sd: float) -> np.ndarray:
    """Where kernels are compared: left of the noise, within it, and right of it."""
    return np.array([-4 * sd - 3, -sd, 0.0, 2.5 * sd])


def kernel_moments(x: float, sd: float) -> list[mpmath.mpf]:
    """`kernel_moment` for k from 0 to 4."""
    return [kernel_moment(k, x, sd) for k in range(5)]


@cache
def _record() -> dict[str, list[str]]:
    return json.loads(RECORD.read_text("utf-8"))


def recorded(oracle: Callable[..., list[mpmath.mpf]], *case: float) -> list[mpmath.mpf]:
    """What an oracle says of a case, from the record where it is there."""
    found = _record().get(_name(oracle, case))
    with mpmath.workdps(DIGITS):
        return list(oracle(*case)) if found is None else [mpmath.mpf(digits) for digits in found]


def _name(oracle: Callable[..., list[mpmath.mpf]], case: tuple[float, ...]) -> str:
    return f"{oracle.__name__}({', '.join(repr(float(number)) for number in case)})"


def kernel_moment(k: int, x: float, sd: float) -> mpmath.mpf:
    """E eᵏʸ exp(−eʸ), y ~ N(x, sd²), to 30 digits: a trapezoid rule so fine that its error, e^−π²/step, is 1e-34."""
    with mpmath.workdps(34):
        x, sd = mpmath.mpf(x), mpmath.mpf(sd)
        step = min(mpmath.mpf(1) / 8, sd / 4)
        wide = k == 0 and sd > 1  # by parts: the density of y becomes that of −ln of an exponential variable
        low, high = (-115, 5) if k or wide else (x - 16 * sd, x + 16 * sd)
        low, high = max(low, -115 if k or wide else low), min(high, mpmath.mpf("5.2"))
        if not wide:
            low, high = max(low, x - 16 * sd), min(high, x + 16 * sd)
        count = int((high - low) / step) + 1
        total = mpmath.mpf(0)
        for i in range(count):
            y = low + i * step
            survive = mpmath.exp(-mpmath.exp(y))
            if wide:
                total += mpmath.exp(y) * survive * mpmath.ncdf((y - x) / sd)
            else:
                total += mpmath.exp(k * y) * survive * mpmath.npdf((y - x) / sd) / sd
        return total * step


def logistic_moments(x: float, sd: float) -> list[mpmath.mpf]:
    """Mean and variance of sig(x + sd·g), to 50 digits."""
    with mpmath.workdps(50):
        x, sd = mpmath.mpf(x), mpmath.mpf(sd)
        step = -x / sd
        points = sorted(
            {*(mpmath.mpf(z) for z in range(-14, 15, 2)), *(step + k / sd for k in (-40, -12, -4, 0, 4, 12, 40))}
        )
        points = [p for p in points if -14 <= p <= 14]

        def sig(g: mpmath.mpf) -> mpmath.mpf:
            return 1 / (1 + mpmath.exp(-(x + sd * g)))

        mean = mpmath.quad(lambda g: mpmath.npdf(g) * sig(g), points)
        return [mean, mpmath.quad(lambda g: mpmath.npdf(g) * (sig(g) - mean) ** 2, points)]


def brute_force_moments(
    mean: np.ndarray, sd: np.ndarray, *, step: float = 0.25, reach: float = 8.5
) -> tuple[np.ndarray, np.ndarray]:
    """E α and E α αᵀ for a few keys, by the trapezoid rule over every logit; exact for sd up to about 1."""
    z = np.arange(-reach, reach + step / 2, step)
    mass = np.exp(-(z**2) / 2) * step / np.sqrt(2 * np.pi)
    first, second = np.zeros(len(mean)), np.zeros((len(mean), len(mean)))
    inner = np.array(list(itertools.product(range(len(z)), repeat=len(mean) - 1)))
    for outer in range(len(z)):
        index = np.column_stack([np.full(len(inner), outer), inner])
        logits = mean + sd * z[index]
        weights = np.exp(logits - logits.max(axis=1, keepdims=True))
        weights /= weights.sum(axis=1, keepdims=True)
        p = mass[index].prod(axis=1)
        first += p @ weights
        second += (weights * p[:, None]).T @ weights
    return first, second


def sampled_weights(rng: np.random.Generator, mean: np.ndarray, root: np.ndarray, n_draws: int) -> np.ndarray:
    """Weights for draws of whole keys' logits: draw × head × key, given a root of each key's covariance over heads."""
    normal = rng.standard_normal((n_draws, *root.shape[:1], root.shape[2]))
    logits = mean + np.einsum("dkf,khf->dhk", normal, root)
    weights = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


if __name__ == "__main__":
    cases = [(kernel_moments, (point, sd)) for sd in KERNEL_SDS for point in kernel_points(sd)]
    cases += [(logistic_moments, (mean, sd)) for sd in LOGISTIC_SDS for mean in LOGISTIC_MEANS]
    found = {_name(oracle, case): [mpmath.nstr(value, DIGITS) for value in oracle(*case)] for oracle, case in cases}
    RECORD.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
