"""The error that random noise in the keys makes in a head's output, in three ways from cheap to exact.

    first order   Σ_i σ_i² p_i² ‖v_i − o‖², with σ_i the noise of logit i; too low where a weight is saturated
    one key       with key i alone noisy, o moves by (p′_i − p_i)(v_i − m_i), m_i what the other keys give; its
                  expectation by quadrature, keys summed
    exact law     all keys at once, by `regard.noise`, on a few queries; their ratio to the one-key rule corrects it

`choose_methods` takes for each head the first that holds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
from torch import Tensor

from regard.errors import ArgumentError, ValueRangeError
from regard.noise.moments import head_moments
from regard.shapes import Float

N_EXACT = 4
"""Queries for which the exact law is computed, for each head where nothing simpler holds."""
MAX_LEVELS, LEVEL_RATIO, MIN_SD = 24, 1.3, 0.01
"""With more different noises of logits in one query, they are rounded, by at most 14 %; less than 0.01 becomes 0."""
MAX_SMALL_SD = 0.8
"""Logit noise up to which the agreement of first order and the one-key rule is trusted: beyond, both may be wrong."""
TINY = 1e-300
TOLERANCE = 0.1
"""Two ways agree where their mean squared errors differ by no more than this share."""
N_DRAWS = 64
"""Draws of the noise for a measured error."""
NODES = torch.linspace(-7, 7, 29, dtype=torch.float64)
"""Of a trapezoid rule for expectations over one standard normal variable."""
MASSES = torch.softmax(-(NODES**2) / 2, dim=0)


@dataclass(frozen=True)
class Noise:
    """Random noise in every key: in its length (radial), or in all directions alike (isotropic).

    `level` is the size of the noise as a share of a key's length: radial 0.1 makes lengths vary by 10 %, and isotropic
    0.1 adds a vector that is on average a tenth as long as the keys of the head.
    """

    kind: Literal["radial", "isotropic"]
    level: float

    def __post_init__(self) -> None:
        if not (self.level > 0 and math.isfinite(self.level)):
            raise ValueRangeError(f"the level of noise must be a positive number; got {self.level}")

    @property
    def name(self) -> str:
        """The name as it is typed."""
        return f"{self.kind}:{self.level:g}"


def parse_noise(text: str) -> Noise:
    """Noise as it is typed, such as radial:0.1.

    >>> parse_noise("isotropic:0.05")
    Noise(kind='isotropic', level=0.05)
    """
    kind, _, level = text.partition(":")
    try:
        number = float(level)
    except ValueError:
        number = math.nan
    if kind not in ("radial", "isotropic") or math.isnan(number):
        raise ArgumentError(f"noise is written as radial:0.1 or isotropic:0.1; got {text!r}")
    return Noise(kind, number)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Rows:
    """Some queries of one layer in float64: logits without noise, and values in a basis where ‖x W_O‖ is length."""

    logits: Float[Tensor, "batch head query key"]
    """−∞ where a query may not read a key."""
    values: Float[Tensor, "batch head key width"]
    query_sizes: Float[Tensor, "batch head query"]
    """scale · ‖q‖."""
    key_size: Float[Tensor, " head"]
    """The root mean square of the keys' lengths."""

    def noise_sd(self, noise: Noise) -> Float[Tensor, "batch head query key"]:
        """The standard deviation of each logit; 0 where a query may not read a key."""
        allowed = torch.isfinite(self.logits)
        if noise.kind == "radial":
            size = noise.level * self.logits.abs()
        else:
            per_query = noise.level / math.sqrt(self.values.shape[-1]) * self.key_size[:, None] * self.query_sizes
            size = per_query[..., None].expand_as(self.logits)
        return torch.where(allowed, size, torch.zeros_like(size))


@dataclass(frozen=True)
class Prediction:
    """The mean squared error of a head, by the method that holds, and to first order."""

    square: float
    first_order: float
    method: str


