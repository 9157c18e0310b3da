"""`regard train … --out DIR` where something is there already: others' files stay, no finished model is lost."""

import contextlib
import json
import os
import shutil
import signal
import time

import pytest
import tests.support.killed_run
import tests.support.small_presets
from tests.support import command_server
from tests.support.folders import contents, names
from tests.support.reviews import write_reviews
from tests.support.texts import VERSE

from regard.cli.app import THREADS
from regard.cli.main import main
from regard.models.checkpoint import load_classifier, load_model
from regard.training.network import resume as run_folder

SCRIPT = tests.support.small_presets.__file__
KILLED = tests.support.killed_run.__file__
TEXT = ("--text", "verse.txt")
TRAINERS = {
    "ngram": ("ngram", *TEXT, "--order", "2"),
    "bigram": ("bigram", *TEXT, "--hidden", "4", "--iterations", "3"),
    "sgd": ("bigram", *TEXT, "--trainer", "sgd", "--hidden", "4", "--iterations", "6000"),
    "recurrent": ("recurrent", *TEXT, "--preset", "tiny", "--steps", "8", "--threads", "1"),
    "transformer": ("transformer", *TEXT, "--preset", "tiny", "--steps", "8", "--threads", "1"),
    "mixture": ("mixture", "one", "two", *TEXT, "--fit-on", "other.txt", "--no-adaptive", "--gate", "fixed"),
    "averaging": (
        *("averaging", "--data", "films.csv", "--vectors", "none", "--form", "classic"),
        *("--width", "4", "--epochs", "3", "--layers", "0"),
    ),
}
RUNS = ("sgd", "recurrent", "averaging")
"""Trainers that can stop and go on; the Transformer shares the loop of the recurrent network."""
EACH = pytest.mark.parametrize("trainer", TRAINERS)
CANARIES = {"model.training/thesis.tex": "mine", ".model.old/notes": "mine", "model2/config.json": "{}"}


@pytest.fixture(scope="module")
def small_models(tmp_path_factory):
    """A folder with two models, for every test to copy."""
    folder = tmp_path_factory.mktemp("small")
    (folder / "verse.txt").write_text(VERSE)
    for order, name in (("1", "one"), ("2", "two")):
        words = ("ngram", "--text", str(folder / "verse.txt"), "--order", order, "--valid", "0")
        assert main(["train", *words, "--out", str(folder / name), "--json"]) == 0
    return folder


