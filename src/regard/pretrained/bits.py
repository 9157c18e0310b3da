"""How many bits the keys of each head, or of each channel, get under a total budget.

One forward and one backward pass over some texts give, for every channel and every number of bits, the damage that
storing it so would do to what the model says: ½ E (g·Δk)² summed over tokens, g the gradient of a random score and Δk
the quantiser's error (see `influence`). Bits go, one after the other, to where the next one saves most. Every channel
has a fixed grid, fitted to the same texts, so that nothing but the codes has to be stored for a new text.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from regard.errors import InputFileError, ValueRangeError
from regard.pretrained.capture import Change
from regard.pretrained.influence import count_scored, influences
from regard.pretrained.load import Pretrained
from regard.pretrained.quantise import MAX_BITS, Grid, fit_grid
from regard.progress import Progress, silent
from regard.shapes import Float, Int

FORMAT = "regard bit plan 1"
MAX_TOGETHER = 4_000_000
"""Numbers that are quantised in one go: whole layers, as many as fit."""


@dataclass(frozen=True)
class ChannelGrids:
    """How each channel of the keys (or values) is stored: its bits, and where its grid begins and how it steps."""

    bits: Int[Tensor, "layer key_head width"]
    low: Float[Tensor, "layer key_head width"]
    step: Float[Tensor, "layer key_head width"]

    def grid(self, layer: int) -> Grid:
        """The grid of a layer for numbers whose axes are key_head, width, key."""
        low, step = self.low[layer][..., None], self.step[layer][..., None]
        return Grid(low, step, 2.0 ** self.bits[layer][..., None] - 1)

    def quantise(
        self, layer: int, numbers: Float[Tensor, "batch key_head key width"]
    ) -> Float[Tensor, "batch key_head key width"]:
        """What is read back when these numbers were stored."""
        return self.grid(layer).quantise(numbers.transpose(-1, -2)).transpose(-1, -2)


@dataclass(frozen=True)
class BitPlan:
    """How the keys, and perhaps the values, of a model are stored in `budget` bits a number on average."""

    model: str
    budget: float
    before_rotary: bool
    keys: ChannelGrids
    values: ChannelGrids | None = None

    @property
    def mean_bits(self) -> float:
        """Bits that are stored, on average over the numbers that the plan covers."""
        parts = [self.keys.bits] if self.values is None else [self.keys.bits, self.values.bits]
        return float(torch.cat([each.flatten() for each in parts]).double().mean())

    def changes(self) -> dict[str, Change]:
        """What `watch_pass` takes to have a model run on keys and values that were stored so."""
        place = "change_unrotated" if self.before_rotary else "change_keys"
        changes: dict[str, Change] = {place: self.keys.quantise}
        return changes if self.values is None else {**changes, "change_values": self.values.quantise}

    def __repr__(self) -> str:
        what = "keys" if self.values is None else "keys and values"
        return f"BitPlan({self.model!r}, {what} in {self.mean_bits:.4g} bits of {self.budget:g})"

    def to_json(self) -> str:
        """The plan as JSON, with every number that is needed to store and to read back."""
        parts = {"keys": self.keys} | ({} if self.values is None else {"values": self.values})
        record = {
            "format": FORMAT,
            "model": self.model,
            "budget": self.budget,
            "mean_bits": self.mean_bits,
            "before_rotary": self.before_rotary,
            **{name: {field: each.tolist() for field, each in vars(part).items()} for name, part in parts.items()},
        }
        return json.dumps(record) + "\n"

    @classmethod
    def read(cls, path: str | Path) -> BitPlan:
        """The plan that `to_json` wrote to this file."""
        try:
            record = json.loads(Path(path).read_text(encoding="utf-8"))
            if record["format"] != FORMAT:
                raise ValueError(f"its format is {record['format']!r}")
            keys, values = (_read_grids(record.get(name)) for name in ("keys", "values"))
            if keys is None:
                raise ValueError("it says nothing about keys")
            return cls(str(record["model"]), float(record["budget"]), bool(record["before_rotary"]), keys, values)
        except (OSError, ValueError, KeyError, TypeError, RuntimeError, RecursionError) as error:
            raise InputFileError(
                f"{path} is no plan of bits as `regard heads --bits --plan` writes it: {error}"
            ) from error


def _read_grids(record: dict[str, Any] | None) -> ChannelGrids | None:
    if record is None:
        return None
    bits, low, step = (torch.tensor(record[name]) for name in ("bits", "low", "step"))
    if bits.dtype != torch.int64 or bits.ndim != 3 or bool((bits < 0).any() | (bits > MAX_BITS).any()):
        raise ValueError(f"expected from 0 to {MAX_BITS} bits for each layer, head and channel")
    for each in (low, step):
        if not each.is_floating_point() or each.shape != bits.shape or not bool(each.isfinite().all()):
            raise ValueError("expected a finite number of the grid for each channel")
    return ChannelGrids(bits, low, step)


@dataclass(frozen=True)
class Gathered:
    """Keys or values of one layer over some texts, with the gradient at each number."""

    numbers: Float[Tensor, "key_head width member"]
    gradients: Float[Tensor, "key_head width member"]


@dataclass(frozen=True)
class Calibration:
    """All that bits are chosen by: numbers and gradients of every layer, for the keys and for the values."""

    keys: list[Gathered]
    values: list[Gathered]
    n_scored: int


def calibrate(
    pretrained: Pretrained, blocks: list[list[int]], *, seed: int = 0, progress: Progress = silent
) -> Calibration:
    """Keys as they are stored, values, and gradients over these texts."""
    found: list[list[tuple[Tensor, ...]]] = [[] for _ in pretrained.attentions]
    n_scored = 0
    for layers in influences(pretrained, blocks, seed=seed, progress=progress):
        batch, _, length, _ = layers[0].attention.queries.shape
        n_scored += count_scored(pretrained, (batch, length))
        for place, layer in zip(found, layers, strict=True):
            parts = (layer.stored_keys, layer.key_gradient, layer.attention.values, layer.value_gradient)
            place.append(tuple(part.permute(1, 3, 0, 2).flatten(2) for part in parts))
    whole = [[torch.cat(parts, dim=-1) for parts in zip(*place, strict=True)] for place in found]
    return Calibration(
        [Gathered(parts[0], parts[1]) for parts in whole], [Gathered(parts[2], parts[3]) for parts in whole], n_scored
    )


def channel_damages(layers: list[Gathered], n_scored: int) -> Float[Tensor, "layer key_head width bits"]:
    """The damage of storing one channel in 0 to MAX_BITS bits: ½ Σ (g·Δ)² over tokens, a mean over what is scored."""
    table = []
    together = max(1, MAX_TOGETHER // layers[0].numbers.numel())
    for start in range(0, len(layers), together):
        some = layers[start : start + together]
        numbers, gradients = (torch.stack([getattr(each, name) for each in some]) for name in ("numbers", "gradients"))
        by_bits = []
        for bits in range(MAX_BITS + 1):
            error = fit_grid(numbers, bits, clip=True).quantise(numbers) - numbers
            by_bits.append((gradients * error).double().square().sum(-1) / (2 * n_scored))
        table.append(torch.stack(by_bits, dim=-1))
    return torch.cat(table)


def plan_bits(
    pretrained: Pretrained, calibration: Calibration, budget: float, *, per_channel: bool = False, values: bool = False
) -> BitPlan:
    """Bits for each head, or each channel, of the keys (and the values) under one budget."""
    if not 1 <= budget <= MAX_BITS:
        raise ValueRangeError(f"a budget is 1 to {MAX_BITS} bits for each stored number; got {budget:g}")
    parts = [calibration.keys, calibration.values] if values else [calibration.keys]
    damages = torch.stack([channel_damages(part, calibration.n_scored) for part in parts])
    units = damages if per_channel else damages.sum(-2, keepdim=True)
    chosen = allocate(units.flatten(0, -2), budget=budget).view(units.shape[:-1]).expand(damages.shape[:-1])
    return make_plan(pretrained, calibration, chosen, budget=budget)


def make_plan(
    pretrained: Pretrained,
    calibration: Calibration,
    bits: Int[Tensor, "part layer key_head width"],
    *,
    budget: float,
) -> BitPlan:
    """The plan with these bits for the keys (and the values, if there are two parts), grids fitted to the texts."""
    grids = [
        fit_channel_grids(layers, chosen)
        for layers, chosen in zip((calibration.keys, calibration.values), bits, strict=False)
    ]
    values = grids[1] if len(grids) > 1 else None
    return BitPlan(pretrained.name, budget, pretrained.rotary is not None, grids[0], values)


def fit_channel_grids(layers: list[Gathered], bits: Int[Tensor, "layer key_head width"]) -> ChannelGrids:
    """A grid for each channel with this many bits, where its squared error on the numbers gathered is least."""
    grids = [fit_grid(layer.numbers, own[..., None], clip=True) for layer, own in zip(layers, bits, strict=True)]
    low, step = (torch.stack([getattr(grid, name)[..., 0] for grid in grids]) for name in ("low", "step"))
    return ChannelGrids(bits.contiguous(), low, step)


def spread_evenly(shape: tuple[int, ...], budget: float) -> Int[Tensor, " ..."]:
    """Nearly equal bits everywhere with the mean of the budget: 2.5 gives 2 and 3 in turn."""
    ends = torch.floor(torch.arange(math.prod(shape) + 1, dtype=torch.float64) * budget + 1e-9)
    return ends.diff().long().view(shape)


def allocate(damages: Float[Tensor, "unit bits"], *, budget: float) -> Int[Tensor, " unit"]:
    """Bits for each unit, on average at most `budget`, each next one where it saves most.

    Column b of `damages` is the damage with b bits; infinite where that is not allowed. Bits that save less than those
    after them are given together with these: only columns on the lower convex hull of a row are taken.

    >>> allocate(torch.tensor([[4.0, 1.0, 0.5], [1.0, 0.9, 0.85]]), budget=1.0)
    tensor([2, 0])
    """
    hulls = [_lower_hull(row) for row in damages.tolist()]
    bits = torch.tensor([hull[0] for hull in hulls])
    left = int(budget * len(hulls) + 1e-9) - int(bits.sum())
    if left < 0:
        raise ValueRangeError(f"a budget of {budget:g} bits is below the fewest that are allowed; give a larger one")
    gains = [
        (float(damages[unit, high] - damages[unit, low]) / (high - low), unit, low, high)
        for unit, hull in enumerate(hulls)
        for low, high in pairwise(hull)
    ]
    for _, unit, low, high in sorted(gains):
        if high - low <= left and int(bits[unit]) == low:
            bits[unit] = high
            left -= high - low
    return bits


def _lower_hull(row: list[float]) -> list[int]:
    """The columns on the lower convex hull of a row, from the first finite one to the least."""
    hull: list[int] = []
    for column, value in enumerate(row):
        if value == float("inf"):
            continue
        while len(hull) >= 2 and _slope(row, hull[-2], hull[-1]) >= _slope(row, hull[-2], column):
            hull.pop()
        hull.append(column)
    while len(hull) >= 2 and row[hull[-1]] >= row[hull[-2]]:
        hull.pop()
    return hull


def _slope(row: list[float], low: int, high: int) -> float:
    return (row[high] - row[low]) / (high - low)
