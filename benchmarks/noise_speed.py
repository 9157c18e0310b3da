"""Exact laws under noisy keys: time, accuracy and memory, and what Monte Carlo would need for the same.

    python benchmarks/noise_speed.py

CPU time of one process on one thread (set OPENBLAS_NUM_THREADS=1, as `make bench` does).
"""

from __future__ import annotations

import math
import subprocess
import sys
import time

import numpy as np
from timing import cpu_seconds

from regard.design.robust_queries import robust
from regard.noise import GaussianKeys, Moments, head_moments, isotropic, logit_law, radial
from regard.noise.integral import Precision, weight_integral

Row = tuple[str, str, str]
FINER = Precision(step=0.125, depth=60.0, same_law=1e-15, stencil=0)


def measure() -> list[Row]:
    """What was measured, the figure, and the goal."""
    return [
        *ten_thousand_keys(),
        *a_million_keys(),
        *huge_scale(),
        *cost_against_n(),
        *robust_heads(),
    ]


def unit_rows(rng: np.random.Generator, n: int, d: int) -> np.ndarray:
    rows = rng.standard_normal((n, d))
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def ten_thousand_keys() -> list[Row]:
    rng = np.random.default_rng(0)
    n, d, scale = 10_000, 64, 10.0
    mean, values = unit_rows(rng, n, d), rng.standard_normal((n, d))
    query = scale * (mean[0] + mean[1])
    rows = []
    noises = {"isotropic, one key radial": radial(0.5, key=0), "all standard deviations distinct": radial(0.5)}
    for name, noise in noises.items():
        keys = GaussianKeys(mean, isotropic(0.01) + noise)

        def law(keys: GaussianKeys = keys) -> Moments:
            logits = logit_law(keys, query[None])
            return head_moments(logits.mean[0], logits.sd(0), values)

        start = time.process_time()
        found = law()
        first = time.process_time() - start
        logits = logit_law(keys, query[None])
        what = f"n = 10,000, d = 64, every key noisy ({name}): all weight means, output mean, 64 × 64 covariance"
        rows.append((what, f"{cpu_seconds(law):.3f} s CPU; {first:.3f} s the first time, with tables", "≤ 0.1 s"))
        if name.startswith("isotropic"):
            truth = weight_integral(logits.mean[0], logits.sd(0), precision=FINER)
            expected = truth.mass @ truth.of_keys(1)
            relative = np.abs(found.weight_mean / expected - 1).max()
            rows.append(
                (
                    "the same: largest relative error of a weight mean, against the plain integral with exact "
                    "kernels and half the step",
                    f"{relative:.1e}",
                    "1e-10",
                )
            )
            rows.append(monte_carlo(keys, query, found))
    return rows


def monte_carlo(keys: GaussianKeys, query: np.ndarray, found: Moments) -> Row:
    """Draws of whole keys, as a student writes it; the time for six digits is extrapolated."""
    rng = np.random.default_rng(1)
    n, d = keys.mean.shape
    n_draws = 20

    def draws() -> None:
        for _ in range(n_draws):
            noise = 0.1 * rng.standard_normal((n, d))
            noise[0] += math.sqrt(0.5) * rng.standard_normal() * keys.mean[0]
            logits = (keys.mean + noise) @ query
            weights = np.exp(logits - logits.max())
            weights /= weights.sum()

    each = cpu_seconds(draws, repeats=3) / n_draws
    spread = found.weight_variance[0] / found.weight_mean[0] ** 2
    needed = spread / 1e-12
    years = each * needed / (365.25 * 86400)
    return (
        "the same by Monte Carlo over whole keys, 1e-6 relative in the mean of one weight",
        f"{each * 1e3:.1f} ms a draw measured; {needed:.1e} draws, {years:,.0f} years (extrapolated, not run)",
        "stated",
    )


MILLION = """
import time
import numpy as np
from regard.noise.many_keys import many_keys_integral
def peak():  # VmHWM begins anew with each program, ru_maxrss does not
    return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM"))
rng = np.random.default_rng(0)
n = 1_000_000
mean, sd = 2 * rng.standard_normal(n), rng.uniform(0.1, 2.0, n)
many_keys_integral(mean[:1000], sd[:1000]).per_key("mean")
before = peak()
start = time.process_time()
found = many_keys_integral(mean, sd)
weights = found.per_key("mean")
used = time.process_time() - start
print(used, (peak() - before) / 1024, abs(weights.sum() - 1), found.table_error)
"""