@pytest.fixture
def run(small_models, tmp_path, monkeypatch, capsys):
    """The command, in a folder with texts, two small models and files of others; its output and its errors."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REGARD_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("REGARD_DATA", raising=False)
    for name in THREADS:  # else they would stay set for the tests after these
        monkeypatch.setenv(name, "1")
    (tmp_path / "verse.txt").write_text(VERSE)
    (tmp_path / "other.txt").write_text(VERSE[::-1])
    write_reviews(tmp_path / "films.csv", 60)
    for name, content in CANARIES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content)

    def run_here(*arguments, code=0):
        assert main(["train", *arguments]) == code
        return capsys.readouterr()

    for name in ("one", "two"):
        shutil.copytree(small_models / name, tmp_path / name)
    capsys.readouterr()
    return run_here


def are_canaries_there(folder):
    return all((folder / name).read_text() == content for name, content in CANARIES.items())


def kind(folder):
    """What is in a folder, once it has been read."""
    ours = json.loads((folder / "config.json").read_text())["regard"]
    return (load_classifier(folder) if ours["kind"] == "averaging" else load_model(folder)).kind


def wait_for(number):
    """Until the process that writes has left its number, which it does just after it has made the file."""
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        with contextlib.suppress(FileNotFoundError):
            if number():
                return
        time.sleep(0.002)


@EACH
def test_somebodys_folder_is_refused_before_anything_is_read(run, tmp_path, trainer):
    for name, content in {"config.json": '{"model_type": "bert"}', "thesis.tex": "mine", ".git/HEAD": "ref"}.items():
        (tmp_path / "app" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "app" / name).write_text(content)
    (tmp_path / "verse.txt").unlink()
    (tmp_path / "films.csv").unlink()
    before = contents(tmp_path)
    for force in ((), ("--force",)):
        out, err = run(*TRAINERS[trainer], "--out", "app", *force, code=1)
        expected = "app holds .git, config.json and thesis.tex, which Regard did not write; choose another --out"
        assert (out, err) == ("", f"regard: {expected}\n")
    assert contents(tmp_path) == before


@EACH
def test_a_model_is_replaced_by_force_alone_and_a_link_stays_one(run, tmp_path, trainer):
    (tmp_path / "two").rename(tmp_path / "model")
    (tmp_path / "latest").symlink_to("model")
    before = contents(tmp_path)
    words = tuple("model" if word == "two" else word for word in TRAINERS[trainer])
    out, err = run(*words, "--out", "latest", code=1)
    assert out == ""
    assert err.startswith("regard: latest holds a model of kind ngram, saved 20")
    assert err.endswith("; --force replaces it (in Python: force=True), or choose another --out\n")
    assert contents(tmp_path) == before
    run(*words, "--out", "latest", "--force")
    assert (tmp_path / "latest").is_symlink()
    assert kind(tmp_path / "model") == words[0]
    assert names(tmp_path / "model")[0] != ".regard"
    assert are_canaries_there(tmp_path)


@pytest.mark.parametrize("trainer", RUNS)
def test_a_killed_run_leaves_the_finished_model_and_goes_on(run, tmp_path, trainer):
    words = TRAINERS[trainer]
    run("ngram", *TEXT, "--out", "model")
    old = contents(tmp_path / "model")
    run(*words, "--out", "whole")
    environment = os.environ | {"KILLED_AFTER": "model/.regard/run/training.json"}
    words_of_run = ("train", *words, "--out", "model", "--force")
    code, _, err = command_server.run(*words_of_run, script=KILLED, environment=environment)
    assert code == -signal.SIGKILL, err
    now = contents(tmp_path / "model")
    assert {name: now[name] for name in old} == old
    assert kind(tmp_path / "model") == "ngram"

    _, err = run(*words, "--out", "model", code=1)
    assert "; --resume goes on with it, --force starts over" in err
    _, err = run(*words, "--out", "model", "--resume", "--force", code=2)
    assert "expected --resume, to go on, or --force, to start over; not both" in err
    run(*words, "--out", "model", "--resume")
    weights = [(tmp_path / name / "model.safetensors").read_bytes() for name in ("model", "whole")]
    assert weights[0] == weights[1]
    assert names(tmp_path / "model")[0] != ".regard"
    assert are_canaries_there(tmp_path)


@pytest.mark.parametrize(("number", "left"), [(signal.SIGINT, "recurrent"), (signal.SIGTERM, "ngram")])
def test_who_stops_a_run_keeps_its_best_network_and_a_shutdown_keeps_the_old(run, tmp_path, monkeypatch, number, left):
    words = (*TRAINERS["recurrent"], "--steps", "40")
    run(*words, "--out", "whole")
    run("ngram", *TEXT, "--out", "model")

    def write_and_press(one, place, *, write=run_folder.write_run):
        write(one, place)
        if one.step == 20:
            signal.raise_signal(number)

    monkeypatch.setattr(run_folder, "write_run", write_and_press)
    _, err = run(*words, "--out", "model", "--force", code=130)
    kept = {
        "recurrent": "the best network so far is in model",
        "ngram": "model still holds the model that was there",
    }
    goes_on = "the same command with --resume in place of --force goes on"
    assert err == f"regard: stopped after 21 of 40 steps; {kept[left]}, {goes_on}\n"
    assert kind(tmp_path / "model") == left
    monkeypatch.setattr(run_folder, "write_run", write_and_press.__kwdefaults__["write"])
    run(*words, "--out", "model", "--resume")
    weights = [(tmp_path / name / "model.safetensors").read_bytes() for name in ("model", "whole")]
    assert weights[0] == weights[1]


def test_who_stops_a_run_in_its_last_step_is_told(run, tmp_path, monkeypatch):
    def write_and_press(one, place, *, write=run_folder.write_run):
        write(one, place)
        if one.finished:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(run_folder, "write_run", write_and_press)
    out, err = run(*TRAINERS["recurrent"], "--out", "model", code=130)
    assert out == ""
    assert err.endswith("regard: stopped after the last of 8 steps, before measuring; the network is in model\n")
    assert kind(tmp_path / "model") == "recurrent"


def test_a_run_stopped_before_its_first_evaluation_does_not_replace_a_model(run, tmp_path, monkeypatch):
    run("ngram", *TEXT, "--out", "model")
    from regard.training.network import run as loop

    def step_and_press(self, *, take=loop.Run.take_step):
        signal.raise_signal(signal.SIGINT)
        return take(self)

    monkeypatch.setattr(loop.Run, "take_step", step_and_press)
    _, err = run(*TRAINERS["recurrent"], "--steps", "40", "--out", "model", "--force", code=130)
    assert "stopped after 1 of 40 steps; model still holds the model that was there" in err
    assert kind(tmp_path / "model") == "ngram"


@pytest.mark.parametrize("family", ["recurrent", "transformer"])
def test_a_finished_network_is_trained_further(run, tmp_path, monkeypatch, family):
    words = (*TRAINERS[family][:-4], "--threads", "1", "--json")
    first = json.loads(run(*words, "--steps", "20", "--out", "model").out)
    before = contents(tmp_path / "model")
    for name in ("whole", "parted"):
        (tmp_path / name).mkdir()
        for file, content in before.items():
            (tmp_path / name / file).write_bytes(content)

    found = json.loads(run(*words, "--steps", "60", "--out", "whole", "--resume").out)
    assert found["steps"] == 60
    assert found["history"][: len(first["history"])] == first["history"]
    assert [point["step"] for point in found["history"][len(first["history"]) :]] == [30, 40, 50, 60]
    assert found["held_back_nats_per_character"] < first["held_back_nats_per_character"]
    settings = json.loads((tmp_path / "whole/training.json").read_text())
    assert (settings["restarts"], settings["finished"], settings["schedule"]["steps"]) == ([20], True, 60)

    def write_and_press(one, place, *, write=run_folder.write_run):
        write(one, place)
        if one.step == 30:
            signal.raise_signal(signal.SIGTERM)

    monkeypatch.setattr(run_folder, "write_run", write_and_press)
    run(*words, "--steps", "60", "--out", "parted", "--resume", code=130)
    now = contents(tmp_path / "parted")
    assert {name: now[name] for name in before} == before  # the finished model is there until the end
    monkeypatch.setattr(run_folder, "write_run", write_and_press.__kwdefaults__["write"])
    run(*words, "--steps", "60", "--out", "parted", "--resume")
    weights = [(tmp_path / name / "model.safetensors").read_bytes() for name in ("whole", "parted")]
    assert weights[0] == weights[1]
    minutes = f"{(first['history'][-1]['seconds'] + 1) / 60:.4f}"
    longer = json.loads(run(*words, "--minutes", minutes, "--out", "model", "--resume").out)
    assert longer["steps"] > 20


def test_a_second_process_is_told_who_writes(run, tmp_path):
    words = ("train", *TRAINERS["recurrent"], "--steps", "1000000", "--out", "busy")
    process = command_server.start(*words, script=SCRIPT)
    try:
        wait_for((tmp_path / "busy/.regard/lock").read_text)
        for words in (TRAINERS["recurrent"], TRAINERS["ngram"]):
            _, err = run(*words, "--out", "busy", "--force", code=1)
            assert (
                err
                == f"regard: busy is being written by process {process.pid}; wait for it, or choose another folder\n"
            )
    finally:
        process.kill()
        process.wait()
    run(*TRAINERS["ngram"], "--out", "busy", "--force")
    assert kind(tmp_path / "busy") == "ngram"


def test_the_folder_in_which_one_stands(run, tmp_path, monkeypatch):
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    words = ("ngram", "--text", "../verse.txt", "--out", ".")
    run(*words)
    run(*words, "--force")
    assert kind(tmp_path / "here") == "ngram"
    assert are_canaries_there(tmp_path)


def test_a_full_disk_is_one_line_that_names_the_file(run, tmp_path):
    run("ngram", *TEXT, "--out", "model", "--order", "1")
    before = contents(tmp_path / "model")
    (tmp_path / "program.py").write_text(
        "import resource, sys; from regard.cli.main import main\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (9000, 9000)); sys.exit(main(sys.argv[1:]))"
    )
    for out in ("model", "new"):
        words = ("train", "ngram", *TEXT, "--out", out, "--order", "5", "--force")
        expected = f"regard: cannot write {out}/model.safetensors: File too large; nothing in it was changed\n"
        assert command_server.run(*words, script=tmp_path / "program.py") == (1, "", expected)
    assert contents(tmp_path / "model") == before
    assert not (tmp_path / "new").exists()
