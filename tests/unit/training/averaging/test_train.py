from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.support.averaging import LIKED, SMALL, TWO, VECTORS
from tests.support.folders import rewrite

from regard.errors import CheckpointError, ValueRangeError
from regard.models.folder_writer import writing
from regard.records import LabelledTexts
from regard.text.word_bags import word_hashes
from regard.training.averaging.train import AveragingConfig, start_vectors, train_averaging
from regard.training.averaging.words import Round

CONFIG = AveragingConfig(form="classic", patience=99, **SMALL)


class Killed(BaseException):
    """As an end from outside: nothing catches it."""


def stop_after(epoch: int):
    def on_round(done: Round) -> None:
        if done.epoch == epoch:
            raise Killed

    return on_round


@pytest.mark.parametrize("form", ["classic", "strong"])
@pytest.mark.parametrize("settings", [{}, {"fine_tune": False}, {"attention": True}])
def test_a_run_that_was_ended_goes_on_to_the_same_bits(form: str, settings: dict[str, bool], tmp_path: Path) -> None:
    config = replace(CONFIG, form=form, **settings)
    whole = train_averaging(TWO, config, vectors=VECTORS)
    with pytest.raises(Killed), writing(tmp_path / "films") as place:
        train_averaging(TWO, config, vectors=VECTORS, place=place, on_round=stop_after(2))
    seen: list[Round] = []
    with writing(tmp_path / "films", kind="averaging", resume=True) as place:
        again = train_averaging(TWO, config, vectors=VECTORS, place=place, on_round=seen.append)
    assert [each.epoch for each in seen] == [3, 4, 5, 6, 7, 8]
    for name, array in whole.arrays().items():
        np.testing.assert_array_equal(again.arrays()[name], array)
    assert (again.factors, again.notes) == (whole.factors, whole.notes)


def go_on(folder: Path, data: LabelledTexts, config: AveragingConfig, on_round=None):
    """Train with the state of the run for this folder; what is begun anew in an empty one."""
    with writing(folder, kind="averaging", resume=True) as place:
        return train_averaging(data, config, place=place, on_round=on_round)


def test_a_finished_run_is_not_trained_again(tmp_path: Path) -> None:
    first = go_on(tmp_path / "films", TWO, CONFIG)
    seen: list[Round] = []
    again = go_on(tmp_path / "films", TWO, CONFIG, seen.append)
    assert not seen
    np.testing.assert_array_equal(again.log_probs(LIKED), first.log_probs(LIKED))


def test_other_settings_or_texts_do_not_go_on(tmp_path: Path) -> None:
    go_on(tmp_path / "films", TWO, CONFIG)
    message = "films was begun with width 6, now 7 is asked for; use the same, or give --force instead of --resume"
    with pytest.raises(CheckpointError, match=message):
        go_on(tmp_path / "films", TWO, replace(CONFIG, width=7))
    others = replace(TWO, texts=("another", *TWO.texts[1:]))
    with pytest.raises(CheckpointError, match="films was begun on other texts; give --force instead of --resume to"):
        go_on(tmp_path / "films", others, CONFIG)


def test_a_run_is_begun_anew_unless_it_is_to_go_on(tmp_path: Path) -> None:
    go_on(tmp_path / "films", TWO, CONFIG)
    seen: list[Round] = []
    with writing(tmp_path / "films", kind="averaging", force=True) as place:
        train_averaging(TWO, CONFIG, place=place, on_round=seen.append)
    assert seen[0].epoch == 1


def test_a_damaged_run_is_told(tmp_path: Path) -> None:
    go_on(tmp_path / "films", TWO, CONFIG)
    path = tmp_path / "films" / ".regard" / "run" / "training.json"
    rewrite(path, rounds=[{"epoch": 1}])
    with pytest.raises(CheckpointError, match=r"films is damaged \(.*\); give --force instead of --resume to start"):
        go_on(tmp_path / "films", TWO, CONFIG)
    path.write_text("{}")
    with pytest.raises(CheckpointError, match=r"training.json is cut short or damaged \(2 bytes\)"):
        go_on(tmp_path / "films", TWO, CONFIG)


