from pathlib import Path

import numpy as np
import pytest
from tests.support.averaging import trained
from tests.support.folders import reseal, rewrite_ours
from tests.support.texts import VERSE

from regard.errors import CheckpointError
from regard.models.checkpoint import load, load_classifier, load_model
from regard.models.classifier.averaging import AveragingClassifier
from regard.models.folder import read_tensors, tensor_bytes
from regard.models.ngram.model import NgramConfig, NgramModel, fit_ngram


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    trained("linear").save(tmp_path / "films")
    return tmp_path / "films"


def test_a_language_model_is_no_classifier(tmp_path: Path) -> None:
    fit_ngram(VERSE, NgramConfig()).save(tmp_path / "verse")
    expected = r"verse is a language model of kind 'ngram', which gives no labels; see 'regard sample' and"
    with pytest.raises(CheckpointError, match=expected):
        load_classifier(tmp_path / "verse")


def test_a_classifier_is_no_language_model(folder: Path) -> None:
    with pytest.raises(CheckpointError, match=r"expected a language model: ngram, .*; 'regard classify' reads it"):
        load_model(folder)


def test_nothing_there(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match=r"there is no model folder .*nowhere; make one with 'regard train'"):
        load_classifier(tmp_path / "nowhere")


@pytest.mark.parametrize("kind", ["colour", ["averaging"], None])
def test_a_kind_that_is_not_known(folder: Path, kind: object) -> None:
    rewrite_ours(folder, kind=kind)
    with pytest.raises(CheckpointError, match="expected a classifier: averaging"):
        load_classifier(folder)


@pytest.mark.parametrize("part", ["config", "labels", "notes"])
def test_a_part_that_is_missing(folder: Path, part: str) -> None:
    rewrite_ours(folder, **{part: None})
    with pytest.raises(CheckpointError, match=f"films is damaged: '{part}' is missing from it; train the model again"):
        load_classifier(folder)


def test_tensors_cut_short(folder: Path) -> None:
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(CheckpointError, match=r"model\.safetensors is cut short or damaged \(100 bytes\)"):
        load_classifier(folder)


@pytest.mark.parametrize("name", ["words.rows", "bias"])
def test_numbers_that_are_none_are_refused(folder: Path, name: str) -> None:
    arrays = read_tensors(folder / "model.safetensors")
    arrays[name].flat[0] = np.nan
    (folder / "model.safetensors").write_bytes(tensor_bytes(arrays))
    reseal(folder)
    with pytest.raises(CheckpointError, match=rf"1 of [\d,]+ numbers of the tensor '{name}' are NaN; .*train it"):
        load_classifier(folder)


def test_load_reads_a_classifier_or_a_language_model_as_the_folder_says(folder: Path, tmp_path: Path) -> None:
    fit_ngram(VERSE, NgramConfig()).save(tmp_path / "verse")
    assert isinstance(load(folder), AveragingClassifier)
    assert isinstance(load(tmp_path / "verse"), NgramModel)


@pytest.mark.parametrize("kind", ["colour", ["averaging"], None])
def test_load_names_every_kind_where_it_knows_none(folder: Path, kind: object) -> None:
    rewrite_ours(folder, kind=kind)
    expected = r"expected ngram, bigram, recurrent, transformer, mixture or averaging$"
    with pytest.raises(CheckpointError, match=expected):
        load(folder)
