"""Surprise as colour: worked by hand."""

import math
import re

import numpy as np

from regard.lab.page import html_table
from regard.lab.shading import MAX_DRAWN, drawn, heat_files, heat_map, heat_maps, heat_scale, surprise_columns
from regard.records import PerplexityResult, SurpriseMap
from regard.report.heat import SHADES


def result(text, bits, *, model="letters", passage="passage A"):
    return PerplexityResult(
        model=model, text=passage, unit="character", tokens=len(text), line_ends=0, unknown_share=0.0, perplexity=2.0,
        perplexity_known=2.0, perplexity_by_base={}, characters=len(text), bytes=len(text),
        token_nats=float(sum(bits)) * math.log(2), spelling_nats=0.0, restoration_nats=0.0, choice_nats=0.0,
        adaptive=False, prepare=(), cautions=(), surprise=SurpriseMap(text, np.array(bits) * math.log(2)),
    )  # fmt: skip


def test_each_character_stands_on_the_shade_of_its_bits():
    shown = heat_map(result("a<\nb", [0.1, 10.0, 1.5, 0.1]))
    assert f'<span style="background:{SHADES[0]};color:#111" title="0.10 bits">a</span>' in shown
    assert f'<span style="background:{SHADES[8]};color:#fff" title="10.00 bits">&lt;</span>' in shown
    assert f'<span style="background:{SHADES[3]};color:#111" title="1.50 bits">↵</span>\n' in shown
    assert "letters on passage A: 2.925 bits per character" in shown


def test_maps_of_one_model_stand_together():
    results = [result("x", [1.0], model=m, passage=p) for p in ("A", "B") for m in ("words", "letters")]
    order = re.findall(r"<strong>(\w+) on (\w)", heat_maps(results))
    assert order == [("words", "A"), ("words", "B"), ("letters", "A"), ("letters", "B")]


def test_the_scale_names_every_shade():
    assert heat_scale().count("<span") == len(SHADES)


def test_data_and_page_can_be_saved():
    results = [result("ab", [1.0, 2.0])]
    assert surprise_columns(results)["bits"] == [1.0, 2.0]
    files = heat_files(results, ())
    assert files["csv"]().decode().splitlines()[1] == "passage A,letters,0,a,1.0"
    assert files["html"]().startswith(b"<!doctype html>")
    assert files["png"]().startswith(b"\x89PNG")


def test_pictures_show_the_beginning():
    figure = drawn([result("a" * (MAX_DRAWN + 5), [1.0] * (MAX_DRAWN + 5))])
    assert int((~np.isnan(figure.axes[0].images[0].get_array().filled(np.nan))).sum()) == MAX_DRAWN


def test_words_stand_to_the_left_and_numbers_to_the_right():
    table = html_table(["model", "bits"], [["a", "<b>1</b>"]], n_words=1)
    assert re.findall(r"text-align:(\w+)\">([^<]*)", table) == [
        ("left", "model"), ("right", "bits"), ("left", "a"), ("right", ""),
    ]  # fmt: skip
