import gzip
import os
import sys
from pathlib import Path

import numpy as np
import pytest

from regard.errors import InputFileError
from regard.text.vectors import glove_text
from regard.text.vectors.glove_text import read_vectors
from regard.text.vectors.word_vectors import ReadReport, SkippedLine

DATA = Path(os.environ.get("REGARD_DATA", Path(__file__).parents[5] / "shared" / "data"))
GLOVE = DATA / "glove.6B.100d.subset.txt.gz"
needs_glove = pytest.mark.skipif(
    not GLOVE.exists() and os.environ.get("CI") != "true", reason=f"needs {GLOVE.name}; name its folder in REGARD_DATA"
)


@pytest.fixture
def read(tmp_path):
    def read(data, **options):
        path = tmp_path / "v.txt"
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        return read_vectors(path, **options)

    return read


@pytest.fixture
def refused(read, tmp_path):
    def refused(data, **options):
        with pytest.raises(InputFileError) as caught:
            read(data, **options)
        assert "\n" not in str(caught.value)
        return str(caught.value).replace(str(tmp_path) + os.sep, "")

    return refused


@pytest.fixture(params=["isal", "gzip"])
def unpacker(request, monkeypatch):
    if request.param == "isal":
        pytest.importorskip("isal", reason="needs the package isal for the fast way to unpack")
    else:
        monkeypatch.setitem(sys.modules, "isal.igzip", None)
        assert glove_text.fastest_gzip()[0] is gzip.GzipFile


def test_plain_text(read):
    found = read("the 0.5 -0.25\nof 1e-3 2\n")
    assert found.words == ["the", "of"]
    assert found.vectors.dtype == np.float32
    assert found.vectors.tolist() == [[0.5, -0.25], [np.float32(1e-3), 2]]
    assert found.report == ReadReport(n_lines=2)


@pytest.mark.parametrize(
    "data",
    [
        b"a 0.5 1.5\nb 2.5 3.5",
        b"2 2\na 0.5 1.5\nb 2.5 3.5\n",
        b"a 0.5 1.5 \nb 2.5 3.5 \n",
        b"a 0.5 1.5\r\nb 2.5 3.5\r\n",
        b"2 2\r\na 0.5 1.5 \r\nb 2.5 3.5 \r\n",
        b"a\t0.5\t1.5\nb\t2.5\t3.5\n",
        b"\xef\xbb\xbfa 0.5 1.5\nb 2.5 3.5\n",
        b"a  0.5  1.5\nb 2.5 3.5\n",
    ],
)
def test_the_same_vectors_in_other_dress(read, data):
    found = read(data)
    assert found.words == ["a", "b"]
    assert found.vectors.tolist() == [[0.5, 1.5], [2.5, 3.5]]
    assert (found.report.n_skipped, found.report.n_duplicates) == (0, 0)
    assert found.report.n_announced == (2 if data.startswith(b"2") else None)


def test_a_first_line_of_two_numbers_that_does_not_fit_is_no_header(read):
    found = read("5 7\na 0.5 1.5\nb 2.5 3.5\n")
    assert found.words == ["a", "b"]
    assert found.report.n_announced is None
    assert found.report.first_skipped == (SkippedLine(1, "a word and 2 numbers expected, 2 fields found"),)


def test_odd_words_are_words(read):
    words = [
        "nan",
        "null",
        '"',
        "#",
        "'",
        "\\",
        "NA",
        "naïve",
        "日本",
        "1",
        "-0.5",
        ". . .",
        "to a@b.c",
        "a\xa0b",
        "\x85",
    ]
    found = read("".join(f"{word} 0.5 {k}.25 -1.5\n" for k, word in enumerate(words)))
    assert found.words == words
    assert found.vectors[:, 1].tolist() == [k + 0.25 for k in range(len(words))]
    assert found.report.n_skipped == 0


