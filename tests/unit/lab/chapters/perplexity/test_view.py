"""What chapter 7 says, worked by hand and by plain loops."""

import json
import math

import pytest

from regard.errors import NothingScoredError
from regard.lab.chapters.perplexity import view
from regard.lab.chapters.perplexity.models import MODELS
from regard.lab.chapters.perplexity.view import CompareInput, answer, compare, step_gains, warning_lines
from regard.lab.inputs import read_input
from regard.lab.jobs import JobProgress, WorkStopped
from regard.models.ngram.model import fit_ngram

TEXT = "the cat sat on the mat\nthe dog sat on the cat\na cat is not a dog\n" * 12
NAMES = ("letters", "words", "few words")
BOTH = {"passage A": "the cat is on the dog\n", "passage B": "A Dog, not a cat\n"}


@pytest.fixture(scope="module")
def models():
    return {name: fit_ngram(TEXT, MODELS[name].config) for name in NAMES}


def asked(a=BOTH["passage A"], b=BOTH["passage B"], models=NAMES, steps=(), gains="words", on="passage B"):
    return CompareInput("python-manual", models, a, b, steps, gains, on)


def quiet():
    return JobProgress(lambda: None)


def test_each_pair_is_scored_as_a_plain_loop_would(models):
    found = compare(models, asked(), quiet())
    assert [(result.text, result.model) for result in found.results] == [(p, m) for p in BOTH for m in NAMES]
    letters = found.results[0]
    expected = models["letters"].score(BOTH["passage A"]).log_probs_nats
    assert letters.tokens == len(BOTH["passage A"])
    assert letters.perplexity == pytest.approx(math.exp(-sum(expected) / len(expected)))
    assert {caution.kind for caution in found.cautions} >= {"units"}


def test_an_answer_has_a_row_and_a_map_for_each_pair(monkeypatch, models):
    monkeypatch.setattr(view, "train_models", lambda name, progress: models)
    found = json.loads(json.dumps(answer(asked(steps=("lower",)), quiet()), allow_nan=False))
    assert [(row["passage"], row["model"]) for row in found["rows"]] == [(p, m) for p in BOTH for m in NAMES]
    plain = compare(models, asked(), quiet()).results[4]
    row = found["rows"][4]
    assert row["unknown_share"] < plain.unknown_share  # A and Dog are known in lower case
    assert row["gained"] == pytest.approx(plain.bits_per_character - row["bits_per_character"])
    one = found["maps"][0]
    assert sum(length for length, _ in one["spans"]) == len(one["text"]) == len(BOTH["passage A"])
    bits = sum(length * bits for length, bits in one["spans"])
    assert bits / len(one["text"]) == pytest.approx(found["rows"][0]["bits_per_character"], abs=0.01)


def test_gains_add_up(models):
    rows = step_gains(models, asked(steps=("split-words", "lower")))
    assert [row["prepare"] for row in rows] == ["as it is", "+ split-words", "+ lower"]
    gained = rows[0]["bits_per_character"] - rows[-1]["bits_per_character"]
    assert sum(row["gained"] for row in rows) == pytest.approx(gained)
    assert step_gains(models, asked(b="", steps=("lower",))) == []


def test_an_empty_passage_is_left_out(models):
    assert {result.text for result in compare(models, asked(a=" \n"), quiet()).results} == {"passage B"}
    assert compare(models, asked(a="", b=""), quiet()).results == ()


def test_nothing_left_to_score_is_told(models):
    nothing = asked("...", "", ("letters",), ("split-words", "drop-punctuation"), "letters", "passage A")
    with pytest.raises(NothingScoredError, match=r"^passage A: "):
        compare(models, nothing, quiet())
    assert step_gains(models, nothing) == []


def test_warnings_name_steps_as_the_chapter_does(models):
    lines = warning_lines(compare(models, asked(), quiet()))
    assert any(line.startswith("words on passage B: ") and "try the step lower" in line for line in lines)
    assert not any("--prepare" in line for line in lines)


def test_it_ends_with_its_visitor(models):
    def leave():
        raise WorkStopped

    with pytest.raises(WorkStopped):
        compare(models, asked(), JobProgress(leave))


@pytest.mark.parametrize(
    "wrong", [{"a": "x" * 4_001}, {"models": ["oracle"]}, {"models": "letters"}, {"steps": ["lower"] * 20}, {"on": ""}]
)
def test_what_is_sent_has_bounds(wrong):
    sent = {"text": "python-manual", "models": ["letters"], "a": "", "b": "", "steps": [], "gains": "words"}
    with pytest.raises(ValueError, match=f"{next(iter(wrong))} should be "):
        read_input(CompareInput, {**sent, "on": "passage A", **wrong})