def choose_methods(rows: list[Rows], noise: Noise, *, seed: int = 0) -> list[Prediction]:
    """For each head: first order where the one-key rule agrees with it, that rule where exact laws do, else these."""
    simple = _by_head([first_order(row, noise) for row in rows])
    is_small = logit_noise(rows, noise) <= MAX_SMALL_SD
    single = _by_head([one_key(row, noise) for row in rows])
    found = []
    for head, (first, mean) in enumerate(zip(simple.mean(1).tolist(), single.mean(1).tolist(), strict=True)):
        if is_small[head] and abs(first - mean) <= TOLERANCE * mean:
            found.append(Prediction(mean, first, "first order"))
            continue
        ratio = _exact_ratio(rows, head, noise, single[head], seed=seed)
        if abs(ratio - 1) <= TOLERANCE:
            found.append(Prediction(mean, first, "one key"))
        else:
            found.append(Prediction(mean * ratio, first, "exact law"))
    return found


def _by_head(figures: list[Tensor]) -> Float[Tensor, "head query"]:
    """All queries in one row for each head: batch by batch, text by text."""
    return torch.cat([each.transpose(0, 1).flatten(1) for each in figures], dim=1)


def first_order(rows: Rows, noise: Noise) -> Float[Tensor, "batch head query"]:
    """Σ_i σ_i² p_i² ‖v_i − o‖² for each query."""
    parts = _split_output(rows)
    return (rows.noise_sd(noise) ** 2 * (parts.weights * parts.rest) ** 2 * parts.squares).sum(-1)


def logit_noise(rows: list[Rows], noise: Noise) -> Float[Tensor, " head"]:
    """The noise of the logits that matter: root mean square, weighed by each one's part of the first-order error."""
    total, mass = torch.zeros(()), torch.zeros(())
    for row in rows:
        parts, sd = _split_output(row), row.noise_sd(noise)
        contribution = sd**2 * (parts.weights * parts.rest) ** 2 * parts.squares
        total = total + (contribution * sd**2).sum((0, 2, 3))
        mass = mass + contribution.sum((0, 2, 3))
    return (total / mass.clamp_min(TINY)).sqrt()


def one_key(rows: Rows, noise: Noise) -> Float[Tensor, "batch head query"]:
    """The one-key rule for each query: with key i alone noisy, o moves by (p′_i − p_i)(v_i − m_i).

    m_i is what the other keys give. p′ − p = p (1 − p)(e − 1)/(p e + 1 − p) with e = exp(σ z), z standard normal; keys
    move independently: Σ_i Var(p′_i) ‖v_i − m_i‖² + ‖Σ_i E(p′_i − p_i)(v_i − m_i)‖².
    """
    parts = _split_output(rows)
    sd, weights, rest = rows.noise_sd(noise), parts.weights, parts.rest
    mean, square = torch.zeros_like(sd), torch.zeros_like(sd)
    for node, mass in zip(NODES.tolist(), MASSES.tolist(), strict=True):
        growth = torch.expm1((sd * node).clamp_max(600))  # float64 exp overflows past 709
        shift = weights * rest * growth / (rest + weights * (1 + growth)).clamp_min(TINY)
        mean += mass * shift
        square += mass * shift**2
    at_top = parts.is_top * mean
    others = (mean - at_top) / rest.clamp_min(TINY)
    drift = (
        others @ rows.values
        - others.sum(-1, keepdim=True) * parts.outputs
        + at_top.sum(-1, keepdim=True) * parts.top_apart
    )
    return ((square - mean**2).clamp_min(0) * parts.squares).sum(-1) + drift.square().sum(-1)


@dataclass(frozen=True)
class _Parts:
    """The output of each query as p_i v_i + (1 − p_i) m_i, for every key i."""

    weights: Float[Tensor, "batch head query key"]
    rest: Float[Tensor, "batch head query key"]
    """1 − p_i, exact also where p_i is next to one."""
    squares: Float[Tensor, "batch head query key"]
    """‖v_i − m_i‖²."""
    outputs: Float[Tensor, "batch head query width"]
    is_top: Float[Tensor, "batch head query key"]
    top_apart: Float[Tensor, "batch head query width"]
    """v_i − m_i of the key with the largest weight."""


