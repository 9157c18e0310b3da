"""Tables in files: columns by their names, rows with the line they begin in."""

import gzip
import sys

import pytest

from regard.errors import InputFileError, MissingExtraError
from regard.text.labelled import tables
from regard.text.labelled.tables import is_table, open_table, read_lines


def read(path, *columns):
    table = open_table(path)
    return table.read([table.columns.index(name) for name in columns])


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_the_one_that_the_first_line_has_most_of(tmp_path, delimiter):
    path = tmp_path / "x.csv"
    path.write_text(f" id {delimiter}text\n1{delimiter}a\n\n2{delimiter}b\n")
    assert open_table(path).columns == ("id", "text")
    assert read(path, "text", "id") == ([["a", "b"], ["1", "2"]], [2, 4])


def test_a_row_may_go_over_several_lines(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text('text,id\n"a\nb",1\n"say ""c""",2\n')
    assert read(path, "text") == ([["a\nb", 'say "c"']], [2, 4])


def test_with_tabs_a_quote_is_a_quote_unless_lines_need_it(tmp_path):
    path = tmp_path / "x.tsv"
    path.write_text('text\tid\n"a" b\t1\n"c"\t2\n')
    assert read(path, "text") == ([['"a" b', "c"]], [2, 3])
    path.write_text('text\tid\n"a\nb"\t1\n')
    assert read(path, "text") == ([["a\nb"]], [2])


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("x.csv", "a,b\n1,2\n3\n", "line 3: expected 2 columns as in the first line; got 1"),
        ("x.csv", 'a,b\n"1,2\n', "line 2: unexpected end of data; is a quote left open, or not doubled?"),
        ("x.jsonl", '{"a": 1}\n[1]\n', "line 2: expected a JSON object; got '[1]'"),
        ("x.jsonl", '{"a": 1}\n{"a"\n', "line 2: expected one JSON object a line;"),
        ("x.jsonl", "\n", "is empty; expected one JSON object a line"),
        ("x.txt", "a", "expected labelled texts in a folder or in a file .csv, .tsv"),
        ("x.parquet", "a", "cannot be read as a Parquet table:"),
    ],
)
def test_what_cannot_be_read_says_where(tmp_path, name, content, message):
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(InputFileError) as caught:
        open_table(path).read([0])
    assert message in str(caught.value)
    assert str(path) in str(caught.value)


def test_a_key_that_a_json_line_lacks_is_none(tmp_path):
    path = tmp_path / "x.ndjson.gz"
    path.write_bytes(gzip.compress(b'{"text": "a", "label": 1}\n\n{"text": "b"}\n'))
    assert read(path, "text", "label") == ([["a", "b"], [1, None]], [1, 3])


def test_rows_of_parquet_are_numbered_from_one(tmp_path):
    polars = pytest.importorskip("polars", reason="needs the package polars")
    path = tmp_path / "x.parquet"
    polars.DataFrame({"text": ["a", "b"], "id": [7, 8]}).write_parquet(path)
    table = open_table(path)
    assert table.read([1, 1, 0]) == ([[7, 8], [7, 8], ["a", "b"]], [1, 2])
    assert table.place(2) == f"{path}, row 2"


def test_parquet_needs_polars(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(MissingExtraError, match=r"is a Parquet table, which needs polars: pip install"):
        open_table(tmp_path / "x.parquet")


def test_lines_without_their_ends(tmp_path):
    path = tmp_path / "x.txt"
    path.write_bytes(b"a\r\n\nb")
    assert list(read_lines(path)) == ["a", "", "b"]


def test_tables_by_their_names(tmp_path):
    names = ("x.csv", "X.TSV.gz", "x.parquet", "x.txt", "x.gz", "csv")
    assert [is_table(tmp_path / name) for name in names] == [True, True, True, False, False, False]


def test_a_packed_table_that_never_ends_is_given_up(tmp_path, monkeypatch):
    bomb = tmp_path / "x.csv.gz"
    with gzip.open(bomb, "wb", compresslevel=1) as file:
        file.write(b"text,label\n")
        for _ in range(20):
            file.write(b"a" * (1 << 20))
    with pytest.raises(InputFileError, match="holds more than a line of 16,777,216 characters, the most that is read"):
        read(bomb, "text")
    monkeypatch.setattr(tables, "MAX_CHARACTERS", 100)
    (tmp_path / "y.csv").write_text("text,label\n" + "fine,1\n" * 20)
    with pytest.raises(InputFileError, match=r"y.csv holds more than 100 characters, the most that is read; split the"):
        read(tmp_path / "y.csv", "text")


@pytest.mark.parametrize(
    ("name", "heading", "row"),
    [("x.csv.gz", "text,id\n", "a,1\n"), ("x.tsv.gz", "text\tid\n", "a\t1\n"), ("x.jsonl.gz", "", '{"text": "a"}\n')],
)
def test_a_packed_table_of_very_many_short_rows_is_given_up(tmp_path, monkeypatch, name, heading, row):
    """A row of four characters takes 130 bytes in memory: two packed megabytes would take 15 GB."""
    path = tmp_path / name
    monkeypatch.setattr(tables, "MAX_ROWS", 500)
    path.write_bytes(gzip.compress((heading + row * 500).encode()))
    assert len(read(path, "text").numbers) == 500
    path.write_bytes(gzip.compress((heading + row * 501).encode()))
    with pytest.raises(InputFileError, match="more than 500 rows, the most that are read; split the file"):
        read(path, "text")


def test_a_text_that_a_parquet_table_repeats_is_counted_before_it_is_read(tmp_path, monkeypatch):
    polars = pytest.importorskip("polars")
    polars.DataFrame({"text": ["a" * 1000] * 500, "label": [1] * 500}).write_parquet(tmp_path / "x.parquet")
    assert len(read(tmp_path / "x.parquet", "text", "label").values[0]) == 500
    monkeypatch.setattr(tables, "MAX_CHARACTERS", 499_999)
    with pytest.raises(InputFileError, match=r"x.parquet holds 500 rows and 500,000 bytes of text; at most "):
        read(tmp_path / "x.parquet", "text", "label")
    monkeypatch.setattr(tables, "MAX_ROWS", 499)
    with pytest.raises(InputFileError, match="holds 500 rows"):
        read(tmp_path / "x.parquet", "label")
