"""Parts of a chapter's page."""

import pytest
from tests.support.surprise import surprise_result

from regard.lab.page import csv_text, figure_bytes, introduction, side_by_side, surprise_files


def test_the_way_to_the_neighbours_and_the_title():
    page = introduction("average-and-subspace", "About *it*.").text
    assert 'href="/"' in page
    assert 'href="/chapter/look-up/"' in page
    assert 'href="/chapter/noisy-keys/"' in page
    assert "Average and subspace</h1>" in page
    assert "<em>it</em>" in page


def test_what_a_link_says_is_never_markup():
    page = introduction("look-up", "", ("scale should be a number; '<img src=x onerror=alert(1)>' is not",)).text
    assert "<img" not in page
    assert "onerror" in page


def test_csv_quotes_what_needs_it():
    assert csv_text({"word": ["a,b", 'say "x"'], "n": [1, 2.5]}) == 'word,n\n"a,b",1\n"say ""x""",2.5\n'


@pytest.mark.parametrize(("kind", "start"), [("svg", b"<?xml"), ("png", b"\x89PNG")])
def test_a_figure_becomes_a_file(kind, start):
    figures = pytest.importorskip("matplotlib.figure")
    figure = figures.Figure()
    figure.subplots().plot([0, 1])
    assert figure_bytes(figure, kind).startswith(start)


def test_each_item_has_a_column_that_fits_a_phone():
    mo = pytest.importorskip("marimo")
    html = side_by_side(mo.md("left"), mo.md("right"), min_width="10rem").text
    assert html.count('<div style="min-width:0">') == 2
    assert html.index("left") < html.index("right")
    assert "minmax(min(10rem,100%),1fr)" in html


def test_surprise_is_saved_as_picture_numbers_and_page():
    files = surprise_files([surprise_result("ab", [1.0, 2.0])], ())
    assert files["csv"]().decode().splitlines()[1] == "passage A,letters,0,a,1.0"
    assert files["html"]().startswith(b"<!doctype html>")
    assert files["png"]().startswith(b"\x89PNG")