def a_million_keys() -> list[Row]:
    shown = subprocess.run([sys.executable, "-c", MILLION], capture_output=True, text=True, check=True).stdout
    seconds, mebibytes, mass, table = map(float, shown.split())
    rng = np.random.default_rng(0)
    mean, sd = 2 * rng.standard_normal(10_000), rng.uniform(0.1, 2.0, 10_000)
    found = head_moments(mean, sd, mean[:, None], method="fast integral")
    some = np.arange(0, 10_000, 500)
    truth = weight_integral_of_some(mean, sd, some)
    relative = np.abs(found.weight_mean[some] / truth - 1).max()
    return [
        ("n = 1,000,000, all standard deviations distinct: all weight means", f"{seconds:.2f} s CPU", "≤ 2 s"),
        ("the same: memory above its inputs", f"{mebibytes:.0f} MiB", "≤ 1 GiB"),
        ("the same: |Σ means − 1|, and the measured error of its tables", f"{mass:.1e}, {table:.1e}", "–"),
        ("the same law with n = 10,000, 20 keys against exact kernels", f"{relative:.1e} relative", "1e-10"),
    ]


def weight_integral_of_some(mean: np.ndarray, sd: np.ndarray, some: np.ndarray) -> np.ndarray:
    """Weight means of a few keys by the plain integral; ln P is summed key by key with exact kernels."""
    from regard.noise.kernel import kernel

    u = np.arange(-75.0, 2.0, 0.25)
    log_p = sum(kernel(u + m, s, order=1).log_l for m, s in zip(mean, sd, strict=True))
    mass = 0.25 * np.exp(log_p)
    return np.array([mass @ kernel(u + mean[i], sd[i], order=1).ratios[0] for i in some])


def huge_scale() -> list[Row]:
    n, scale = 100, 1e4
    keys = GaussianKeys(np.eye(n), isotropic(0.01) + radial(0.5))
    query = scale * (np.eye(n)[0] + np.eye(n)[1] + 0.3 * np.linspace(-1, 1, n))
    logits = logit_law(keys, query[None])
    mean, sd = logits.mean[0], logits.sd(0)

    def law() -> Moments:
        return head_moments(mean, sd, np.eye(n))

    start = time.process_time()
    found = law()
    first = time.process_time() - start
    truth = weight_integral(mean, sd, precision=FINER)
    expected = truth.mass @ truth.of_keys(1)
    relative = np.abs(found.weight_mean / expected - 1)[expected > 1e-12].max()
    what = f"n = 100, C = 10,000, every key noisy (logit sd {sd.min():.0f} to {sd.max():.0f}): all moments"
    return [
        (what, f"{cpu_seconds(law):.3f} s CPU; {first:.3f} s the first time", "≤ 0.3 s"),
        ("the same: largest relative error of a weight mean above 1e-12", f"{relative:.1e}", "1e-10"),
    ]


def cost_against_n() -> list[Row]:
    rng = np.random.default_rng(0)
    sizes = [10, 100, 1000, 10_000, 100_000, 1_000_000]
    seconds = []
    for n in sizes:
        mean, sd = 2 * rng.standard_normal(n), rng.uniform(0.1, 2.0, n)
        values = np.ones((n, 1))
        call = lambda mean=mean, sd=sd, values=values: head_moments(mean, sd, values, method="fast integral")
        call()
        seconds.append(cpu_seconds(call, repeats=3))
    fixed, each = np.linalg.lstsq(np.stack([np.ones(6), sizes], axis=1), np.array(seconds), rcond=None)[0]
    exponent = np.polyfit(np.log(sizes), np.log(seconds), 1)[0]
    last = math.log10(seconds[-1] / seconds[-2])
    shown = ", ".join(f"{n:,}: {s:.3f}" for n, s in zip(sizes, seconds, strict=True))
    return [
        (
            "cost against n (seconds CPU)",
            f"{shown}; fitted: {fixed:.3f} s + {1e6 * each:.2f} µs a key; exponent {exponent:.2f} over all sizes, "
            f"{last:.2f} over the last decade",
            "linear",
        )
    ]


def robust_heads() -> list[Row]:
    rows = []
    for variance in (1e-4, 1e-3, 1e-2):
        n = 64
        keys = GaussianKeys(np.eye(n), isotropic(variance) + radial(0.5, key=0))
        target = np.where(np.arange(n) < 2, 0.5, 0.0)
        search = lambda keys=keys, target=target: robust(keys, np.eye(64), target, heads=2)
        found = search()
        used = cpu_seconds(search, repeats=3)
        rows.append(
            (
                f"robust two heads, n = 64, the classic keys with isotropic variance {variance:g}",
                f"{used:.2f} s CPU; mean squared error {found.mean_squared_error:.3g}",
                "≤ 2 s",
            )
        )
    return [*rows, robust_without_symmetry()]


def robust_without_symmetry() -> Row:
    rng = np.random.default_rng(0)
    keys = GaussianKeys(unit_rows(rng, 32, 32), isotropic(1e-3) + radial(0.5, key=0))
    values = rng.standard_normal((32, 8))
    used = cpu_seconds(lambda: robust(keys, values, values[:2].mean(axis=0), heads=2), repeats=1)
    return ("robust two heads, n = 32 random keys, no two alike", f"{used:.1f} s CPU", "–")


if __name__ == "__main__":
    for row in measure():
        print(" | ".join(row))
