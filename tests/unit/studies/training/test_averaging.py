"""Classifiers in one call, from pairs of text and label, and what a run that is interrupted says."""

import pytest

from regard.errors import ArgumentError, ValueRangeError
from regard.models.checkpoint import load_classifier
from regard.studies.training import averaging
from regard.studies.training.averaging import epochs_for, train_averaging
from regard.studies.training.data import DataParts, find_labelled
from regard.studies.training.run import TrainingStopped, open_folder

pytest.importorskip("torch")
PAIRS = [
    (f"{word} film number {i}", label) for i in range(12) for word, label in (("superb", "good"), ("awful", "bad"))
]
SETTINGS = {"vectors": "none", "form": "classic", "layers": 0, "width": 4, "epochs": 2, "progress": False}


def test_one_call_gives_the_classifier_and_writes_it(tmp_path):
    classifier = train_averaging(PAIRS, **SETTINGS, out=tmp_path / "films")
    texts = [text for text, _ in PAIRS]
    assert load_classifier(tmp_path / "films").log_probs(texts).tolist() == classifier.log_probs(texts).tolist()


def test_wrong_settings_are_refused_before_anything_is_read():
    with pytest.raises(ArgumentError, match="there is no setting 'layer'; choose from form, seed"):
        train_averaging("no such data", layer=2)
    with pytest.raises(ValueRangeError, match=r"dropout must be from 0.0 to 0.95; got 2.0"):
        train_averaging("no such data", dropout=2.0)


def test_an_interrupted_run_can_go_on(tmp_path):
    def press(done):
        raise KeyboardInterrupt

    parts = DataParts("films", find_labelled(PAIRS), None, "none")
    config = averaging.choose_config({"form": "classic", "layers": 0, "width": 4}, n_texts=24)
    assert config.epochs == epochs_for(24) == 20
    stopped = pytest.raises(TrainingStopped, match="stopped before the end; the same command with --resume goes on")
    with open_folder(tmp_path / "films", kind="averaging") as place, stopped:
        averaging.run(parts, config, place=place, on_round=press)
    with pytest.raises(KeyboardInterrupt):
        averaging.run(parts, config, on_round=press)
