"""Explanations on a terminal and in a pipe: colours only where they are wanted, marks elsewhere."""

import json
import re
import sys
from typing import get_args

import numpy as np
import pytest
from tests.support.classifiers import film_critic

from regard.cli.classify import decision_json, has_colours, print_explanation
from regard.evaluation.attribution import explain
from regard.records import Decision

DECISION = {"place", "text", "label", "probability", "probabilities", "true_label"}
EXPLANATION = {"against", "method", "log_odds", "baseline", "remainder", "words", "decided_by", "findings"}
FILM = explain(film_critic(), "Not bad, the film is great")


def test_a_pipe_gets_marks(capsys):
    print_explanation(FILM)
    assert capsys.readouterr().out == (
        "Not [bad −1.71], the film is [great +2.57]\ndecided by (exact): great +2.57, bad −1.71\n"
        "log-odds of pos against neg: +0.33 nats = −0.10 before any word +0.43 for the words\n"
    )


@pytest.mark.parametrize(
    ("settings", "expected"),
    [({"TERM": "xterm"}, True), ({"TERM": "xterm", "NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)],
)
def test_colours_are_for_terminals_that_want_them(monkeypatch, settings, expected):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    assert has_colours() == expected
    monkeypatch.setattr(sys.stdout, "isatty", lambda: False, raising=False)
    assert not has_colours()


def test_a_terminal_gets_colours(monkeypatch, capsys):
    monkeypatch.setattr("regard.cli.classify.has_colours", lambda: True)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    print_explanation(FILM)
    assert "48;5;25mgreat" in capsys.readouterr().out


def test_programs_get_every_word():
    found = json.loads(json.dumps(decision_json(FILM)))
    assert [word["word"] for word in found["words"]] == ["Not", "bad", ",", "the", "film", "is", "great"]
    assert sum(word["share"] for word in found["words"]) == pytest.approx(FILM.shares.sum())
    assert (found["label"], found["true_label"], found["method"]) == ("pos", None, "exact")
    assert found["baseline"] + sum(word["share"] for word in found["words"]) == pytest.approx(found["log_odds"])
    assert found["log_odds"] == pytest.approx(np.log(found["probability"] / found["probabilities"][found["against"]]))
    assert found["remainder"] == pytest.approx(0, abs=1e-9)
    assert [(each["word"], each["n"]) for each in found["decided_by"]] == [("great", 1), ("bad", 1)]
    assert set(found) == DECISION | EXPLANATION
    assert not any("standard_error" in word for word in found["words"])


def test_a_decision_without_words_has_the_same_names():
    bare = Decision(text="a", label="pos", probabilities={"neg": 0.3, "pos": 0.7}, true_label="neg", place=4)
    assert decision_json(bare) == {
        "place": 4, "text": "a", "label": "pos", "probability": 0.7, "probabilities": {"neg": 0.3, "pos": 0.7},
        "true_label": "neg",
    }  # fmt: skip


def test_sampled_shares_come_with_their_errors(capsys):
    found = explain(film_critic(), "good bad film dull " * 4, method="shapley")
    words = decision_json(found)["words"]
    assert all(word["standard_error"] > 0 for word in words)
    print_explanation(found)
    assert re.search(r"; shares were sampled, standard errors up to \d\.\d\d\n$", capsys.readouterr().out)


def test_a_method_that_does_not_add_up_says_so(capsys):
    print_explanation(explain(film_critic(), "awful awful awful", method="leave-one-out"))
    assert capsys.readouterr().out == (
        "awful awful awful\n"
        "decided by (leave-one-out): no single word: without any one, the answer is the same\n"
        "log-odds of neg against pos: +24.10 nats = +0.10 before any word +0.00 for the words +24.00 that no word "
        "accounts for, as this method does not add up\n"
    )


def test_nothing_to_say(capsys):
    print_explanation(explain(film_critic(), ""))
    assert capsys.readouterr().out == (
        "\ndecided by (exact): no word says anything\n"
        "log-odds of neg against pos: +0.10 nats = +0.10 before any word +0.00 for the words\n"
    )


def test_the_help_names_every_method():
    from regard.cli.app import AttributionMethod
    from regard.evaluation.attribution import METHODS

    choices, _ = get_args(get_args(AttributionMethod)[0])
    assert get_args(choices) == tuple(METHODS)
