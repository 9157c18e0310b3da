"""Explanations on a terminal and in a pipe: colours only where they are wanted, marks elsewhere."""

import json
import sys

import pytest
from tests.support.classifiers import film_critic

from regard.cli.explanation import explained_json, has_colours, print_explained
from regard.studies.errors import explain

FILM = explain(film_critic(), "Not bad, the film is great")


def test_a_pipe_gets_marks(capsys):
    print_explained(FILM)
    assert capsys.readouterr().out == (
        "Not [bad −1.71], the film is [great +2.57]\npos against neg, nats: great +2.57, bad −1.71\n"
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
    monkeypatch.setattr("regard.cli.explanation.has_colours", lambda: True)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    print_explained(FILM)
    assert "48;5;25mgreat" in capsys.readouterr().out


def test_programs_get_every_word():
    found = json.loads(json.dumps(explained_json(FILM)))
    assert [word["word"] for word in found["words"]] == ["Not", "bad", ",", "the", "film", "is", "great"]
    assert sum(word["share"] for word in found["words"]) == pytest.approx(FILM.contrast.sum())
    assert (found["answer"], found["truth"], found["method"]) == ("pos", None, "exact")


def test_nothing_to_say(capsys):
    print_explained(explain(film_critic(), ""))
    assert capsys.readouterr().out == "\nneg against pos, nats: no word says anything\n"
