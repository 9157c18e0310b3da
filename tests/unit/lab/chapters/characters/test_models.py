"""Character models that are counted, trained, stopped and kept."""

import shutil
from dataclasses import replace

import numpy as np
import pytest
from tests.support.folders import contents

from regard.errors import CheckpointError
from regard.lab.chapters.characters import models
from regard.lab.chapters.characters.models import (
    cached_keys,
    counting_model,
    label_of,
    labels,
    load_cached,
    split_text,
    transformer_model,
)
from regard.lab.jobs import JobProgress, WorkStopped
from regard.training.network.transformer import TransformerPreset


@pytest.fixture
def tale(monkeypatch, tmp_path):
    monkeypatch.setenv("REGARD_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "tale.txt"
    path.write_text("".join(f"KING:\nThe {n}th day is as the {n - 1}th.\n\n" for n in range(200)))
    return str(path)


@pytest.fixture
def tiny(monkeypatch):
    """A network that takes milliseconds, evaluated twice a run."""
    recipe, schedule = models.preset()
    small = replace(recipe, width=16, layers=1, heads=2, hidden=8, context=16, stride=8)
    monkeypatch.setattr(models, "preset", lambda: TransformerPreset(small, replace(schedule, checkpoints=2)))


def quiet():
    return JobProgress(lambda: None)


def stopped_after(n_reports):
    reports = []

    def check():
        reports.append(None)
        if len(reports) > n_reports:
            raise WorkStopped

    return JobProgress(check)


def test_the_passage_has_not_been_learnt_and_begins_a_paragraph():
    text = "".join(f"{n:03}\n\n" for n in range(100))
    learn, passage = split_text(text)
    assert len(learn) == 450
    assert passage.startswith("091")
    assert not learn.endswith(passage[:3])


def test_counting_is_done_once_and_kept(tale, monkeypatch):
    first = counting_model(tale, quiet())
    assert cached_keys() == [first.key]
    monkeypatch.setattr(models, "train_ngram", None)  # nothing is counted now
    progress = quiet()
    second = counting_model(tale, progress)
    assert progress.message.endswith("kept from an earlier visit")
    assert second.key == first.key
    ids = first.model.tokeniser.encode("KING").ids
    np.testing.assert_allclose(second.model.token_log_probs(ids), first.model.token_log_probs(ids))


def test_what_others_put_into_the_cache_stays_and_costs_no_visit(tale):
    key = counting_model(tale, quiet()).key
    folder = models.model_folder(key)
    (folder / "config.json").write_text('{"model_type": "bert"}')
    (folder / "thesis.tex").write_text("mine")
    before = contents(folder)
    assert counting_model(tale, quiet()).model.kind == "ngram"
    assert contents(folder) == before


def test_a_full_disk_does_not_take_the_model_away(tale, monkeypatch):
    def full(*_, **__):
        raise OSError("no space left on device")

    monkeypatch.setattr(models, "save", full)
    assert counting_model(tale, quiet()).model.kind == "ngram"
    assert cached_keys() == []


def test_stopped_training_is_kept_and_goes_on_to_the_same_network(tale, tiny):
    whole = transformer_model(tale, 12, quiet())
    arrays = whole.model.arrays()
    shutil.rmtree(models.model_folder(whole.key))
    with pytest.raises(WorkStopped):
        transformer_model(tale, 12, stopped_after(3))  # at its first step, before any checkpoint
    assert label_of(whole.key).endswith("12 steps, stopped early")
    assert load_cached(whole.key).kind == "transformer"
    progress = quiet()
    again = transformer_model(tale, 12, progress)
    assert progress.points[0][0] > 1  # it went on
    assert progress.message.startswith("step 12 of 12")
    assert label_of(whole.key).endswith("12 steps")
    for name, array in again.model.arrays().items():
        np.testing.assert_array_equal(array, arrays[name])


def test_what_is_trained_is_not_trained_again(tale, tiny, monkeypatch):
    first = transformer_model(tale, 2, quiet())
    monkeypatch.setattr(models, "_train", None)
    assert transformer_model(tale, 2, quiet()).model is first.model  # one model for all visitors


def test_the_network_has_two_layers_of_four_heads():
    recipe, _ = models.preset()
    assert (recipe.layers, recipe.heads) == (2, 4)


def test_labels_say_what_is_kept(monkeypatch, tmp_path):
    monkeypatch.setenv("REGARD_CACHE", str(tmp_path))
    keys = ["characters-counts-ptb-train-0123456789ab", "characters-counts-ptb-train-ba9876543210"]
    assert list(labels(keys)) == ["counts of ptb-train", "counts of ptb-train (ba9876543210)"]
    assert label_of("characters-transformer-2000-x-0123456789ab") == "Transformer of x, 2,000 steps, stopped early"
    assert cached_keys() == []


@pytest.mark.parametrize("key", ["", "characters-counts-x-0123456789ab", "../outside", "words-0123456789ab-50-0"])
def test_only_what_this_chapter_has_kept_is_loaded(key, tale, tmp_path):
    model = counting_model(tale, quiet()).model
    for folder in ("outside", "lab/words-0123456789ab-50-0"):
        model.save(tmp_path / "cache" / folder)
    with pytest.raises(CheckpointError, match="there is no kept model"):
        load_cached(key)


def test_longer_training_is_expected_to_take_longer():
    assert models.expected_seconds(20) < 5 < models.expected_seconds(2000) < 120
