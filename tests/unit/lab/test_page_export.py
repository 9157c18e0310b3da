"""Figures and data as files."""

import pytest

from regard.lab.page import csv_text, figure_bytes


def test_csv_quotes_what_needs_it():
    assert csv_text({"word": ["a,b", 'say "x"'], "n": [1, 2.5]}) == 'word,n\n"a,b",1\n"say ""x""",2.5\n'


@pytest.mark.parametrize(("kind", "start"), [("svg", b"<?xml"), ("png", b"\x89PNG")])
def test_a_figure_becomes_a_file(kind, start):
    figures = pytest.importorskip("matplotlib.figure")
    figure = figures.Figure()
    figure.subplots().plot([0, 1])
    assert figure_bytes(figure, kind).startswith(start)
