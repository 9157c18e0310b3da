"""Model folders: whole or not there, and a clear line for everything that is no model."""

import json
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from tests.support.folders import contents, names, reseal, rewrite, rewrite_ours
from tests.support.texts import VERSE

from regard import folders
from regard.errors import CheckpointError, InputFileError, MissingExtraError, VocabularyError
from regard.models import folder as folder_files
from regard.models.base import ForeignFiles
from regard.models.checkpoint import load_model, model_from_parts
from regard.models.folder_writer import model_parts
from regard.models.ngram.model import NgramConfig, NgramModel, fit_ngram

EXPECTED = "expected a folder that 'regard train … --out FOLDER' wrote"


@cache
def model() -> NgramModel:
    return fit_ngram(VERSE, NgramConfig(order=2, method="kneser-ney"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    model().save(tmp_path / "model")
    return tmp_path / "model"


def test_the_folder_holds_nothing_but_json_and_tensors(folder: Path) -> None:
    assert names(folder) == ["background.safetensors", "config.json", "model.safetensors", "tokeniser.json"]
    config = json.loads((folder / "config.json").read_text())["regard"]
    assert config["format"] == 1
    assert config["kind"] == "ngram"
    assert config["digest"]["n_characters"] == len(VERSE)
    assert config["notes"]["training"]["order"] == 2
    assert "numpy" in config["notes"]["versions"]


def test_a_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match=r"there is no model folder .*nowhere; make one with 'regard train'"):
        load_model(tmp_path / "nowhere")
    with pytest.raises(CheckpointError, match=r"there is no model folder '\\x00'; make one with 'regard train'"):
        load_model("\0")


def test_a_folder_without_a_model(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match=rf"is no model folder: config\.json is missing; {EXPECTED}$"):
        load_model(tmp_path)


def test_a_file_in_the_place_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "verse.txt").write_text(VERSE)
    with pytest.raises(CheckpointError, match=rf"verse\.txt is a file, not a model folder; {EXPECTED}$"):
        load_model(tmp_path / "verse.txt")
    with pytest.raises(CheckpointError, match=r"there is no model folder .*verse\.txt/x; make one with 'regard train'"):
        load_model(tmp_path / "verse.txt" / "x")


def test_a_file_of_a_model_folder(folder: Path) -> None:
    with pytest.raises(CheckpointError, match=rf"is a file; expected the folder it is in, {folder}$"):
        load_model(folder / "model.safetensors")


def test_a_folder_of_another_program(folder: Path) -> None:
    (folder / "config.json").write_text('{"model_type": "bert"}')
    message = rf"holds no model of Regard's: its config.json has no entry 'regard'; {EXPECTED}$"
    with pytest.raises(CheckpointError, match=message):
        load_model(folder)


def test_a_model_of_another_kind(folder: Path) -> None:
    rewrite_ours(folder, kind="averaging")
    with pytest.raises(CheckpointError, match="is a model of kind 'averaging'; expected a language model: ngram, "):
        load_model(folder)


def test_a_newer_format(folder: Path) -> None:
    rewrite_ours(folder, format=99)
    with pytest.raises(CheckpointError, match="has format 99; this version reads format 1"):
        load_model(folder)


def test_our_part_damaged(folder: Path) -> None:
    (folder / "config.json").write_text('{"regard": 1}')
    with pytest.raises(CheckpointError, match="model is damaged: 'format' is missing from it; train the model again"):
        load_model(folder)


def test_json_cut_short(folder: Path) -> None:
    path = folder / "config.json"
    path.write_text(path.read_text()[:40])
    with pytest.raises(CheckpointError, match=r"config.json is cut short or damaged: .*; train the model again"):
        load_model(folder)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"regard": ' + "9" * 5000 + "}", r"config.json is cut short or damaged: .* 5000 digits"),
        ("[" * 100_000, r"config.json is damaged: it is nested too deeply; train the model again$"),
    ],
    ids=["digits", "depth"],
)
def test_json_that_python_gives_up_on(folder: Path, content: str, message: str) -> None:
    (folder / "config.json").write_text(content)
    with pytest.raises(CheckpointError, match=message):
        load_model(folder)


def test_json_that_is_no_object(folder: Path) -> None:
    (folder / "config.json").write_text("[1, 2]")
    with pytest.raises(CheckpointError, match="should hold one JSON object; it holds a list"):
        load_model(folder)


@pytest.mark.parametrize("share", [0.0, 0.01, 0.5, 0.999])
@pytest.mark.parametrize("name", ["model", "background"])
def test_tensors_cut_short(folder: Path, share: float, name: str) -> None:
    path = folder / f"{name}.safetensors"
    whole = path.read_bytes()
    path.write_bytes(whole[: int(share * len(whole))])
    with pytest.raises(CheckpointError, match=rf"{name}.safetensors is cut short or damaged \([\d,]+ bytes\)"):
        load_model(folder)


@pytest.mark.parametrize("name", ["model", "background"])
def test_tensors_missing(folder: Path, name: str) -> None:
    (folder / f"{name}.safetensors").unlink()
    with pytest.raises(CheckpointError, match=rf"is incomplete: {name}\.safetensors is missing; train the model again"):
        load_model(folder)


def test_an_entry_missing(folder: Path) -> None:
    rewrite_ours(folder, digest=None)
    with pytest.raises(CheckpointError, match="is damaged: 'digest' is missing from it"):
        load_model(folder)


