"""Pieces of HTML, worked by hand: surprise as colour, tables, figures."""

import re

import numpy as np
from tests.support.surprise import surprise_result

from regard.report.fragments import (
    MAX_DRAWN,
    draw_beginnings,
    figure_html,
    heat_map,
    heat_maps,
    heat_scale,
    scrolling_table,
    surprise_columns,
)
from regard.report.heat import SHADES


def test_each_character_stands_on_the_shade_of_its_bits():
    shown = heat_map(surprise_result("a<\nb", [0.1, 10.0, 1.5, 0.1]))
    assert f'<span style="background:{SHADES[0]};color:#111" title="0.10 bits">a</span>' in shown
    assert f'<span style="background:{SHADES[8]};color:#fff" title="10.00 bits">&lt;</span>' in shown
    assert f'<span style="background:{SHADES[3]};color:#111" title="1.50 bits">↵</span>\n' in shown
    assert "letters on passage A: 2.925 bits per character" in shown


def test_maps_of_one_model_stand_together():
    results = [surprise_result("x", [1.0], model=m, passage=p) for p in ("A", "B") for m in ("words", "letters")]
    order = re.findall(r"<strong>(\w+) on (\w)", heat_maps(results))
    assert order == [("words", "A"), ("words", "B"), ("letters", "A"), ("letters", "B")]


def test_the_scale_names_every_shade():
    assert heat_scale().count("<span") == len(SHADES)


def test_every_character_is_a_row_of_the_data():
    assert surprise_columns([surprise_result("ab", [1.0, 2.0])]) == {
        "passage": ["passage A"] * 2, "model": ["letters"] * 2, "place": [0, 1], "character": ["a", "b"],
        "bits": [1.0, 2.0],
    }  # fmt: skip


def test_a_figure_fills_the_window_and_says_what_it_shows():
    shown = figure_html('<?xml?><svg width="432.0pt" height="216pt"><g/></svg>', label="Two <bars>")
    assert '<svg width="100%" style="min-width: 34rem"><g/></svg>' in shown
    assert 'role="img" aria-label="Two &lt;bars&gt;"' in shown
    assert "<?xml" not in shown


def test_pictures_show_the_beginning():
    figure = draw_beginnings([surprise_result("a" * (MAX_DRAWN + 5), [1.0] * (MAX_DRAWN + 5))])
    assert int((~np.isnan(figure.axes[0].images[0].get_array().filled(np.nan))).sum()) == MAX_DRAWN


def test_words_stand_to_the_left_and_numbers_to_the_right():
    table = scrolling_table(["model", "bits"], [["a", "<b>1</b>"]], n_words=1)
    assert re.findall(r"text-align:(\w+)\">([^<]*)", table) == [
        ("left", "model"), ("right", "bits"), ("left", "a"), ("right", ""),
    ]  # fmt: skip


def test_pieces_are_plain_strings():
    """What marimo sends to the browser has to be of type str itself: of a subclass it sends {}."""
    result = surprise_result("ab", [1.0, 2.0])
    table, figure = scrolling_table(["a"], [["b"]], n_words=1), figure_html("<svg></svg>", label="a")
    assert {type(piece) for piece in (table, figure, heat_map(result), heat_maps([result]), heat_scale())} == {str}
