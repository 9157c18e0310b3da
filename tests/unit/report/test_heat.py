"""Heat maps: every character once, with its cost; nothing in a text can break the page or command the terminal."""

import dataclasses
import html
import math
import re
from html.parser import HTMLParser

import numpy as np
import pytest

from regard.display import visible
from regard.records import Caution, PerplexityResult, SurpriseMap
from regard.report import heat

EVIL = "a<script>alert('x')</script>\x1b[31m & \"b\"\u202e\x9b\n$x$\n"


def surprise(text, bits=None):
    return SurpriseMap(text, np.full(len(text), 1.0) if bits is None else np.array(bits) * math.log(2))


def result(text, bits=None, **changes):
    row = PerplexityResult(
        model="m<1>",
        text="t&.txt",
        unit="word",
        tokens=3,
        line_ends=1,
        unknown_share=0.25,
        perplexity=12.3456,
        perplexity_known=None,
        perplexity_by_base={},
        characters=len(text),
        bytes=len(text),
        token_nats=5.0,
        spelling_nats=1.0,
        restoration_nats=0.5,
        choice_nats=0.0,
        adaptive=False,
        prepare=(),
        cautions=(Caution("unknown", "be <wary>", {}),),
        surprise=surprise(text, bits),
    )
    return dataclasses.replace(row, **changes)


class Page(HTMLParser):
    """What a browser would show in <pre>, and which tags there are."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.shown, self.inside, self.titles = set(), "", False, []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.inside = self.inside or tag == "pre"
        self.titles += [value for name, value in attributes if name == "title" and self.inside]

    def handle_endtag(self, tag):
        self.inside = self.inside and tag != "pre"

    def handle_data(self, data):
        self.shown += data if self.inside else ""


def test_runs_are_the_text():
    text = "ab\ncd\n\n"
    runs = list(heat.cut_spans(surprise(text, [1, 1, 1, 2, 3, 3, 3])))
    assert [run.text for run in runs] == ["ab", "\n", "c", "d", "\n", "\n"]
    assert [run.bits for run in runs] == pytest.approx([1, 1, 2, 3, 3, 3])
    assert list(heat.cut_spans(surprise(text), max_characters=2)) == [
        heat.ShadedSpan("ab", pytest.approx(1 / math.log(2)), 3)
    ]


def test_shades_rise_with_surprise():
    assert heat.shade(np.array([0, 0.3, 0.7, 1, 2, 3, 4.5, 6.5, 9, 1e9])).tolist() == [0, 1, 2, 3, 4, 5, 6, 7, 8, 8]
    assert len(heat.SHADES) == len(heat.ANSI_SHADES) == len(heat.BITS) + 1


def test_ansi_shows_the_text_and_resets_before_each_line_break():
    shown = heat.to_ansi(surprise("to be\nor", [0, 0, 0, 5, 5, 9, 1, 1]))
    legend, *lines = shown.split("\n")
    assert legend.startswith("bits per character: ")
    assert [re.sub("\x1b\\[[0-9;]*m", "", line) for line in lines] == ["to be↵", "or"]
    assert all(line.endswith("\x1b[0m") for line in lines)
    assert "\x1b[48;5;166;38;5;231mbe\x1b[0m" in lines[0]


def test_a_text_cannot_command_the_terminal():
    plain = re.sub("\x1b\\[(48;5;\\d+;38;5;\\d+|0)m", "", heat.to_ansi(surprise(EVIL)))
    assert "\x1b" not in plain
    assert "\x9b" not in plain
    assert "\u202e" not in plain
    assert "␛[31m" in plain


def test_a_long_text_is_shortened_and_says_so():
    assert heat.to_ansi(surprise("abcd"), max_characters=2).endswith("\nthe first 2 of 4 characters are shown")


def test_the_page_shows_the_text_and_nothing_else():
    page = heat.heat_page([result(EVIL)], cautions=[Caution("units", "not <b>comparable</b>", {})])
    read = Page(page)
    assert read.shown == "".join(visible(c) + ("\n" if c == "\n" else "") for c in EVIL)
    assert not read.tags & {"script", "b", "img", "a", "link", "iframe"}
    assert html.escape("not <b>comparable</b>") in page
    assert "be &lt;wary&gt;" in page
    assert "m&lt;1&gt; on t&amp;.txt" in page


def test_the_page_needs_no_other_file():
    page = heat.heat_page([result("text")])
    assert not re.search(r"https?:|src=|href=|url\(|<script", page)


def test_each_run_says_what_it_costs():
    assert Page(heat.heat_page([result("abc", [1, 1, 12.5])])).titles == ["1.00 bits", "12.50 bits"]


def test_one_map_for_each_result():
    page = heat.heat_page([result("abc"), result("xyz", adaptive=True, prepare=("lower",))])
    assert Page(page).shown == "abcxyz"
    assert "m&lt;1&gt; on t&amp;.txt, adaptive, prepared: lower: " in page


def test_the_figure_has_a_panel_for_each_result(tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    monkeypatch.setattr(heat, "LINES", 3)
    picture = heat.draw_heat([result(EVIL), result("Māori 中文 " * 50)])
    picture.savefig(tmp_path / "heat.png")
    first, second = picture.axes[:2]
    assert "".join(text.get_text() for text in first.texts).startswith("a<script>alert('x')</script>□[31m&\"b\"")
    assert any(text.get_text() == "□" for text in second.texts)  # what the font has no picture for
    assert second.get_xlabel() == "the first 258 of 450 characters are shown"
    assert first.get_title(loc="left").startswith("m<1> on t&.txt: ")


def test_lines_of_the_figure_break_between_words():
    lines = heat._lay_out_cells(surprise("word " * 40 + "\n" + "x" * 100))
    assert ["".join(c for c, _ in line) for line in lines] == [
        "word " * 17,
        "word " * 17,
        "word " * 6 + "\n",
        "x" * 88,
        "x" * 12,
    ]
