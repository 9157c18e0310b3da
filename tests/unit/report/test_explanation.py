"""Coloured text: every word once, with its share; nothing in a text can break a page or command a terminal."""

import html
import io
import re

import numpy as np
import pytest
from rich.console import Console

from regard.records import Attribution, ExplainedText, Finding
from regard.report import explanation

EVIL = "a<script>alert('x')</script>\x1b[31m & \"b\"\u202e\x9b end"


def explained(text, shares, findings=()):
    """A text whose words stand apart by spaces, with a share each."""
    spans = [match.span() for match in re.finditer(r"[^ ]+", text)]
    starts, ends = np.array(spans, dtype=np.int64).reshape(-1, 2).T
    nats = np.array(shares, dtype=float)
    table = np.stack([nats / 2, -nats / 2], axis=1)
    return ExplainedText(
        text=text,
        label="pos",
        probabilities={"pos": 0.8, "neg": 0.2},
        true_label="neg",
        against="neg",
        log_odds=float(nats.sum()) + 0.25,
        baseline=0.25,
        shares=nats,
        attribution=Attribution(text, starts, ends, table, table.sum(axis=0), np.zeros(2), "exact"),
        findings=tuple(findings),
    )


FILM = explained("not half bad , not dull", [-0.2, 0.0, -0.8, 0.0, 0.9, 0.1])


def test_words_that_decided_are_summed_and_sorted():
    assert explanation.rank_words(FILM) == [("bad", 1, -0.8), ("not", 2, pytest.approx(0.7))]
    assert [sway.word for sway in explanation.rank_words(FILM, threshold=0.1)] == ["bad", "not", "dull"]
    assert explanation.list_words(FILM) == "bad −0.80, not (×2) +0.70"
    assert explanation.list_words(FILM, max_words=1) == "bad −0.80 and 1 more"
    assert explanation.list_words(explained("so so", [0, 0])) == ""


def test_a_pipe_gets_marks_and_numbers():
    assert explanation.to_plain_text(FILM) == "not half [bad −0.80] , [not +0.90] dull"
    assert explanation.to_plain_text(FILM, threshold=0.0) == "[not −0.20] half [bad −0.80] , [not +0.90] [dull +0.10]"
    assert explanation.to_plain_text(FILM, width=20) == "not half [bad −0.80]\n, [not +0.90] dull"
    assert explanation.to_plain_text(explained("", [])) == ""


def test_a_terminal_gets_colours():
    out = io.StringIO()
    Console(file=out, force_terminal=True, color_system="256", width=80).print(explanation.to_rich(FILM))
    assert "\x1b[38;5;231;48;5;130mbad\x1b[0m" in out.getvalue()
    assert "\x1b[38;5;231;48;5;25mnot\x1b[0m" in out.getvalue()
    assert re.sub(r"\x1b\[[0-9;]*m", "", out.getvalue()).strip() == FILM.text


def test_a_text_cannot_command_the_terminal():
    evil = explained(EVIL, [1.0] * 4)
    for shown in (
        explanation.to_rich(evil).plain,
        explanation.to_plain_text(evil),
        explanation.list_words(evil),
    ):
        assert not re.search("[\x1b\x9b\u202e]", shown)
        assert "␛[31m" in shown


def test_html_is_text_only():
    page = explanation.to_html(explained(EVIL, [1.0, -1.0, 0.5, 0.0]))
    assert "<script" not in page
    assert "&lt;script&gt;alert(&#x27;x&#x27;)&lt;/script&gt;" in page
    assert set(re.findall(r"<(\w+)", page)) == {"p", "span"}
    bare = html.unescape(re.sub(r"<[^>]*>", "", page))
    assert bare == EVIL.replace("\x1b", "␛").replace("\u202e", "�").replace("\x9b", "�")


def test_shades_and_evidence():
    page = explanation.to_html(
        explained("not half bad end", [-0.2, 0.0, -0.8, 0.9], [Finding("negation", "not half bad", ((0, 12),))])
    )
    assert '<span class="c1" title="−0.20"><u>not</u></span>' in page
    assert '<span class="c4" title="−0.80"><u>bad</u></span>' in page
    assert '<span class="p4" title="+0.90">end</span>' in page
    assert "<u>half</u>" in page


def test_a_long_text_is_shortened_around_its_marks():
    text = " ".join(f"w{i}" for i in range(400))
    shown = explanation.to_plain_text(explained(text, [0.0] * 200 + [1.0] + [0.0] * 199), width=1000)
    before, after = " ".join(f"w{i}" for i in range(193, 200)), " ".join(f"w{i}" for i in range(201, 208))
    assert shown == f"… {before} [w200 +1.00] {after} …"
    assert "w399" in explanation.to_html(explained(text, [0.0] * 400))


def test_telling_findings_come_apart():
    findings = [Finding("turn", "", (), 2.5, "goes with errors"), Finding("short", "", (), 1.0, "says little")]
    assert explanation.split_by_verdict(findings) == (findings[:1], findings[1:])
