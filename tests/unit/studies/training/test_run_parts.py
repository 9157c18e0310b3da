"""What is trained on and what is measured on: cut from a text that comes in pieces."""

import os

import pytest

from regard.errors import NothingScoredError
from regard.studies.training.run import cut_place, slice_chunks, split_text

TEXT = "".join(f"line {i} of a text\n" for i in range(50))


def pieces(size):
    return (TEXT[start : start + size] for start in range(0, len(TEXT), size))


@pytest.mark.parametrize("size", [1, 7, 100, 10_000])
@pytest.mark.parametrize("wanted", [0, 1, 17, 200, len(TEXT) - 1])
def test_a_cut_in_pieces_is_a_cut_of_the_whole(size, wanted):
    assert cut_place(pieces(size), wanted, at_line_ends=False) == wanted
    assert cut_place(pieces(size), wanted, at_line_ends=True) == TEXT.index("\n", wanted) + 1
    assert "".join(slice_chunks(pieces(size), wanted, 300)) == TEXT[wanted:300]


def test_without_a_line_break_the_cut_is_where_it_is_wanted():
    assert cut_place(iter(["to be ", "or not"]), 7, at_line_ends=True) == 7


def test_a_fraction_is_cut_from_the_end(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text(TEXT)
    for at_line_ends in (False, True):
        parts = split_text(path, valid=0.25, at_line_ends=at_line_ends)
        assert parts.train + parts.valid == TEXT
        assert parts.train == "".join(parts.chunks())
        assert 0 <= len(parts.train) - int(0.75 * len(TEXT)) < 20
        assert parts.train.endswith("\n") or not at_line_ends
    assert split_text(path, valid=0, at_line_ends=True).valid is None
    assert split_text(path, valid=path, at_line_ends=True).valid == TEXT


def test_a_text_that_is_one_line_is_not_cut_away(tmp_path):
    (tmp_path / "text.txt").write_text("one line\n")
    with pytest.raises(NothingScoredError, match="a text of 9 characters cannot be cut"):
        split_text(tmp_path / "text.txt", valid=0.1, at_line_ends=True)


def test_a_pipe_is_read_once(tmp_path):
    reading, writing = os.pipe()
    os.write(writing, TEXT.encode())
    os.close(writing)
    parts = split_text(f"/dev/fd/{reading}", valid=0.1, at_line_ends=True)
    assert parts.train + parts.valid == TEXT
    assert "".join(parts.chunks()) == parts.train
    os.close(reading)
