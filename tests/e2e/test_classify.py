"""`regard train averaging` and `regard classify` from top to bottom; bad input is one line."""

import io
import json
import re
import signal
from dataclasses import replace

import numpy as np
import pytest
from tests.support import command_server
from tests.support.reviews import reviews, write_reviews
from tests.support.texts import VERSE

from regard.cli.app import THREADS
from regard.cli.main import main
from regard.cli.train import averaging as train_averaging
from regard.models.checkpoint import load_classifier
from regard.models.classifier.averaging import LengthFactors
from regard.text.labelled.source import read_labelled
from regard.text.labelled.split import split_texts

SMALL = ("--vectors", "none", "--width", "8", "--hidden", "4", "--epochs", "3")


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A folder with labelled texts and a classifier of them."""
    folder = tmp_path_factory.mktemp("classifier")
    write_reviews(folder / "films.csv", 240)
    write_reviews(folder / "more.csv", 20, seed=1)
    arguments = ["--data", str(folder / "films.csv"), "--out", str(folder / "films"), *SMALL]
    assert main(["train", "averaging", *arguments]) == 0
    return folder


@pytest.fixture
def run(trained, monkeypatch, capsys):
    """The command, in that folder: its output and its errors."""
    monkeypatch.chdir(trained)
    monkeypatch.delenv("REGARD_DATA", raising=False)
    for name in THREADS:  # else they would stay set for the tests after these
        monkeypatch.setenv(name, "1")
    capsys.readouterr()

    def run_here(*arguments, code=0):
        assert main(list(arguments)) == code
        return capsys.readouterr()

    return run_here


def train(*arguments):
    return "train", "averaging", "--data", "films.csv", *SMALL, *arguments


def train_again(*arguments):
    return train("--out", "again", "--force", *arguments)


def test_training_tells_classes_rounds_and_measures(run):
    out, err = run(*train_again("--form", "classic"))
    assert [line.split() for line in out.splitlines()[:3]] == [
        ["class", "train", "test"],
        ["negative", "108", "12"],
        ["positive", "108", "12"],
    ]
    assert [line.split(":")[0] for line in err.splitlines()] == ["epoch 1", "epoch 2", "epoch 3"]
    names = [line.split("  ")[0] for line in out.splitlines()[4:]]
    assert names[:3] == ["out", "form", "vectors"]
    assert {"seconds", "cpu seconds", "test accuracy", "test nats", "test calibration error"} <= set(names)


def test_figures_are_those_of_the_classifier_in_the_folder(run):
    found = json.loads(run(*train_again("--test", "0.25", "--seed", "3", "--json")).out)
    assert found["classes"] == {"negative": 90, "positive": 90}
    assert found["test_classes"] == {"negative": 30, "positive": 30}
    _, test = split_texts(read_labelled("films.csv"), share=0.25)
    log_probs = load_classifier("again").log_probs(test.texts)
    assert found["test_accuracy"] == (log_probs.argmax(axis=1) == test.label_ids).mean()
    assert found["test_nats"] == pytest.approx(-log_probs[np.arange(60), test.label_ids].mean())
    again = json.loads(run(*train_again("--test", "0.25", "--seed", "3", "--json")).out)
    assert again["test_nats"] == found["test_nats"]


def test_other_data_to_measure_on(run):
    found = json.loads(run(*train_again("--test", "more.csv", "--json")).out)
    assert (found["classes"], found["test_texts"]) == ({"negative": 120, "positive": 120}, 20)
    assert "test_accuracy" not in json.loads(run(*train_again("--test", "0", "--json")).out)


def test_imbalance_is_told(run, trained):
    rows = [row for i, row in enumerate(reviews(120)) if i % 2 or i % 10 == 0]
    lines = "".join(f"{text},{label}\n" for text, label in rows)
    (trained / "unbalanced.csv").write_text(f"text,label\n{lines}")
    out, _ = run("train", "averaging", "--data", "unbalanced.csv", "--out", "again", "--force", *SMALL)
    assert "be wary: the classes are unbalanced: 8" in out


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("--data", "one.csv"), 1, "one.csv has one class only, 'a' (2 texts); a classifier is trained on two or more"),
        (("--data", "nowhere.csv"), 1, "there is no file 'nowhere.csv' and no corpus of that name"),
        (("--test", "strange.csv"), 1, "strange.csv has labels that films.csv does not have: 'yes'; films.csv has"),
        (("--test", "1.5"), 1, "test must be a fraction from 0 to below 1, or labelled texts; got 1.5"),
        (("--dropout", "1.5"), 1, "dropout must be from 0.0 to 0.95; got 1.5"),
        (("--layers", "4"), 2, "Invalid value for '--layers'"),
        (("--label-column", "stars"), 1, "no column 'stars'; the columns that its first line names are 'text'"),
    ],
)
def test_training_on_bad_input(run, trained, arguments, code, message):
    (trained / "one.csv").write_text("text,label\nfine,a\ngood,a\n")
    (trained / "strange.csv").write_text("text,label\nfine,yes\n")
    _, err = run(*train("--out", "never", *arguments), code=code)
    assert err.count("\n") == 1
    assert message in err
    assert not (trained / "never").exists()


def test_texts_on_the_command_line(run):
    out, err = run("classify", "films", "a superb film", "a boring\nfilm")
    assert err == ""
    lines = [line.split() for line in out.splitlines()]
    assert lines[0] == ["label", "probability", "unusual", "text"]
    assert [line[0] for line in lines[1:3]] == ["positive", "negative"]
    assert lines[2][2:] == ["short", "a", "boring", "film"]


def test_texts_unlike_those_of_training_are_told(run):
    texts = ("a superb film", "zyzzyva qwerty", "x", "y", "z")
    out, _ = run("classify", "films", *texts)
    told = out.split("\n\n")[1].splitlines()
    assert re.match(
        r"text 1 is unlike the training texts: short \(3 words; training texts had \d+ to \d+\)(: .* of cases)?$",
        told[0],
    )
    assert re.match(r"text 2 .*short \(2 words; .*\) and 100 % of its words are unknown", told[1])
    # endings would be as long as the shortest of these training texts: nothing was measured
    assert told[3:] == ["2 more texts are unlike them: --json tells of each"]
    records = json.loads(run("classify", "films", *texts, "--json").out)["texts"]
    assert [each["n_words"] for each in records] == [3, 2, 1, 1, 1]
    assert [each["unknown_share"] for each in records] == [0, 1, 1, 1, 1]
    assert all(0 <= each["expected_accuracy"] <= 1 for each in records)
    assert records[0]["warnings"] == [told[0].removeprefix("text 1 is unlike the training texts: ")]


def test_a_text_like_those_of_training_is_not_told(run, trained):
    text = read_labelled(str(trained / "films.csv")).texts[0]
    out, _ = run("classify", "films", text)
    assert len(out.splitlines()) == 2
    [record] = json.loads(run("classify", "films", text, "--json").out)["texts"]
    assert record["warnings"] == []


def test_a_model_of_an_older_version_knows_nothing_of_its_training_texts(run, trained):
    classifier = load_classifier(trained / "films")
    older = replace(classifier, measured=None, factors=LengthFactors.constant(*classifier.factors.full))
    older.save(trained / "older")
    lines = run("classify", "older", "a superb film").out.splitlines()
    assert lines[0].split() == ["label", "probability", "text"]
    assert lines[-1].startswith("this model is too old to say whether a text is like the training texts")
    [record] = json.loads(run("classify", "older", "a superb film", "--json").out)["texts"]
    assert "warnings" not in record


def test_a_model_of_an_older_version_gives_the_share_of_unknown_pairs_but_not_what_is_usual(run, trained):
    classifier = load_classifier(trained / "films")
    replace(classifier, measured=replace(classifier.measured, pairs=None)).save(trained / "without_pairs")
    told = "this model is too old to say how many unknown word pairs are usual; train it again for that"
    assert run("classify", "without_pairs", "a superb film").out.splitlines()[-1] == told
    assert told not in run("classify", "films", "a superb film").out
    older, newer = (
        json.loads(run("classify", name, "a superb film", "--json").out)["texts"][0]
        for name in ("without_pairs", "films")
    )
    assert older["unknown_pair_share"] == newer["unknown_pair_share"]
    assert older["unknown_pair_overconfidence"] is None


def test_texts_of_a_pipe_and_of_a_file(run, trained, monkeypatch):
    (trained / "some.txt").write_text("a superb film\n\nan awful one\n")
    from_file = json.loads(run("classify", "films", "--file", "some.txt", "--json").out)
    assert [each["text"] for each in from_file["texts"]] == ["a superb film", "", "an awful one"]
    for arguments in (("-",), ("--file", "-")):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"a superb film\n\nan awful one\n")))
        assert json.loads(run("classify", "films", *arguments, "--json").out) == from_file


def test_probabilities_are_those_of_the_classifier(run):
    found = json.loads(run("classify", "films", "a superb film", "--json").out)
    assert found["labels"] == ["negative", "positive"]
    (only,) = found["texts"]
    probs = np.exp(load_classifier("films").log_probs(["a superb film"])[0])
    assert only["probabilities"] == pytest.approx(dict(zip(found["labels"], probs.tolist(), strict=True)))
    assert only["probability"] == max(only["probabilities"].values())


def test_labelled_texts_are_measured_on(run):
    found = json.loads(run("classify", "films", "--file", "more.csv", "--json").out)
    right = [each["label"] == each["true_label"] for each in found["texts"]]
    assert found["accuracy"] == np.mean(right)
    assert {"standard_error", "nats", "calibration_error"} <= found.keys()
    out, _ = run("classify", "films", "--file", "more.csv")
    assert out.splitlines()[0].split() == ["label", "probability", "true", "label", "text"]
    assert f"\naccuracy                    {np.mean(right):g}\n" in out


def test_a_table_without_labels(run, trained):
    (trained / "bare.csv").write_text("text,author\na superb film,x\n,y\n")
    found = json.loads(run("classify", "films", "--file", "bare.csv", "--json").out)
    assert [each["text"] for each in found["texts"]] == ["a superb film", ""]
    assert "accuracy" not in found


def test_an_interrupted_run_goes_on_to_the_same_bits(run, trained, monkeypatch):
    run(*train("--out", "whole"))

    def press(done, *, show=train_averaging.print_round):
        show(done)
        if done.epoch == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(train_averaging, "print_round", press)
    _, err = run(*train("--out", "parted"), code=130)
    assert err.splitlines()[-1] == "regard: stopped before the end; the same command with --resume goes on"
    assert [path.name for path in (trained / "parted").iterdir()] == [".regard"]
    monkeypatch.undo()
    monkeypatch.chdir(trained)
    _, err = run(*train("--out", "parted", "--resume"))
    assert "epoch 1" not in err
    for name in ("model.safetensors", "config.json"):
        assert (trained / "parted" / name).read_bytes() == (trained / "whole" / name).read_bytes()
    assert sorted(path.name for path in (trained / "parted").iterdir()) == ["config.json", "model.safetensors"]


def test_a_run_that_was_killed_goes_on_to_the_same_bits(run, trained):
    run(*train("--out", "unhurt"))
    (trained / "killed.py").write_text(KILLED_AFTER_TWO_ROUNDS)
    code, _, err = command_server.run(*train("--out", "killed"), script="killed.py")
    assert code == -signal.SIGKILL, err
    assert [path.name for path in (trained / "killed").iterdir()] == [".regard"]
    _, err = run(*train("--out", "killed"), code=1)
    assert "killed holds an unfinished model of kind averaging" in err
    assert err.endswith(
        "; --resume goes on with it, --force starts over (in Python: force=True), or choose another --out\n"
    )
    _, err = run(*train("--out", "killed", "--resume"))
    assert [line.split(":")[0] for line in err.splitlines()] == ["epoch 3"]
    for name in ("model.safetensors", "config.json"):
        assert (trained / "killed" / name).read_bytes() == (trained / "unhurt" / name).read_bytes()


# The command in a process of its own, which is killed as by a power cut once it has told of its second round.
KILLED_AFTER_TWO_ROUNDS = """
import os, signal, sys
from regard.cli.train import averaging as train_averaging
from regard.cli.main import main

