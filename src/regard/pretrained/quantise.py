"""Keys and values stored in few bits, and what is read back.

A quantiser stores whole numbers, the codes, and for each group of numbers a grid of equal steps:

    x̂ = low + step·code,     code from 0 to 2ᵇ − 1

from the least number of the group to the largest (asymmetric), or from −m to m where m is the largest size
(symmetric, without a `low` to be stored). With 0 bits, x̂ is the mean of the group.

A group is one channel over the tokens of a text (along="channel") or the channels of one token in one head
(along="token"). With rotary positions, a channel of the keys keeps its range only before they are rotated: then keys
are stored before, and rotated when they are read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

from regard.arrays.namespace import whole_number
from regard.errors import ArgumentError, DTypeError, ValueRangeError
from regard.shapes import Float, Int

MAX_BITS = 8
SHRINKS = tuple(1 - 0.06 * step for step in range(12))
"""Shares of a group's range that are tried: cutting off rare extremes makes the steps finer."""
_NAME = re.compile(r"int(?P<bits>\d+)(?P<words>(:[a-z]+\d*)*)")


@dataclass(frozen=True)
class Grid:
    """Equal steps for each group of numbers: code c stands for low + step·c, c from 0 to `top`."""

    low: Float[Tensor, "*group 1"]
    step: Float[Tensor, "*group 1"]
    top: Float[Tensor, "*group 1"]

    def codes(self, numbers: Float[Tensor, "*group member"]) -> Float[Tensor, "*group member"]:
        """The nearest code for each number; beyond the ends of the grid, the last one."""
        return torch.minimum(torch.round((numbers - self.low) / self.step).clamp_min(0), self.top)

    def restore(self, codes: Float[Tensor, "*group member"]) -> Float[Tensor, "*group member"]:
        """The numbers that the codes stand for."""
        return self.low + self.step * codes

    def quantise(self, numbers: Float[Tensor, "*group member"]) -> Float[Tensor, "*group member"]:
        """What is read back when these numbers were stored."""
        return self.restore(self.codes(numbers))


def fit_grid(
    numbers: Float[Tensor, "*group member"],
    bits: Int[Tensor, "*group 1"] | int,
    *,
    symmetric: bool = False,
    clip: bool = False,
) -> Grid:
    """The grid over the range of each group; with `clip`, over the part of it that has the least squared error."""
    bits = torch.as_tensor(bits)
    best = _grid(numbers, bits, shrink=1.0, symmetric=symmetric)
    if not clip:
        return best
    error = _squared_error(best, numbers)
    for shrink in SHRINKS[1:]:
        tried = _grid(numbers, bits, shrink=shrink, symmetric=symmetric)
        tried_error = _squared_error(tried, numbers)
        better = tried_error < error
        best = Grid(torch.where(better, tried.low, best.low), torch.where(better, tried.step, best.step), best.top)
        error = torch.minimum(error, tried_error)
    return best


def _grid(
    numbers: Float[Tensor, "*group member"], bits: Int[Tensor, " ..."], *, shrink: float, symmetric: bool
) -> Grid:
    """The grid over `shrink` times the range, around the median (or, if symmetric, around 0)."""
    if symmetric:
        size = shrink * numbers.abs().amax(-1, keepdim=True)
        top = (2.0**bits - 1).expand_as(size)
        return Grid(-size, _positive(2 * size / top), top)
    middle = numbers.median(-1, keepdim=True).values
    low = middle + shrink * (numbers.amin(-1, keepdim=True) - middle)
    high = middle + shrink * (numbers.amax(-1, keepdim=True) - middle)
    top = (2.0**bits - 1).expand_as(low)
    low = torch.where(top == 0, numbers.mean(-1, keepdim=True), low)
    return Grid(low, _positive((high - low) / top.clamp_min(1)), top)


