"""Who is told how far a computation is: a bar on a terminal, a line in a notebook, the caller, nobody."""

import io
import sys

from regard import progress
from regard.progress import show_progress, silent


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_function_is_taken_as_it_is():
    told = []

    def tell(share, message=""):
        told.append((share, message))

    with show_progress(tell) as report:
        report(0.5, "half")
    assert told == [(0.5, "half")]


def test_nothing_is_shown_in_a_pipe_or_where_it_is_not_wanted(monkeypatch):
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    monkeypatch.delitem(sys.modules, "ipykernel", raising=False)
    with show_progress(True) as report:
        assert report is silent
    monkeypatch.setattr(sys, "stderr", Terminal())
    with show_progress(False) as report:
        assert report is silent
    assert sys.stderr.getvalue() == ""


def test_a_terminal_gets_a_bar(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    with show_progress() as report:
        report(None, "reading [b]")
        report(0.25, "training")
    shown = sys.stderr.getvalue()
    assert "training" in shown
    assert "25%" in shown


def test_a_notebook_gets_one_line_that_is_cleared(monkeypatch):
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    monkeypatch.setitem(sys.modules, "ipykernel", sys)
    monkeypatch.setattr(progress, "NOTEBOOK_SECONDS", 0.0)
    with show_progress() as report:
        report(0.25, "training")
        report(None, "measuring")
    assert sys.stderr.getvalue() == "\r 25 % training\rmeasuring     \r         \r"
