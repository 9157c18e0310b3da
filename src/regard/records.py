"""What stages hand on to each other: small frozen records, no array library at import time."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from regard.shapes import Float

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class StudyTable:
    """The result of a study: named columns, rows of plain numbers and words, and what they say in words.

    `config` holds everything that the figures depend on, so that a table can be made again.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    notes: tuple[str, ...] = ()
    config: dict[str, Any] = field(default_factory=dict)

    def records(self) -> list[dict[str, Any]]:
        """One dictionary a row."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]

    def column(self, name: str) -> list[Any]:
        """One column, in the order of the rows."""
        return [row[self.columns.index(name)] for row in self.rows]


@dataclass(frozen=True)
class OutputCloud:
    """Outputs of one design as shares of (first wanted key, other wanted keys, all other keys).

    `density` is the density of the first key's weight, in the head that is to read it, at `weights`; both are empty
    where that weight is as good as certain.
    """

    design: str
    shares: Float[np.ndarray, "draw 3"]
    weights: Float[np.ndarray, " node"]
    density: Float[np.ndarray, " node"]
    weight_mean: float
