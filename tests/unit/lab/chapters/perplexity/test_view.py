"""What chapter 7 says, worked by hand and by plain loops."""

import contextlib
import io
import math

import numpy as np
import pytest

import regard
from regard.errors import NothingScoredError
from regard.lab.chapters.perplexity import view
from regard.lab.chapters.perplexity.models import MODELS
from regard.lab.chapters.perplexity.view import PASSAGES, compare, read_request, result_html, step_gains, verdict_text
from regard.records import PerplexityResult, SurpriseMap
from regard.text.corpora.corpus import Corpus
from regard.training.ngram import train_ngram

TEXT = "the cat sat on the mat\nthe dog sat on the cat\na cat is not a dog\n" * 12
NAMES = ("letters", "words", "few words")
BOTH = {"passage A": "the cat is on the dog\n", "passage B": "A Dog, not a cat\n"}


@pytest.fixture(scope="module")
def models():
    return {name: train_ngram(TEXT, MODELS[name].config) for name in NAMES}


def request(passages=BOTH, models=NAMES, steps=()):
    return read_request(passages, models=dict.fromkeys(models, True), steps=dict.fromkeys(steps, True))


def row(model, passage, unit, perplexity, bits):
    """A result made by hand: so many bits per character of a text of ten characters."""
    return PerplexityResult(
        model=model, text=passage, unit=unit, tokens=4, line_ends=1, unknown_share=0.25, perplexity=perplexity,
        perplexity_known=None, perplexity_by_base={}, characters=10, bytes=20, token_nats=10 * bits * math.log(2),
        spelling_nats=0.0, restoration_nats=0.0, choice_nats=0.0, adaptive=False, prepare=(), cautions=(),
        surprise=SurpriseMap("x" * 10, np.zeros(10)),
    )  # fmt: skip


def by_hand(*rows):
    return view.Comparison(rows, rows, ())


def test_what_looks_best_need_not_be():
    letters, words = row("letters", "passage A", "character", 8.0, 2.0), row("few", "passage A", "word", 4.0, 3.0)
    assert verdict_text(by_hand(letters, words)) == (
        "- **passage A**: the lowest perplexity is that of *few*, 4 per word; the fewest bits per character are those "
        "of *letters*: **2.000**, against 3.000 of *few*"
    )
    assert "those of *letters*, too: **2.000**" in verdict_text(by_hand(letters))


def test_the_table_has_units_counts_and_the_best_in_bold():
    table = result_html(by_hand(row("letters", "A", "character", 8.0, 2.0), row("few", "A", "word", 4.0, 3.0)))
    for cell in ("4 words", "25.0 %", "8 per character", "–", "<strong>2.000</strong>", ">3.000<", ">1.500<"):
        assert cell in table
    assert "<strong>3.000" not in table
    assert "gained" not in table


def test_each_pair_is_scored_as_a_plain_loop_would(models):
    found = compare(models, request())
    assert [(result.text, result.model) for result in found.results] == [(p, m) for p in BOTH for m in NAMES]
    letters = found.results[0]
    expected = models["letters"].score(BOTH["passage A"]).log_probs_nats
    assert letters.tokens == len(BOTH["passage A"])
    assert letters.perplexity == pytest.approx(math.exp(-sum(expected) / len(expected)))
    assert letters.surprise.nats.sum() == pytest.approx(letters.nats)
    assert {caution.kind for caution in found.cautions} >= {"units"}


def test_preparation_is_set_against_the_passage_as_it_is(models):
    found = compare(models, request(steps=("lower",)))
    plain = compare(models, request())
    gained = [a.bits_per_character - b.bits_per_character for a, b in zip(plain.results, found.results, strict=True)]
    assert found.results[4].unknown_share < plain.results[4].unknown_share  # A and Dog are known in lower case
    assert f"{gained[4]:+.3f}" in result_html(found)
    assert "gained by the steps" in result_html(found)


def test_gains_add_up(models):
    steps = ("split-words", "lower")
    table = step_gains(models, request(steps=steps), model="words", passage="passage B")
    assert [record["prepare"] for record in table.records()] == ["as it is", "+ split-words", "+ lower"]
    ends = [table.records()[place]["bits_per_character"] for place in (0, -1)]
    assert sum(record["gained"] for record in table.records()) == pytest.approx(ends[0] - ends[1])
    assert view.gain_html(table).count("<tr>") == 4
    assert step_gains(models, request({"passage A": "x"}), model="words", passage="passage B") is None


def test_wishes_that_cannot_be_met_are_told(models):
    found = request({"passage A": " ", "passage B": "x" * 4_001}, models=())
    assert found.passages == {}
    assert found.complaints == (
        "passage A is empty: type or paste something",
        "passage B has 4,001 characters; at most 4,000 are taken: shorten it",
        "no model is chosen: tick at least one",
    )
    assert compare(models, found) is None


def test_long_passages_stay_out_of_the_link():
    short, long = request(), request({"passage A": "x" * 1_500, "passage B": "y" * 501})
    assert short.in_link == BOTH
    assert not long.fits_link
    assert long.in_link == PASSAGES


def test_nothing_left_to_score_is_told(models):
    nothing = request({"passage A": "..."}, models=("letters",), steps=("split-words", "drop-punctuation"))
    with pytest.raises(NothingScoredError, match=r"^passage A: "):
        compare(models, nothing)
    assert step_gains(models, nothing, model="letters", passage="passage A") is None


def test_warnings_name_steps_as_the_chapter_does(models):
    lines = view.warning_lines(compare(models, request()))
    assert any(line.startswith("words on passage B: ") and "try the step lower" in line for line in lines)
    assert not any("--prepare" in line for line in lines)
    assert view.warning_lists(by_hand(row("letters", "A", "character", 8.0, 2.0))) == []


def test_typed_text_is_never_markup(models):
    found = compare(models, request({"passage A": "<script>alert(1)</script> <b>"}))
    assert "<script" not in "".join(view.warning_lists(found)) + result_html(found)


def test_figures_and_columns_have_a_row_for_each_pair(models):
    found = compare(models, request())
    columns = view.result_columns(found)
    assert {len(column) for column in columns.values()} == {6}
    assert columns["bits_per_character"] == [result.bits_per_character for result in found.results]
    left, right = view.bits_figure(found).axes
    assert [bar.get_width() for bar in right.patches] == pytest.approx(columns["bits_per_character"])
    assert left.get_yticklabels()[2].get_text() == "few words\nper word"


def test_the_shown_python_gives_the_shown_numbers(monkeypatch, models):
    monkeypatch.setattr(regard, "find_corpus", lambda name: Corpus(name, "embedded", given=TEXT), raising=False)
    asked_for = request(models=("letters", "words", "bigram"), steps=("lower",))
    names, printed = {}, io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(view.python_for("python-manual", asked_for), names)  # our own text
    rows = [line.split() for line in printed.getvalue().splitlines()]
    expected = compare(names["models"], asked_for)
    assert [float(cells[5]) for cells in rows] == [result.bits_per_character for result in expected.results]
    found = compare(models, request(models=("letters", "words"), steps=("lower",)))
    assert float(rows[0][4]) == pytest.approx(found.results[0].perplexity)
