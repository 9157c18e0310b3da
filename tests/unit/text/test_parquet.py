"""Parquet tables come from a process of their own, whose death is told in one line."""

import datetime
import decimal
import math
import subprocess

import pytest
from tests.faults.fuzz_parsers import FINDINGS

from regard.errors import InputFileError
from regard.text import parquet
from regard.text.parquet import read_column_names, read_columns

polars = pytest.importorskip("polars", reason="tables need polars: pip install 'regard[models]'")


@pytest.fixture
def write(tmp_path):
    """Write a table to a file."""

    def write_table(columns, **options):
        path = tmp_path / "x.parquet"
        polars.DataFrame(columns, **options).write_parquet(path)
        return path

    return write_table


@pytest.fixture
def processes(monkeypatch):
    """The processes that are started."""
    started = []

    class Noted(subprocess.Popen):
        def __init__(self, *arguments, **options):
            super().__init__(*arguments, **options)
            started.append(self)

    monkeypatch.setattr(parquet.subprocess, "Popen", Noted)
    return started


def test_names_and_values(write):
    path = write(
        {"text": ["é\n", None, ""], "label": [1, -(2**60), 0], "b": [True, None, False], "x": [0.1, math.inf, -0.0]}
    )
    assert read_column_names(path) == ("text", "label", "b", "x")
    assert read_columns(path, ["x", "text"]) == {"x": [0.1, math.inf, -0.0], "text": ["é\n", None, ""]}
    assert read_columns(path, ["label", "b"]) == {"label": [1, -(2**60), 0], "b": [True, None, False]}


def test_more_rows_than_are_sent_at_once(write, monkeypatch):
    texts = [f"text {i}" for i in range(2 * parquet.ROWS_AT_ONCE + 1)]
    assert read_columns(write({"text": texts}), ["text"])["text"] == texts


def test_decimals_and_categories_are_texts(write):
    path = write(
        {"price": [decimal.Decimal("1.50"), None], "kind": ["a", "b"]}, schema_overrides={"kind": polars.Categorical}
    )
    assert read_columns(path, ["price", "kind"]) == {"price": ["1.50", None], "kind": ["a", "b"]}


def test_a_name_is_no_pattern(write):
    assert read_columns(write({"^.*$": [1], "*": [2], "text": ["a"]}), ["^.*$", "*"]) == {"^.*$": [1], "*": [2]}


@pytest.mark.parametrize(
    ("values", "kind"),
    [([b"a"], "Binary"), ([[1]], "List"), ([{"a": 1}], "Struct"), ([datetime.date(2024, 1, 1)], "Date")],
)
def test_columns_of_other_kinds(write, values, kind):
    with pytest.raises(
        InputFileError, match=rf"x.parquet cannot .*: expected texts, .* truth values in column 'text'; got {kind}"
    ):
        read_columns(write({"text": values}), ["text"])


def test_a_reader_that_dies_is_one_line(write):
    """A count of values below zero, which Rust takes for 2⁶¹: in one process, the tests would end here."""
    path = write({"text": ["a"]})
    path.write_bytes((FINDINGS / "rows-parquet" / "count-below-zero").read_bytes())
    with pytest.raises(InputFileError, match=r"^.*x.parquet cannot be read as a Parquet table: .* SIGABRT; [^\n]*$"):
        read_columns(path, ["text"])


def test_a_reader_that_dies_while_it_sends(write, monkeypatch):
    monkeypatch.setattr(
        parquet, "_START", 'import sys; sys.stdout.write(\'{"rows": {"te\'); sys.stdout.flush(); sys.exit(3)'
    )
    with pytest.raises(InputFileError, match=r"what reads it ended with code 3"):
        read_columns(write({"text": ["a"]}), ["text"])


def test_nothing_is_left_running(write, processes):
    path = write({"text": ["a"] * (20 * parquet.ROWS_AT_ONCE)})
    answers = parquet._ask(path, {"path": str(path), "names": ["text"], "max_rows": 10**6, "max_bytes": 10**6})
    assert len(next(answers)["rows"]["text"]) == parquet.ROWS_AT_ONCE
    assert processes[0].poll() is None  # it waits until somebody takes what it has
    answers.close()
    assert processes[0].returncode is not None


def test_nothing_is_imported_from_the_working_folder(write, tmp_path, monkeypatch):
    path = write({"text": ["a"]})
    for name in ("polars", "json", "contextlib"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit(9)")
    monkeypatch.chdir(tmp_path)
    assert read_columns(path, ["text"]) == {"text": ["a"]}