def test_training_ends_where_nothing_more_is_gained() -> None:
    config = replace(CONFIG, epochs=60, patience=2, vector_rate=0.5, learning_rate=0.5, seed=1)
    rounds = train_averaging(TWO, config).notes["rounds"]
    best = min(range(len(rounds)), key=lambda i: rounds[i]["valid_nats"])
    assert len(rounds) < 60
    assert len(rounds) - (best + 1) == 2


def test_seeds_differ_and_settings_are_kept() -> None:
    first, second = (train_averaging(TWO, replace(CONFIG, seed=seed)) for seed in (0, 1))
    assert np.abs(first.log_probs(LIKED) - second.log_probs(LIKED)).max() > 1e-4
    assert first.notes["config"]["seed"] == 0
    assert first.notes["texts_of_label"] == {"negative": 16, "positive": 16}


def test_words_begin_with_the_vectors_given() -> None:
    hashes = np.sort(word_hashes(["good", "film", "zyzzyva"]))
    found = start_vectors(hashes, VECTORS, CONFIG)
    expected = {word: VECTORS.vectors[i] for i, word in enumerate(VECTORS.words)} | {"zyzzyva": np.zeros(5)}
    for word in ("good", "film", "zyzzyva"):
        row = int(np.flatnonzero(hashes == word_hashes([word])[0])[0])
        np.testing.assert_array_equal(found[row], expected[word])


def test_fixed_vectors_stay() -> None:
    fixed, learnt = (
        train_averaging(TWO, replace(CONFIG, fine_tune=fine_tune, layers=0), vectors=VECTORS)
        for fine_tune in (False, True)
    )
    # "superb" has no vector: it adds nothing unless it may learn one
    for classifier, is_nothing in ((fixed, True), (learnt, False)):
        assert (np.abs(classifier.exact_shares("superb")).max() == 0) == is_nothing


@pytest.mark.parametrize(
    ("texts", "label_ids", "message"),
    [
        (["a"] * 12, [1] * 12, "at least two labels are needed to tell them apart; found negative: 0, positive: 12"),
        (["a"] * 4, [0, 1, 1, 1], "at least 10 texts are needed, .* found negative: 1, positive: 3"),
        (["a"] * 11 + [" \n"], [0, 1] * 6, "1 of 12 texts are empty, the first is number 12; leave them out"),
    ],
)
def test_data_that_teaches_nothing(texts: list[str], label_ids: list[int], message: str) -> None:
    with pytest.raises(ValueRangeError, match=message):
        train_averaging(LabelledTexts(tuple(texts), np.array(label_ids), ("negative", "positive")))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"form": "weak"}, "form must be classic or strong; got 'weak'"),
        ({"activation": "swish"}, "there is no activation 'swish'; choose from relu, tanh"),
        ({"dropout": 1.5}, "dropout must be from 0.0 to 0.95; got 1.5"),
        ({"layers": 4}, "layers must be from 0 to 3; got 4"),
        ({"parts": 30}, "parts must be at most folds, 20; got 30"),
    ],
)
@pytest.mark.usefixtures("unchecked")
def test_settings_that_cannot_be(settings: dict[str, object], message: str) -> None:
    with pytest.raises(ValueRangeError, match=message):
        AveragingConfig(**settings)


@pytest.mark.parametrize("form", ["classic", "strong"])
def test_the_fewest_texts(form: str) -> None:
    data = LabelledTexts(("good film",) * 9 + ("bad film",), np.array([1] * 9 + [0]), ("negative", "positive"))
    log_probs = train_averaging(data, AveragingConfig(form=form)).log_probs(["good film", ""])
    assert np.isfinite(log_probs).all()
