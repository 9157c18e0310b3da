"""`regard sample` from top to bottom."""

import json

import pytest
from tests.support.texts import VERSE

from regard.cli.main import main
from regard.models.ngram.model import NgramConfig, fit_ngram
from regard.models.sampling import cut_at_stop


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sample")
    fit_ngram(VERSE, NgramConfig(order=4)).save(folder / "letters")
    fit_ngram(VERSE, NgramConfig(unit="word")).save(folder / "words")
    return folder


@pytest.fixture
def run(folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)

    def run_here(*arguments, code=0):
        assert main(["sample", *arguments]) == code
        return capsys.readouterr()

    return run_here


def test_a_text_that_goes_on_from_its_prompt(run):
    out, err = run("letters", "--prompt", "the sh", "--length", "60")
    assert out.startswith("the sh")
    assert len(out) == len("the sh") + 60 + 1
    assert err == ""
    assert out == run("letters", "--prompt", "the sh", "--length", "60").out
    assert out != run("letters", "--prompt", "the sh", "--length", "60", "--seed", "1").out


def test_without_a_prompt_it_goes_on_from_the_line_that_its_text_has_most_often(tmp_path, capsys):
    play = "ROMEO:\nAy.\n\nJULIET:\nAy me!\n\nROMEO:\nShe speaks.\n\n" * 8
    for text, name in ((play, "play"), ("no line of this comes twice\n", "once")):
        fit_ngram(text, NgramConfig(order=6)).save(tmp_path / name)
    assert main(["sample", str(tmp_path / "play"), "--length", "3", "--temperature", "0.1"]) == 0
    assert capsys.readouterr().out in ("ROMEO:\nAy.\n", "ROMEO:\nShe\n")
    assert main(["sample", str(tmp_path / "once"), "--length", "2", "--top-k", "1"]) == 0
    assert len(capsys.readouterr().out) == 3


def test_words_are_spaced_and_lines_broken(run):
    out, _ = run("words", "--prompt", "the ship", "--length", "30")
    assert out.startswith("the ship ")
    assert "<unk>" not in out
    assert "  " not in out
    assert out.count("\n") > 2


def test_samples_as_json_differ_and_stop(run):
    record = json.loads(run("letters", "--samples", "3", "--length", "80", "--stop", ".", "--json").out)
    assert record["model"] == "letters"
    assert len(set(record["samples"])) == 3
    assert all(text.index(".") == len(text) - 1 for text in record["samples"] if "." in text)
    assert any(text.endswith(".") for text in record["samples"])


def test_several_are_told_apart(run):
    out, _ = run("letters", "--samples", "2", "--length", "10")
    assert out.startswith("--- 1 ---\n")
    assert "\n--- 2 ---\n" in out


def test_a_prompt_that_the_model_has_never_seen_is_told(run):
    out, err = run("letters", "--prompt", "Ωthe ω", "--length", "5")
    assert out.startswith("Ωthe ω")
    assert err == "regard: the model has never seen 'Ω', 'ω'; it reads them as unknown\n"
    _, err = run("words", "--prompt", "the zebra", "--length", "5")
    assert err == "regard: the model has never seen 'zebra'; it reads them as unknown\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nowhere",), "there is no model folder nowhere; make one with 'regard train'"),
        (
            ("letters/model.safetensors",),
            "letters/model.safetensors is a file; expected the folder it is in, letters",
        ),
        (("letters", "--temperature", "0"), "temperature must be above 0; got 0.0"),
        (("letters", "--top-p", "2"), "top_p must be above 0 and at most 1; got 2.0"),
    ],
)
def test_bad_input_is_one_line(run, arguments, message):
    assert run(*arguments, code=1) == ("", f"regard: {message}\n")


@pytest.mark.parametrize("size", [1, 2, 3, 50])
def test_a_stop_is_found_however_the_text_comes(size):
    text = "the sea and the ship and the end"
    pieces = [text[start : start + size] for start in range(0, len(text), size)]
    for stop in ("and", "ship", "e", "nowhere", "the end"):
        end = text.find(stop) + len(stop) if stop in text else len(text)
        assert "".join(cut_at_stop(iter(pieces), [stop])) == text[:end]
    assert "".join(cut_at_stop(iter(pieces), ["ship", "sea"])) == "the sea"
    assert "".join(cut_at_stop(iter(pieces), [])) == text