def test_broken_lines_are_skipped_and_reported(read):
    good = "".join(f"w{k} 0.5 {k}.5\n" for k in range(20)).encode()
    found = read(
        good
        + b"few 0.5\n\nword x 0.5\nbad nan 0.5\nbad 0.5 -inf\n"
        + b"broken\xff 0.5 0.5\nmany 0.5 0.5 0.5\nlast 0.5 1.5\ncut 0.1"
    )
    assert found.words == [*(f"w{k}" for k in range(20)), "last"]
    report = found.report
    assert (report.n_lines, report.n_skipped) == (29, 8)
    assert report.first_skipped == (
        SkippedLine(21, "a word and 2 numbers expected, 2 fields found"),
        SkippedLine(22, "empty"),
        SkippedLine(23, "'x' is not a finite number"),
        SkippedLine(24, "'nan' is not a finite number"),
        SkippedLine(25, "'-inf' is not a finite number"),
    )
    assert str(report) == "29 lines, 8 skipped (line 21: a word and 2 numbers expected, 2 fields found, …)"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"broken\xff 0.5 0.5", "byte 0xff in the word is not UTF-8"),
        (b"many 0.5 0.5 0.5", "more than 2 numbers"),
        (b"long 0.5 " + b"x" * 99, f"'{'x' * 20}…' is not a finite number"),
        (b"\xff\xfe 0.5 \xff", "'\\\\xff' is not a finite number"),
    ],
)
def test_the_reason_for_skipping(read, line, reason):
    found = read(b"a 0.5 0.5\n" + line + b"\nb 0.5 0.5\n")
    assert found.report.first_skipped == (SkippedLine(2, reason),)
    assert found.words == ["a", "b"]


def test_of_two_lines_with_one_word_the_first_counts(read):
    found = read("1 2\na 0.5 1\nb 0.5 2\na 0.5 3\nb 0.5 4\n")
    assert found.words == ["a", "b"]
    assert found.vectors[:, 1].tolist() == [1, 2]
    assert found.report.first_duplicates[0] == SkippedLine(4, "'a' stands on line 2 already")
    assert str(found.report) == (
        "5 lines, 2 with a word met before (line 4: 'a' stands on line 2 already, …), 1 words announced"
    )


def test_only_wanted_words(read):
    found = read("a 0.5 1\nto be 0.5 2\nto 0.5 3\nx y z\nb nan 4\n", wanted={"to be", "a", "b", "absent"})
    assert found.words == ["a", "to be"]
    assert found.vectors[:, 1].tolist() == [1, 2]
    assert (found.report.n_lines, found.report.n_skipped) == (5, 1)
    assert found.report.first_skipped == (SkippedLine(5, "'nan' is not a finite number"),)
    assert read("a 0.5 1\n", wanted=["b"]).vectors.shape == (0, 2)
    assert read("a 0.5 1\n", wanted=[]).vectors.shape == (0, 2)


def test_blocks_make_no_difference(read, monkeypatch):
    rng = np.random.default_rng(0)
    lines = [f"w{k} {x:.5f} {x * 7:.4g}" for k, x in enumerate(rng.standard_normal(200))]
    lines[50], lines[120], lines[121] = "w7 0.1 0.2", "oops", lines[119]
    lines[150] = "w199 0.5 x"
    whole, some = read("\n".join(lines)), read("\n".join(lines), wanted={"w3", "w7", "w199"})
    monkeypatch.setattr(glove_text, "BLOCK_BYTES", 64)
    parts, few = read("\n".join(lines)), read("\n".join(lines), wanted={"w3", "w7", "w199"})
    assert parts.words == whole.words
    assert (parts.vectors == whole.vectors).all()
    assert parts.report == whole.report
    assert (whole.report.n_skipped, whole.report.n_duplicates) == (2, 2)
    assert few.words == some.words == ["w3", "w7", "w199"]
    assert few.report == some.report
    assert few.report.first_skipped == (SkippedLine(151, "'x' is not a finite number"),)
    assert (few.vectors == whole.vectors[whole.rows(few.words)]).all()


