"""`regard train mixture` from top to bottom: members beside the mixture, adaptive apart, refusals in one line."""

import json

import pytest
from tests.support.texts import VERSE

from regard.cli.main import main
from regard.models.checkpoint import load_model

NETWORK = ("recurrent", "--text", "verse.txt", "--preset", "course", "--steps", "3", "--threads", "1")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A text and three models of it."""
    folder = tmp_path_factory.mktemp("mixture")
    (folder / "verse.txt").write_text(VERSE)
    (folder / "other.txt").write_text("the captain sings, a gull turns from the stars.\n" * 4)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("REGARD_CACHE", str(folder / "cache"))
        patch.delenv("REGARD_DATA", raising=False)
        assert main(["train", "ngram", "--text", "verse.txt", "--out", "counts"]) == 0
        assert main(["train", "ngram", "--text", "verse.txt", "--out", "words", "--unit", "word"]) == 0
        assert main(["train", *NETWORK, "--out", "net"]) == 0
        assert main(["train", *NETWORK, "--out", "everything", "--valid", "0"]) == 0
    return folder


@pytest.fixture
def run(folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    monkeypatch.setenv("REGARD_CACHE", str(folder / "cache"))
    capsys.readouterr()

    def run_here(*arguments, code=0):
        assert main(["train", "mixture", *arguments]) == code
        return capsys.readouterr()

    return run_here


def test_members_beside_the_mixture_and_the_adaptive_figure_apart(run, capsys):
    facts = json.loads(run("counts", "net", "--text", "verse.txt", "--out", "mixed", "--json").out)
    assert {"out", "form", "gate", "adaptive", "seconds", "cpu_seconds", "valid_perplexity"} <= facts.keys()
    assert [member["model"] for member in facts["members"]] == ["counts", "net"]
    assert [member["kind"] for member in facts["members"]] == ["ngram", "recurrent"]
    assert facts["adaptive_settings"][0] is None
    assert facts["adaptive_settings"][1].keys() == {"rate", "piece", "floor"}
    alone = [member["valid_nats_per_character"] for member in facts["members"]]
    assert facts["valid_nats_per_character"] < max(alone)
    valid = VERSE[int(0.9 * len(VERSE)) :]
    model = load_model("mixed")
    for name, adaptive in (("valid_nats_per_character", False), ("adaptive_valid_nats_per_character", True)):
        assert facts[name] == pytest.approx(-model.score(valid, adaptive=adaptive).log_probs_nats.mean(), rel=1e-9)
    assert main(["sample", "mixed", "--length", "20", "--seed", "1"]) == 0
    assert main(["perplexity", "mixed", "counts", "--text", "other.txt", "--adaptive"]) == 0


def test_what_people_see(run):
    out, err = run("counts", "net", "--text", "verse.txt", "--out", "mixed", "--force")
    lines = out.splitlines()
    assert lines[0].split("  ")[0] == "model"
    assert [line.split()[0] for line in lines[1:3]] == ["counts", "net"]
    assert lines[3].startswith("the mixture")
    assert lines[-1].startswith("adaptive: ")
    assert "not to be compared with the figures above" in lines[-1]
    assert err == ""


def test_options(run):
    out, _ = run(
        *("counts", "net", "--text", "verse.txt", "--out", "plain", "--form", "linear", "--gate", "fixed"),
        *("--no-adaptive", "--valid", "0.1", "--fit-on", "other.txt"),
    )
    model = load_model("plain")
    assert (model.gate.form, model.looks_at, model.adaptive) == ("linear", "fixed", None)
    assert model.background.notes["fitted_on_tokens"] == 192
    assert "adaptive:" not in out


def test_without_a_text_to_measure_on(run):
    options = ("--text", "verse.txt", "--out", "m", "--valid", "0", "--no-adaptive", "--fit-on", "other.txt")
    out, _ = run("counts", "net", *options)
    assert out.splitlines()[0].split() == ["model", "mean", "weight"]
    assert "valid_nats_per_character" not in json.loads(run("counts", "net", *options, "--force", "--json").out)


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("counts",), 2, "expected two models or more, as in: regard train mixture MODEL MODEL --text …"),
        (("counts", "nowhere"), 1, "there is no model folder nowhere; make one with 'regard train'"),
        (("counts", "words"), 1, "differ: one has characters, the other words; train them on the same text"),
        (("counts", "everything"), 1, "model 2 (recurrent) has learnt from the text that the weights are to be fitted"),
    ],
)
def test_refusals_are_one_line_and_nothing_is_written(run, folder, arguments, code, message):
    out, err = run(*arguments, "--text", "verse.txt", "--out", "never", code=code)
    assert out == ""
    assert err.count("\n") == 1
    assert message in err
    assert not (folder / "never").exists()
