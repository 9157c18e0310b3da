"""Lines of word vectors: what polars reads at once is what reading line by line gives, to the bit."""

import gzip
import os
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from regard.errors import InputFileError
from regard.text.vectors.lines import (
    BadLineError,
    LineFormat,
    find_format,
    parse_block,
    parse_line,
    parse_line_by_line,
    parse_lines,
)


def bits(rows):
    return rows.view(np.uint32).tolist()


@pytest.mark.parametrize(
    "text", [b"0.1", b"-0.038194", b"9.99999999", b"-0.0", b"1e3", b"+.5", b"-12", b"1.", b"1e-50"]
)
def test_numbers_are_those_of_python_at_once_and_one_by_one(text):
    expected = [[np.array(float(text)).astype(np.float32).view(np.uint32).tolist()]]
    words, rows = parse_block(b"a " + text + b"\n", width=1)
    assert (words, bits(rows)) == (["a"], expected)
    assert bits(parse_line(b"a " + text, width=1)[1][None]) == expected


def test_a_number_is_rounded_to_float64_and_then_to_float32():
    # Just above the middle of 1 and the float32 after it: in one step up to that, in two steps first to the middle,
    # then to the even 1.
    text = b"1.000000059604644775390625000001"
    assert parse_block(b"a " + text + b"\n", width=1)[1].item() == parse_line(b"a " + text, width=1)[1].item() == 1.0


@pytest.mark.parametrize("text", ["x", "nan", "-inf", "1e39", "1_0", "0x10", "٣", "0,5", "--1", "1-2", ".", "1e400"])
def test_what_is_no_finite_number_is_refused(text):
    assert parse_block(f"a 0.5 {text}\n".encode(), width=2) is None
    with pytest.raises(BadLineError, match="is not a finite number"):
        parse_line(f"a 0.5 {text}".encode(), width=2)


@pytest.mark.parametrize(
    "block",
    [b"", b"a 1 2\nb 3\n", b"a 1 2\nb 3 4 5\n", b"a b 1 2\n", b" 1 2\n", b"a 1 2\n\n", b"a  1 2\n", b"a 1 2 \n",
     b"a\t1 2\n", b"\x0ba 1 2\n", b"a\xff 1 2\n", b"\xef\xbb\xbfa 1 2\n", b"a 1 2\n \xef 1 2\n"],
)  # fmt: skip
def test_blocks_of_another_form_are_left_to_reading_line_by_line(block):
    assert parse_block(block, width=2) is None


def test_odd_words_go_the_fast_way():
    odd = ["nan", "null", '"', "#", "'", "\\", "NA", "naïve", "日本", "1", "-0.5", "a\xa0b", "\x85", "a\ufeff", ","]
    words, rows = parse_block("".join(f"{word} 0.5 {k}\n" for k, word in enumerate(odd)).encode(), width=2)
    assert words == odd
    assert rows[:, 1].tolist() == list(range(len(odd)))


def test_a_mark_that_only_begins_the_block_stays_in_its_word():
    assert parse_lines(b"\xef\xbb\xbfa 1 2\n", width=2).words == ["\ufeffa"]


FIELDS = st.one_of(
    st.floats(-10, 10, width=32).map(lambda x: f"{x:.5f}"),
    st.floats(width=32).map(repr),
    st.floats().map(repr),
    st.text(st.characters(codec="utf-8", exclude_characters="\n"), max_size=3),
    st.sampled_from(["a", "nan", "1_0", "", "日", "0.5", "-1.25", "\t", "1e5", "#", '"', "null", "\x0b", "\ufeff"]),
)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.lists(FIELDS, min_size=2, max_size=4).map(" ".join), max_size=5))
@example(["a 1 2", "\ufeffb 1 2"])
@example(["a 1 2", "b 1 2\r"])
def test_many_lines_at_once_give_what_one_by_one_gives(lines):
    block = "".join(f"{line}\n" for line in lines).encode()
    fast, slow = parse_lines(block, width=2), parse_line_by_line(block, width=2)
    assert (fast.words, fast.n_lines, fast.broken) == (slow.words, slow.n_lines, slow.broken)
    assert list(fast.places) == list(slow.places)
    assert bits(fast.rows) == bits(slow.rows)


@pytest.mark.parametrize("form", [".5f", ".5g", ".9g", ".17g", "e"])
def test_regular_lines_go_the_fast_way(form):
    rng = np.random.default_rng(0)
    numbers = rng.normal(0, 0.5, (400, 9))
    block = "".join(f"w{k} {' '.join(format(x, form) for x in row)}\n" for k, row in enumerate(numbers)).encode()
    words, rows = parse_block(block, width=9)
    slow = parse_line_by_line(block, width=9)
    assert words == slow.words
    assert bits(rows) == bits(slow.rows)


def test_without_polars_lines_are_read_one_by_one(monkeypatch):
    monkeypatch.setitem(sys.modules, "polars", None)
    assert parse_block(b"a 0.5 1\n", width=2) is None
    found = parse_lines(b"a 0.5 1\nb 2 x\n", width=2)
    assert (found.words, found.rows.tolist()) == (["a"], [[0.5, 1]])
    assert found.broken == [(1, "'x' is not a finite number")]


def test_a_word_with_spaces_is_what_stands_before_the_numbers():
    word, numbers = parse_line(b"to a@b.c 0.5 1", width=2)
    assert (word, numbers.tolist()) == ("to a@b.c", [0.5, 1])
    with pytest.raises(BadLineError, match="more than 2 numbers"):
        parse_line(b"a 0.5 1 2", width=2)


def test_the_form_of_a_file_is_that_of_its_first_lines():
    assert find_format(b"a 1 2\nb 3 4\n", Path("x")) == LineFormat(2)
    found = find_format(b"7 2\r\na\t1 2 \r\n", Path("x"))
    assert (found.width, found.n_announced) == (2, 7)
    assert found.clean(b"b\t1 2 \r\n") == b"b 1 2\n"
    with pytest.raises(InputFileError, match="x does not hold word vectors as GloVe writes them"):
        find_format(b"to be or not\nto be\n", Path("x"))
    with pytest.raises(InputFileError, match="x has a header and no vectors after it; is it whole\\?"):
        find_format(b"7 2\n", Path("x"))


DATA = Path(os.environ.get("REGARD_DATA", Path(__file__).parents[5] / "shared" / "data"))
GLOVE = DATA / "glove.6B.100d.subset.txt.gz"


@pytest.mark.skipif(
    not GLOVE.exists() and os.environ.get("CI") != "true", reason=f"needs {GLOVE.name}; name its folder in REGARD_DATA"
)
def test_real_vectors_are_the_same_either_way():
    from regard.text.vectors.glove_text import whole_lines

    block = next(whole_lines(GLOVE))
    words, rows = parse_block(block, width=100)
    slow = parse_line_by_line(block, width=100)
    assert words == slow.words
    assert bits(rows) == bits(slow.rows)


@pytest.mark.parametrize("pack", [gzip.compress, zlib.compress])
def test_what_is_packed_twice_is_not_unpacked_by_the_way(pack):
    block = pack(b"the 0.5\n" * 100) + b"\n"
    assert parse_block(block, width=1) is None
    assert parse_block(b"x^2 0.5\nthe 1\n", width=1) is None  # it may be packed, too; read line by line
    assert parse_lines(b"x^2 0.5\nthe 1\n", width=1).words == ["x^2", "the"]
