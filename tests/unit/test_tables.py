"""The table of a study: rows and columns, data frames, its figure, how it is shown."""

import sys

import pytest

from regard.errors import MissingExtraError, ValueRangeError
from regard.tables import StudyTable


def test_a_table_by_rows_and_by_columns():
    table = StudyTable("t", ("n", "share"), ((1, 0.5), (2, 0.25)))
    assert table.records() == [{"n": 1, "share": 0.5}, {"n": 2, "share": 0.25}]
    assert table.column("share") == [0.5, 0.25]


def test_a_table_as_a_data_frame_of_polars():
    polars = pytest.importorskip("polars")
    frame = StudyTable("t", ("n", "share", "design"), ((1, 0.5, "pull"), (2, 0.25, "push"))).to_polars()
    assert dict(frame.schema) == {"n": polars.Int64, "share": polars.Float64, "design": polars.String}
    assert frame.rows() == [(1, 0.5, "pull"), (2, 0.25, "push")]


@pytest.mark.parametrize("library", ["polars", "pandas"])
def test_a_data_frame_needs_its_library(monkeypatch, library):
    monkeypatch.setitem(sys.modules, library, None)
    table = StudyTable("t", ("n",), ((1,),))
    with pytest.raises(MissingExtraError, match=f"a data frame of {library} needs {library}: pip install {library}"):
        getattr(table, f"to_{library}")()


def test_a_table_is_plotted_by_its_own_function():
    table = StudyTable("t", ("n",), ((1,), (2,)), draw=lambda drawn: drawn.column("n"))
    assert table.plot() == [1, 2]
    with pytest.raises(ValueRangeError, match="there is no figure for the table 'bare'"):
        StudyTable("bare", ("n",), ()).plot()


def test_a_table_is_shown_short_and_escaped():
    table = StudyTable("<t>", ("n", "<c>"), ((1, 1 / 3), (2, "<x>")), notes=("a & b",))
    assert repr(table) == "StudyTable('<t>', 2 rows of n, <c>)"
    assert table._repr_html_() == (
        "<div><strong>&lt;t&gt;</strong><table><tr><th>n</th><th>&lt;c&gt;</th></tr><tr><td>1</td><td>0.333333</td></tr>"
        "<tr><td>2</td><td>&lt;x&gt;</td></tr></table><p>a &amp; b</p></div>"
    )


def test_a_table_is_printed_as_one():
    table = StudyTable("t", ("n", "design", "share"), ((1, "pull", 1 / 3), (12, "push", None)), notes=("exact",))
    assert str(table).splitlines() == [
        "t",
        "",
        " n  design     share",
        " 1  pull    0.333333",
        "12  push",
        "",
        "- exact",
    ]