def _squared_error(grid: Grid, numbers: Float[Tensor, "*group member"]) -> Float[Tensor, "*group 1"]:
    return ((grid.quantise(numbers) - numbers) ** 2).sum(-1, keepdim=True)


def _positive(step: Float[Tensor, "*group 1"]) -> Float[Tensor, "*group 1"]:
    """The step, or 1 where all numbers of a group are equal."""
    return torch.where(step > 0, step, torch.ones_like(step))


@dataclass(frozen=True)
class Quantiser:
    """How keys are stored: `bits` for each number, in grids that are fitted to the keys themselves."""

    bits: int
    along: Literal["token", "channel"] = "channel"
    symmetric: bool = False
    rotary: Literal["before", "after"] = "before"
    """Whether keys are stored before or after rotary positions; the same for models that have none."""
    clip: bool = False
    group: int | None = None
    """How many numbers share a grid; None: all along the axis."""

    def __post_init__(self) -> None:
        if not 0 <= whole_number(self.bits, name="bits") <= MAX_BITS:
            raise ValueRangeError(f"keys are stored in 0 to {MAX_BITS} bits; got {self.bits}")
        if self.symmetric and self.bits < 1:
            raise ValueRangeError("a symmetric quantiser needs at least one bit, for the sign; got 0")
        if self.group is not None and whole_number(self.group, name="group") < 2:
            raise ValueRangeError(f"a group has at least two numbers; got {self.group}")

    @property
    def name(self) -> str:
        """The name as it is typed."""
        words = [f"int{self.bits}", self.along, "symmetric" if self.symmetric else "", "clip" if self.clip else ""]
        words += ["after" if self.rotary == "after" else "", f"group{self.group}" if self.group else ""]
        return ":".join(filter(None, words))

    def quantise(self, numbers: Float[Tensor, "batch key_head key width"]) -> Float[Tensor, "batch key_head key width"]:
        """What is read back when these numbers were stored."""
        _check_numbers(numbers)
        rows = numbers if self.along == "token" else numbers.transpose(-1, -2)
        size = self.group or rows.shape[-1]
        stored = [
            fit_grid(part, self.bits, symmetric=self.symmetric, clip=self.clip).quantise(part)
            for part in rows.split(size, dim=-1)
        ]
        restored = torch.cat(stored, dim=-1)
        return restored if self.along == "token" else restored.transpose(-1, -2)


def _check_numbers(numbers: Tensor) -> None:
    """Raises DTypeError or ValueRangeError where no grid could hold the numbers."""
    if not numbers.is_floating_point():
        raise DTypeError(f"floating-point numbers can be stored in few bits; got {numbers.dtype}")
    if numbers.numel() == 0:
        raise ValueRangeError(f"there are no numbers to store; got shape {tuple(numbers.shape)}")
    if not bool((numbers.abs() <= torch.finfo(numbers.dtype).max / 4).all()):
        raise ValueRangeError(f"numbers to store must be finite and their range within {numbers.dtype}")


def parse_quantiser(text: str) -> Quantiser:
    """A quantiser as it is typed: int, its bits, and words with colons between.

    >>> parse_quantiser("int4:token:symmetric:group32")
    Quantiser(bits=4, along='token', symmetric=True, rotary='before', clip=False, group=32)
    """
    found = _NAME.fullmatch(text)
    settings: dict[str, object] = {}
    for word in found["words"].split(":")[1:] if found else ():
        if word in ("token", "channel"):
            settings["along"] = word
        elif word in ("before", "after"):
            settings["rotary"] = word
        elif word in ("symmetric", "clip"):
            settings[word] = True
        elif word.startswith("group") and word[5:].isdigit():
            settings["group"] = int(word[5:])
        else:
            found = None
    if found is None:
        raise ArgumentError(
            f"a quantiser is written as int4, with any of :token, :channel, :symmetric, :clip, :before, :after and "
            f":group32 behind; got {text!r}"
        )
    return Quantiser(int(found["bits"]), **settings)  # type: ignore[arg-type]