def die(done):
    if done.epoch == 2:
        os.kill(os.getpid(), signal.SIGKILL)

train_averaging.print_round = die
sys.exit(main(sys.argv[1:]))
"""


def test_explanations(run, trained):
    out, err = run("classify", "films", "--explain", "--top", "2", "a superb film", "an awful plot")
    assert err == ""
    assert "[superb +" in out
    assert "[awful +" in out
    assert out.count("decided by (") == 2
    found = json.loads(run("classify", "films", "--explain", "--top", "2", "--json", "a superb film").out)
    (only,) = found["texts"]
    assert [(word["word"], word["start"]) for word in only["words"]] == [("a", 0), ("superb", 2), ("film", 9)]
    assert only["decided_by"][0]["word"] == "superb"
    assert len(only["decided_by"]) <= 2
    total = only["baseline"] + sum(word["share"] for word in only["words"])
    assert total == pytest.approx(only["log_odds"], rel=0.01)
    assert only.keys() > json.loads(run("classify", "films", "--json", "a superb film").out)["texts"][0].keys()
    out, _ = run("classify", "films", "--html", "page.html", "a <b>superb</b> film")
    assert out.endswith("\nsaved page.html\n")
    page = (trained / "page.html").read_text()
    assert "&lt;" in page
    assert "<b>superb" not in page


def test_every_method_says_whether_it_adds_up(run):
    texts = ("a superb film", "an awful plot")
    for method in ("integrated-gradients", "shapley", "leave-one-out"):
        out, _ = run("classify", "films", "--method", method, *texts)
        assert out.count(f"decided by ({method}): ") == 2
        assert out.count("nats = ") == 2
        assert out.count("this method does not add up") == 2 * (method == "leave-one-out")
    long = "a superb film with an awful plot and a boring end, but a great cast"
    first, other, again = (
        json.loads(run("classify", "films", "--method", "shapley", "--seed", seed, "--json", long).out)["texts"][0]
        for seed in "121"
    )
    assert first == again != other
    assert all("standard_error" in word for word in first["words"])
    _, err = run("classify", "films", "--method", "exact", *texts, code=1)
    assert err == "regard: this classifier (averaging) offers no attribution by exact; try shapley\n"


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ((), 2, "expected texts, or - for a pipe, or --file FILE"),
        (("fine", "--file", "more.csv"), 2, "expected texts, or - for a pipe, or --file FILE"),
        (("--file", "strange.csv"), 1, "strange.csv has labels that the model does not have: 'yes'; the model has"),
        (("--file", "empty.txt"), 1, "empty.txt is empty; expected text"),
        (("--method", "guess", "fine"), 2, "'guess' is not one of 'exact', 'integrated-gradients', 'shapley', 'leave"),
        (
            ("--html", "no/page.html", "fine"),
            1,
            "cannot write no/page.html: there is no folder no; make it first, or choose another",
        ),
    ],
)
def test_classifying_bad_input(run, trained, arguments, code, message):
    (trained / "strange.csv").write_text("text,label\nfine,yes\n")
    (trained / "empty.txt").write_text("")
    out, err = run("classify", "films", *arguments, code=code)
    assert (out, err.count("\n")) == ("", 1)
    assert message in err


@pytest.mark.parametrize("text", ["-a fine film", "--dull film", "−5 stars", "-5", "- dull"])
def test_a_text_may_begin_with_a_minus_sign(run, text):
    for arguments in ((text, "--json"), ("--json", text), ("--seed", "1", text, "--json")):
        (found,) = json.loads(run("classify", "films", *arguments).out)["texts"]
        assert found["text"] == text
    (found,) = json.loads(run("classify", "films", "--json", "--", "-v").out)["texts"]
    assert found["text"] == "-v"
    _, err = run("classify", "films", "-v", code=2)
    assert err == "regard: No such option: -v (see 'regard classify --help')\n"


def test_models_of_another_kind(run, trained):
    (trained / "verse.txt").write_text(VERSE)
    run("train", "ngram", "--text", "verse.txt", "--out", "letters")
    _, err = run("classify", "letters", "fine", code=1)
    assert err.startswith("regard: letters is a language model of kind 'ngram', which gives no labels;")
    for command in (("sample", "films"), ("perplexity", "films", "--text", "verse.txt")):
        _, err = run(*command, code=1)
        assert err.count("\n") == 1
        assert "films is a" in err
    _, err = run("classify", "nowhere", "fine", code=1)
    assert err.startswith("regard: there is no model folder nowhere;")