def test_a_tokeniser_of_another_model(folder: Path, unchecked: None) -> None:
    rewrite(folder / "tokeniser.json", vocabulary=["<unk>", "a"])
    with pytest.raises(CheckpointError, match=r"counts \d+ symbols and its tokeniser has 2; they do not belong"):
        load_model(folder)
    rewrite(folder / "tokeniser.json", vocabulary=7)
    with pytest.raises((CheckpointError, VocabularyError), match="vocabulary"):
        load_model(folder)


def test_tensors_of_another_model(folder: Path) -> None:
    arrays = folder_files._safetensors().load((folder / "model.safetensors").read_bytes())
    del arrays["ngram.2.keys"]
    (folder / "model.safetensors").write_bytes(folder_files._safetensors().save(arrays))
    reseal(folder)
    with pytest.raises(InputFileError, match=r"have no array 'ngram.2.keys'"):
        load_model(folder)


def test_other_programs_find_their_entries_and_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    foreign = ForeignFiles({"model_type": "abacus", "regard": "lost"}, {"beads.txt": b"10"})
    monkeypatch.setattr(NgramModel, "for_other_tools", lambda self: foreign)
    model().save(tmp_path / "model")
    assert json.loads((tmp_path / "model/config.json").read_text())["model_type"] == "abacus"
    assert (tmp_path / "model/beads.txt").read_bytes() == b"10"
    assert load_model(tmp_path / "model").tokeniser.vocabulary == model().tokeniser.vocabulary


def test_a_model_apart_and_together_again() -> None:
    settings, arrays = model_parts(model())
    assert json.loads(json.dumps(settings)) == settings == {"kind": "ngram", "config": model().config()}
    again = model_from_parts(settings, arrays, model().background)
    np.testing.assert_array_equal(again.next_log_probs("the "), model().next_log_probs("the "))
    with pytest.raises(CheckpointError, match="there is a model of kind 'abacus'; expected a language model: ngram, "):
        model_from_parts(settings | {"kind": "abacus"}, arrays, model().background)


def test_an_array_without_axes_stays_one() -> None:
    loaded = folder_files._safetensors().load(folder_files.tensor_bytes({"steps": np.array(3)}))
    assert loaded["steps"].shape == ()


def test_a_model_is_replaced_by_force_and_nothing_else_is(folder: Path, tmp_path: Path) -> None:
    other = fit_ngram("abc " * 50, NgramConfig(order=1, method="kneser-ney"))
    before = contents(folder)
    expected = (
        r"model holds a model of kind ngram, saved \d{4}-\d\d-\d\d \d\d:\d\d; --force replaces it "
        r"\(in Python: force=True\), or choose another --out"
    )
    with pytest.raises(CheckpointError, match=expected):
        other.save(folder)
    assert contents(folder) == before
    other.save(folder, force=True)
    assert load_model(folder).tokeniser.vocabulary == other.tokeniser.vocabulary
    assert names(tmp_path) == ["model"]

    thesis = tmp_path / "thesis"
    thesis.mkdir()
    (thesis / "chapter1.txt").write_text("do not lose me")
    for force in (False, True):
        with pytest.raises(CheckpointError, match=r"thesis holds chapter1.txt, which Regard did not write; choose"):
            other.save(thesis, force=force)
    assert contents(thesis) == {"chapter1.txt": b"do not lose me"}


def test_a_failed_write_leaves_the_older_model(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = contents(folder.parent)

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(folders.os, "fsync", full)
    with pytest.raises(OSError, match=r"cannot write .*: No space left on device; nothing in it was changed"):
        fit_ngram("abc " * 50).save(folder, force=True)
    monkeypatch.undo()
    assert contents(folder.parent) == before


def test_without_safetensors_nothing_is_begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "safetensors.numpy", None)
    with pytest.raises(MissingExtraError, match=r"needs safetensors: pip install 'regard\[models\]'"):
        folder_files.require_safetensors()
    with pytest.raises(MissingExtraError, match=r"needs safetensors"):
        model().save(tmp_path / "model")
    assert names(tmp_path) == []


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
def test_numbers_that_are_none_are_refused(tmp_path: Path, number: float) -> None:
    mixed = fit_ngram(VERSE, NgramConfig(order=2))
    mixed.save(tmp_path / "model")
    arrays = {name: array.copy() for name, array in mixed.arrays().items()}
    arrays["gate"].flat[3] = number
    (tmp_path / "model/model.safetensors").write_bytes(folder_files.tensor_bytes(arrays))
    reseal(tmp_path / "model")
    what = "NaN" if np.isnan(number) else "infinite"
    with pytest.raises(CheckpointError, match=rf"1 of \d+ numbers of the tensor 'gate' are {what}; .* train it again"):
        load_model(tmp_path / "model")


def test_large_numbers_are_numbers(tmp_path: Path) -> None:
    large = np.full(1000, 1e15, np.float32)
    folder_files.require_finite({"large": large, "none": np.zeros(0), "whole": np.arange(3)}, tmp_path)
    with pytest.raises(CheckpointError, match=r"1,000 of 1,000 numbers of the tensor 'large' are above 1e\+15; "):
        folder_files.require_finite({"large": -2 * large}, tmp_path)
