"""The table that a study ends in: it prints, goes to CSV and data frames, and draws its figure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any

from regard.display import align_table, csv_text, element, format_cell, html_table
from regard.errors import MissingExtraError, ValueRangeError

if TYPE_CHECKING:
    import pandas
    import polars


@dataclass(frozen=True)
class StudyTable:
    """The result of a study: named columns, rows of plain numbers and words, and what they say in words.

    `config` holds everything that the figures depend on, so that a table can be made again. `draw` makes the figure of
    such a table, where there is one.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    notes: tuple[str, ...] = ()
    config: dict[str, Any] = field(default_factory=dict)
    draw: Callable[[StudyTable], Any] | None = field(default=None, compare=False)

    def records(self) -> list[dict[str, Any]]:
        """One dictionary a row."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]

    def column(self, name: str) -> list[Any]:
        """One column, in the order of the rows."""
        return [row[self.columns.index(name)] for row in self.rows]

    def __repr__(self) -> str:
        return f"StudyTable({self.title!r}, {len(self.rows)} rows of {', '.join(self.columns)})"

    def __str__(self) -> str:
        """The title, the rows in aligned columns with six digits, and the notes."""
        cells = [["" if cell is None else format_cell(cell) for cell in row] for row in self.rows]
        is_text = [all(isinstance(cell, str | bool) for cell in self.column(name)) for name in self.columns]
        notes = ["", *(f"- {note}" for note in self.notes)] if self.notes else []
        return "\n".join([self.title, "", *align_table([self.columns, *cells], is_text), *notes])

    def as_csv(self) -> str:
        r"""One line a row under a line of column names; numbers with all their digits.

        >>> StudyTable("t", ("scale", "design"), ((0.1, "pull"),)).as_csv()
        'scale,design\n0.1,pull\n'
        """
        return csv_text(self.columns, self.rows)

    def to_polars(self) -> polars.DataFrame:
        """A data frame of polars with these columns; MissingExtraError where polars is not installed."""
        return self._frame("polars")

    def to_pandas(self) -> pandas.DataFrame:
        """A data frame of pandas with these columns; MissingExtraError where pandas is not installed."""
        return self._frame("pandas")

    def plot(self) -> Any:
        """The study's matplotlib figure; ValueRangeError where there is none for such a table."""
        if self.draw is None:
            raise ValueRangeError(f"there is no figure for the table {self.title!r}")
        return self.draw(self)

    def _frame(self, library: str) -> Any:
        try:
            frame = import_module(library).DataFrame
        except ImportError:
            raise MissingExtraError(f"a data frame of {library} needs {library}: pip install {library}") from None
        return frame({name: self.column(name) for name in self.columns})

    def _repr_html_(self) -> str:
        shown = [[f"{cell:.6g}" if isinstance(cell, float) else cell for cell in row] for row in self.rows]
        notes = [element("p", note) for note in self.notes]
        return str(element("div", element("strong", self.title), html_table(self.columns, shown), *notes))