def test_reading_ends_once_all_wanted_words_are_found(read, monkeypatch):
    monkeypatch.setattr(glove_text, "BLOCK_BYTES", 64)
    seen = []
    found = read("a 0.5 0.5\n" * 1000, wanted=["a"], progress=lambda *told: seen.append(told))
    assert found.report.n_lines < 20
    assert len(seen) == 1


def test_progress_ends_with_the_whole_file(read, monkeypatch):
    monkeypatch.setattr(glove_text, "BLOCK_BYTES", 300)
    seen = []
    read("a 0.5 0.5\n" * 100, progress=lambda *told: seen.append(told))
    assert seen[-1] == (1.0, "reading v.txt")
    assert len(seen) == 4


@pytest.mark.usefixtures("unpacker")
def test_gzip_by_its_content(read, refused):
    data = gzip.compress("".join(f"w{k} 0.5 0.{k}\n" for k in range(500)).encode())
    assert len(read(data)) == 500
    assert refused(data[:-20]).startswith("v.txt is a damaged gzip file: ")
    assert refused(data[:100] + bytes(50) + data[150:]).startswith("v.txt is a damaged gzip file: ")
    assert refused(data[:2] + b"x" * 50).startswith("v.txt is a damaged gzip file: ")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("", "v.txt is empty; expected word vectors, a word and its numbers on each line"),
        ("To be, or not to be\nthat is the question\n",
         "v.txt does not hold word vectors as GloVe writes them, a word and its numbers on each line: "
         "line 1: 'be,' is not a finite number"),
        ("word\nwords\n",
         "v.txt does not hold word vectors as GloVe writes them, a word and its numbers on each line: "
         "line 1: a word and 1 numbers expected, 1 fields found"),
        ("400000 100\n", "v.txt has a header and no vectors after it; is it whole?"),
        ("3 2\nto be or\nnot to be\n",
         "v.txt does not hold word vectors as GloVe writes them, a word and its numbers on each line: "
         "line 2: 'be' is not a finite number"),
        (b"PK\x03\x04rest", "v.txt is a zip archive; unpack it and give the file of vectors inside"),
        (b"3000 300\nin \x00\x01\x02",
         "v.txt is not text: byte 0x00 at offset 12; expected word vectors, a word and its numbers on each line "
         "(word2vec's binary form has to be converted first)"),
        ("a 0.5 0.5\n" * 60 + "b 0.5 0.5\n" * 41 + "oops\n" * 150,
         "v.txt holds 150 broken lines and 101 with word vectors; "
         "line 102: a word and 2 numbers expected, 1 fields found"),
    ],
)  # fmt: skip
def test_other_files_are_refused(refused, data, message):
    assert refused(data) == message


def test_an_endless_line_is_refused_before_it_fills_memory(refused, monkeypatch):
    monkeypatch.setattr(glove_text, "MAX_LINE_BYTES", 1 << 19)
    assert refused(b"a 0.5 0.5\n" + b"x" * (1 << 20)) == (
        "v.txt has more than 524,288 bytes without a line end from offset 10 on; "
        "expected word vectors, a word and its numbers on each line"
    )


def test_a_missing_file_and_a_folder(tmp_path):
    with pytest.raises(InputFileError, match=r"cannot read .*absent.txt: No such file or directory"):
        read_vectors(tmp_path / "absent.txt")
    with pytest.raises(InputFileError, match=r"cannot read .*: Is a directory"):
        read_vectors(tmp_path)


@needs_glove
def test_real_vectors():
    wanted = ["the", "null", "king", "queen", "cabbage"]
    found = read_vectors(GLOVE, wanted=wanted)
    with gzip.open(GLOVE, "rt", encoding="utf-8") as file:
        expected = {word: row.split() for word, _, row in (line.partition(" ") for line in file) if word in wanted}
    assert set(found.words) == set(expected)
    for word in found.words:
        assert (found.vectors[found.row(word)] == np.array(expected[word], np.float32)).all()