def _split_output(rows: Rows) -> _Parts:
    """For all keys but the largest, v_i − m_i = (v_i − o)/(1 − p_i); for that one, m is computed without it."""
    weights = torch.softmax(rows.logits, dim=-1)
    top = weights.argmax(-1, keepdim=True)
    is_top = torch.zeros_like(weights).scatter(-1, top, 1.0)
    without = weights * (1 - is_top)
    others = without.sum(-1, keepdim=True)
    rest = torch.where(is_top > 0, others, 1 - weights)
    outputs = weights @ rows.values
    n_width = rows.values.shape[-1]
    top_values = rows.values.gather(2, top.expand(-1, -1, -1, n_width))
    # as shares first, so that a rest of 1e-200 still has a mean
    logits = torch.where(is_top > 0, -math.inf, rows.logits)
    shares = torch.softmax(logits, dim=-1).nan_to_num(0.0)  # a query that reads one key has no others
    top_apart = torch.where(others > 0, top_values - shares @ rows.values, 0.0)
    value_squares = rows.values.square().sum(-1)[:, :, None, :]
    from_output = value_squares - 2 * outputs @ rows.values.transpose(-1, -2) + outputs.square().sum(-1, keepdim=True)
    squares = from_output.clamp_min(0) / rest.clamp_min(TINY) ** 2
    return _Parts(
        weights,
        rest,
        torch.where(is_top > 0, top_apart.square().sum(-1, keepdim=True), squares),
        outputs,
        is_top,
        top_apart,
    )


def _exact_ratio(rows: list[Rows], head: int, noise: Noise, single: Float[Tensor, " query"], *, seed: int) -> float:
    """The exact mean squared error over that of the one-key rule: the mean over queries drawn in proportion to it."""
    if float(single.sum()) <= 0:
        return 1.0
    generator = torch.Generator().manual_seed(seed)
    drawn = torch.multinomial(single, min(N_EXACT, int((single > 0).sum())), generator=generator)
    places = [
        (row, text, query)
        for row in rows
        for text in range(row.logits.shape[0])
        for query in range(row.logits.shape[2])
    ]
    ratios = [exact_square(*places[i], head=head, noise=noise) / float(single[i]) for i in drawn.tolist()]
    return sum(ratios) / len(ratios)


def exact_square(rows: Rows, text: int, query: int, *, head: int, noise: Noise) -> float:
    """E‖o′ − o‖² of one query, by the exact law of independent normal logits."""
    place = (text, head, query)
    logits, sd = rows.logits[place].numpy(), rows.noise_sd(noise)[place].numpy()
    allowed = np.isfinite(logits)
    logits, values = logits[allowed], rows.values[text, head].numpy()[allowed]
    weights = np.exp(logits - logits.max())
    law = head_moments(logits, join_levels(sd[allowed]), values)
    output = weights @ values / weights.sum()
    return float(np.trace(law.output_covariance) + ((law.output_mean - output) ** 2).sum())


def join_levels(sd: Float[np.ndarray, " key"]) -> Float[np.ndarray, " key"]:
    """Standard deviations rounded to powers of LEVEL_RATIO, where there are too many to make a table for each."""
    if len(np.unique(sd)) <= MAX_LEVELS:
        return sd
    exponent = np.round(np.log(np.maximum(sd, MIN_SD)) / math.log(LEVEL_RATIO))
    return np.where(sd < MIN_SD, 0.0, LEVEL_RATIO**exponent)


def measure_errors(rows: list[Rows], noise: Noise, *, seed: int = 0) -> Float[Tensor, " head"]:
    """The mean squared error of each head over random draws of the noise in the logits of the sampled queries."""
    generator = torch.Generator().manual_seed(seed)
    total: Tensor = torch.zeros(rows[0].logits.shape[1], dtype=torch.float64)
    count = 0
    for row in rows:
        sd = row.noise_sd(noise)
        output = torch.softmax(row.logits, dim=-1) @ row.values
        for _ in range(N_DRAWS):
            drawn = row.logits + sd * torch.randn(sd.shape, generator=generator, dtype=sd.dtype)
            change = torch.softmax(drawn, dim=-1) @ row.values - output
            total += change.square().sum((0, 2, 3))
        count += N_DRAWS * output.shape[0] * output.shape[2]
    return total / count
