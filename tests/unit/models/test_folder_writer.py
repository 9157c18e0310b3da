"""Who may write where: others' files, older models, runs that are apart, links, and what earlier versions left."""

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from tests.support.folders import contents, names, rewrite_ours, unlist
from tests.support.texts import VERSE

from regard.errors import CheckpointError, FolderBusyError, OutputFileError
from regard.models.checkpoint import load_model
from regard.models.folder_writer import occupant, run_place, save, writing
from regard.models.ngram.model import NgramConfig, NgramModel, fit_ngram

STATE = {"training.json": b'{"finished": false}'}


@cache
def model(order: int = 2) -> NgramModel:
    return fit_ngram(VERSE, NgramConfig(order=order, method="kneser-ney"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a model of order 2, and a file of others beside it."""
    (tmp_path / "model.training").mkdir()
    (tmp_path / "model.training" / "thesis.tex").write_text("mine")
    model().save(tmp_path / "model")
    return tmp_path / "model"


def order(folder: Path) -> int:
    found = load_model(folder)
    assert isinstance(found, NgramModel)
    return found.order


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"config.json": "{}", "thesis.tex": "", ".git/HEAD": ""}, "app holds .git, config.json and thesis.tex, which"),
        ({"config.json": '{"model_type": "bert"}', "model.safetensors": ""}, "app holds config.json and model.safe"),
        ({"a": "", "b": "", "c": "", "d": "", "e": ""}, "app holds a, b, c and 2 more, which Regard did not write; ch"),
        ({"config.json": '{"regard": 1}'}, "app holds config.json, which Regard did not write; choose another --out"),
        ({"config.json": '{"regard": {"fo'}, "app holds config.json, which Regard did not write; choose another --out"),
        ({".regard/diary.txt": ""}, r"app holds .regard/diary.txt, which Regard did not write; choose another --out"),
    ],
)
def test_a_folder_with_others_files_is_refused(tmp_path: Path, files: dict[str, str], message: str) -> None:
    for name, content in files.items():
        (tmp_path / "app" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "app" / name).write_text(content)
    before = contents(tmp_path)
    for force in (False, True):
        with pytest.raises(CheckpointError, match=message) as error:
            model().save(tmp_path / "app", force=force)
        assert "\n" not in str(error.value)
        assert contents(tmp_path) == before


def test_a_file_beside_our_own_is_named(folder: Path) -> None:
    (folder / "thesis.tex").write_text("mine")
    before = contents(folder)
    with pytest.raises(CheckpointError, match=r"model holds thesis.tex, which Regard did not write; choose another"):
        model(3).save(folder, force=True)
    assert contents(folder) == before


def test_an_empty_folder_and_what_file_managers_leave_are_no_obstacle(tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / ".DS_Store").write_text("icons")
    model().save(tmp_path / "model")
    model(3).save(tmp_path / "model", force=True)
    assert order(tmp_path / "model") == 3
    assert (tmp_path / "model" / ".DS_Store").read_text() == "icons"


def test_a_file_in_the_place_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "model").write_text("mine")
    with pytest.raises(CheckpointError, match="model is a file; a model needs a folder: choose another --out"):
        model().save(tmp_path / "model", force=True)
    assert contents(tmp_path) == {"model": b"mine"}


def test_what_was_put_there_during_training_stays(folder: Path) -> None:
    with writing(folder, force=True) as place:
        (folder / "notes.md").write_text("mine")
        save(model(3), place)
    assert order(folder) == 3
    assert (folder / "notes.md").read_text() == "mine"


def test_a_run_is_apart_until_it_is_complete(folder: Path) -> None:
    with writing(folder, force=True) as place:
        save(model(3), place, beside=STATE, is_complete=False)
        assert order(folder) == 2
        place.update({"training.json": b"{}", "history.jsonl": b"1"}, is_complete=False)
        assert order(folder) == 2
        assert order(run_place(folder).path) == 3
        place.update({"training.json": b'{"finished": true}'}, without=["history.jsonl"], is_complete=True)
    assert order(folder) == 3
    assert names(folder) == [
        "background.safetensors",
        "config.json",
        "model.safetensors",
        "tokeniser.json",
        "training.json",
    ]
    assert contents(folder.parent)["model.training/thesis.tex"] == b"mine"


def test_in_an_empty_folder_the_best_so_far_is_its_model(tmp_path: Path) -> None:
    with writing(tmp_path / "model") as place:
        save(model(3), place, beside=STATE, is_complete=False)
    assert order(tmp_path / "model") == 3
    with pytest.raises(CheckpointError) as error:
        model().save(tmp_path / "model")
    assert "model holds an unfinished model of kind ngram, saved 20" in str(error.value)
    assert "; --resume goes on with it, --force starts over (in Python: force=True), or choose" in str(error.value)
    with writing(tmp_path / "model", kind="ngram", resume=True) as place:  # its own checkpoints replace each other
        save(model(4), place, beside=STATE, is_complete=False)
    assert order(tmp_path / "model") == 4


def test_a_run_that_is_apart_goes_on_or_is_begun_anew(folder: Path) -> None:
    with writing(folder, force=True) as place:
        save(model(3), place, beside=STATE, is_complete=False)
    with pytest.raises(CheckpointError, match="--resume goes on with it, --force starts over"):
        model(4).save(folder)
    with pytest.raises(CheckpointError, match="begun as a model of kind ngram; got recurrent: ask for that kind again"):
        enter(folder, kind="recurrent", resume=True)
    with writing(folder, kind="ngram", resume=True) as place:
        assert place.is_apart
        place.promote()
    assert order(folder) == 3
    assert ".regard" not in names(folder)
    found = occupant(run_place(folder))
    assert found is not None
    assert not found.is_complete


def enter(folder: Path, **settings: object) -> None:
    with writing(folder, **settings):  # type: ignore[arg-type]
        pass


def test_resume_needs_a_run_of_the_same_kind(folder: Path) -> None:
    with pytest.raises(
        CheckpointError,
        match=r"holds a model of kind ngram, saved .*, but no training run that --resume could go on with; --",
    ):
        enter(folder, kind="ngram", resume=True)
    with pytest.raises(CheckpointError, match="model was begun as a model of kind ngram; got averaging"):
        enter(folder, kind="averaging", resume=True)


@pytest.mark.parametrize(
    ("state", "is_complete"),
    [
        ('{"finished": true}', True),
        ('{"finished": false}', False),
        ('{"iteration": 5, "config": {"iterations": 5}}', True),
        ('{"iteration": 4, "config": {"iterations": 5}}', False),
        ("{", False),
    ],
)
def test_runs_of_earlier_versions_are_understood(folder: Path, state: str, is_complete: bool) -> None:
    unlist(folder)
    (folder / "training.json").write_text(state)
    found = occupant(run_place(folder))
    assert found is not None
    assert (found.kind, found.is_run, found.is_complete) == ("ngram", True, is_complete)


def test_a_link_stays_and_its_target_is_written(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "latest").symlink_to("model")
    (tmp_path / "later").symlink_to("elsewhere/model")  # which is not there yet
    model(3).save(tmp_path / "latest", force=True)
    model(3).save(tmp_path / "later")
    assert (tmp_path / "latest").is_symlink()
    assert (tmp_path / "later").is_symlink()
    assert [order(tmp_path / name) for name in ("model", "latest", "later", "elsewhere/model")] == [3] * 4
    model(4).save(tmp_path / "latest", force=True)
    assert order(folder) == 4


def test_the_folder_in_which_one_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "thesis.tex").write_text("mine")
    monkeypatch.chdir(tmp_path / "here")
    for n in (2, 3):
        model(n).save(".", force=True)
        assert order(Path()) == n
    assert names(tmp_path) == ["here", "thesis.tex"]
    assert Path.cwd() == tmp_path / "here"


def test_what_earlier_versions_left_is_cleaned_only_where_it_is_ours(folder: Path, tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, check=True)
    dead, alive = int(done.stdout), os.getppid()
    for name in (f".model.{dead}", f".model.{alive}", ".model.old"):
        model().save(tmp_path / name)
        unlist(tmp_path / name)
    (tmp_path / f".model.0{dead}").mkdir()
    (tmp_path / f".model.0{dead}" / "config.json").write_bytes(b'{\n "regard": {\n')  # killed as it wrote
    (tmp_path / f".model.00{dead}").mkdir()
    (tmp_path / f".model.00{dead}" / "config.json").write_text('{"name": "mine"}')
    (tmp_path / ".other.old").mkdir()
    model(3).save(folder, force=True)
    assert names(tmp_path) == sorted([f".model.{alive}", f".model.00{dead}", ".other.old", "model", "model.training"])
    (tmp_path / ".model.old").mkdir()
    (tmp_path / ".model.old" / "thesis.tex").write_text("mine")
    model(2).save(folder, force=True)
    assert (tmp_path / ".model.old" / "thesis.tex").read_text() == "mine"


@pytest.mark.parametrize("is_there", [False, True])
def test_a_model_that_stepped_aside_for_one_that_never_came_is_not_lost(tmp_path: Path, is_there: bool) -> None:
    model().save(tmp_path / ".model.old")
    if is_there:  # somebody has made an empty folder of its name since
        (tmp_path / "model").mkdir()
    with pytest.raises(CheckpointError, match=r"model holds a model of kind ngram, saved .*; --force replaces it"):
        model(3).save(tmp_path / "model")
    assert order(tmp_path / "model") == 2
    assert names(tmp_path) == ["model"]


def test_a_second_writer_is_told_and_changes_nothing(folder: Path) -> None:
    with writing(folder, force=True) as place:
        before = contents(folder)
        with pytest.raises(FolderBusyError, match=f"model is being written by process {os.getpid()}; wait for it"):
            model(3).save(folder, force=True)
        assert contents(folder) == before
        save(model(4), place)
    assert order(folder) == 4


def test_a_model_whose_config_was_changed_can_be_replaced(folder: Path) -> None:
    rewrite_ours(folder, kind="colour")
    model(3).save(folder, force=True)
    assert order(folder) == 3


def test_nothing_is_left_where_nothing_came_of_it(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError), writing(tmp_path / "a" / "model"):
        raise RuntimeError
    assert names(tmp_path) == []


def test_work_files_of_a_killed_process_are_removed_and_others_stay(folder):
    work = folder / ".regard" / "work"
    work.mkdir(parents=True)
    for name in ("run-3.part", "keys-10.part", "notes.txt"):
        (work / name).write_text("left")
    with (
        writing(folder, force=True) as place,
        pytest.raises(OutputFileError, match="File exists"),
        place.place.work_folder(),
    ):
        pass
    assert [path.name for path in work.iterdir()] == ["notes.txt"]
    (work / "notes.txt").unlink()
    with writing(folder, force=True) as place, place.place.work_folder() as work_place:
        (work_place / "keys-1.part").write_bytes(b"1234")
        assert work_place == work
    assert not (folder / ".regard").exists()
    assert load_model(folder).order == 2
