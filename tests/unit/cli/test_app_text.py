"""Texts that commands read: files, corpora by name, and standard input, which can be read once."""

import io
import sys
from contextlib import nullcontext

import pytest

from regard.cli import app as options
from regard.cli.app import find_text, read_parts, read_standard_input, show_reading
from regard.errors import InputFileError


class Typed(io.TextIOWrapper):
    """Standard input at which somebody types."""

    def isatty(self):
        return True


class Broken(io.RawIOBase):
    """A pipe that fails."""

    def readable(self):
        return True

    def readinto(self, target):
        raise OSError(5, "Input/output error")


def pipe(monkeypatch, content, kind=io.TextIOWrapper):
    monkeypatch.setattr(sys, "stdin", kind(io.BytesIO(content)))


def test_a_dash_is_standard_input_and_all_else_a_name(monkeypatch, tmp_path):
    pipe(monkeypatch, "Ω and\nmore\n".encode())
    given = find_text("-")
    assert (given.name, given.text) == ("standard input", "Ω and\nmore\n")
    (tmp_path / "a.txt").write_text("to be", encoding="utf-8")
    assert find_text(str(tmp_path / "a.txt")).text == "to be"


def test_standard_input_is_read_once(monkeypatch):
    pipe(monkeypatch, b"to be")
    assert read_standard_input() == "to be"
    with pytest.raises(InputFileError, match="standard input can be read only once; give - for one text, and files"):
        read_standard_input()
    pipe(monkeypatch, b"or not")
    assert read_standard_input() == "or not"


def test_nothing_on_standard_input_is_told(monkeypatch):
    nothing = "nothing came on standard input; pipe a text into the command, or name a file instead of -"
    pipe(monkeypatch, b"")
    with pytest.raises(InputFileError, match=nothing):
        read_standard_input()
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(InputFileError, match=nothing):
        read_standard_input()


def test_what_cannot_be_read_or_is_no_text_is_told(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(Broken())))
    with pytest.raises(InputFileError, match="cannot read standard input: Input/output error"):
        read_standard_input()
    pipe(monkeypatch, b"caf\xe9")
    with pytest.raises(InputFileError, match="standard input is not UTF-8: byte 0xe9 at offset 3"):
        read_standard_input()


def test_who_types_is_told_how_to_end_it(monkeypatch, capsys):
    pipe(monkeypatch, b"to be", Typed)
    assert read_standard_input() == "to be"
    expected = "regard: reading standard input: type or paste a text, then end it with Ctrl-D\n"
    assert capsys.readouterr().err == expected
    pipe(monkeypatch, b"to be")
    read_standard_input()
    assert capsys.readouterr().err == ""


def test_nothing_moves_on_the_terminal_where_a_text_is_typed(monkeypatch):
    monkeypatch.setattr(options, "show_activity", nullcontext)
    pipe(monkeypatch, b"", Typed)
    assert show_reading("a.txt", "-").enter_result is None
    assert show_reading("a.txt", "0.1").enter_result == "reading a.txt"
    pipe(monkeypatch, b"")
    assert show_reading("-").enter_result == "reading -"


def test_the_text_to_measure_on_is_a_part_or_another(monkeypatch, tmp_path):
    pipe(monkeypatch, b"one\ntwo\nthree\nfour\n")
    parts = read_parts("-", "0.4", at_line_ends=True)
    assert (parts.train, parts.valid) == ("one\ntwo\nthree\n", "four\n")
    (tmp_path / "a.txt").write_text("to be", encoding="utf-8")
    pipe(monkeypatch, b"other")
    parts = read_parts(str(tmp_path / "a.txt"), "-", at_line_ends=True)
    assert (parts.train, parts.valid, parts.valid_name) == ("to be", "other", "standard input")
