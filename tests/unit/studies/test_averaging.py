"""The comparison of averaging classifiers, on reviews that a single word gives away."""

import math

import numpy as np
import pytest
from tests.support.reviews import reviews

from regard.cluster import map_batches
from regard.errors import ValueRangeError
from regard.evaluation.accuracy import compare_paired, evaluate
from regard.records import LabelledTexts, Workers
from regard.report.comparisons import draw_averaging_comparison
from regard.studies import averaging
from regard.text.vectors.word_vectors import WordVectors
from regard.training.averaging.config import AveragingConfig
from regard.training.averaging.train import train_averaging

SMALL = {"width": 6, "hidden": 4, "epochs": 2, "bits": 10, "iterations": 3}


def data(n, seed):
    texts, labels = zip(*reviews(n, seed=seed), strict=True)
    return LabelledTexts(
        texts, np.array([label == "positive" for label in labels]).astype(int), ("negative", "positive")
    )


TRAIN, TEST = data(120, 0), data(60, 1)
VECTORS = WordVectors(["superb", "awful"], np.array([[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]], np.float32))


@pytest.fixture(scope="module")
def found():
    kept = []
    config = averaging.Config("reviews", ("dropout", "vectors", "form"), settings=SMALL)
    return averaging.run(TRAIN, TEST, config, vectors=VECTORS, on_best=kept.append), kept


def test_each_question_has_its_rows(found):
    table, _ = found
    assert table.column("variant") == [
        "classic",
        "no dropout of units",
        "no dropout of words",
        "no dropout at all",
        "learnt from nothing",
        "given, fixed",
        "strong",
    ]
    assert table.title == "Averaging classifiers of reviews: 120 texts to learn from, 60 to measure on"
    assert table.config["always_the_commonest_class"] == 0.5


def test_figures_are_those_of_each_classifier_by_itself(found):
    table, kept = found
    usual = train_averaging(TRAIN, AveragingConfig(form="classic", **SMALL), vectors=VECTORS)
    other = train_averaging(TRAIN, AveragingConfig(form="strong", **SMALL), vectors=VECTORS)
    first, *_, second = table.records()
    right = [(each.log_probs(TEST.texts).argmax(axis=1) == TEST.label_ids) for each in (usual, other)]
    assert (first["accuracy"], second["accuracy"]) == (right[0].mean(), right[1].mean())
    assert second["nats"] == pytest.approx(evaluate(other.log_probs(TEST.texts), TEST.label_ids).nats)
    pair = compare_paired(*right)
    assert pair.only_first < pair.only_second  # else which is which would not show
    assert (second["only_usual"], second["only_this"]) == (pair.only_first, pair.only_second)
    assert second["difference"] == pytest.approx(pair.difference)
    assert first["difference"] == 0
    best = kept[-1].predict_ids(TEST.texts) == TEST.label_ids
    assert best.mean() == max(table.column("accuracy"))


def test_words_say_what_the_figures_do(found):
    table, _ = found
    assert [note.split(":")[0] for note in table.notes[:4]] == ["dropout", "vectors", "form", "best"]
    assert "6 comparisons were made" in table.notes[4]


def test_the_figure_names_what_it_shows(found):
    table, _ = found
    axes = draw_averaging_comparison(table).axes
    assert [each.get_xlabel() for each in axes] == [
        "accuracy, %, with 95 % interval",
        "difference from classic, points, with 95 % interval",
        "training, seconds of the processor",
    ]
    assert [label.get_text() for label in axes[0].get_yticklabels()][:2] == [
        "usual: classic",
        "dropout: no dropout of units",
    ]


def test_seeds_give_mean_and_spread():
    table = averaging.run(TRAIN, TEST, averaging.Config(questions=("weights",), settings=SMALL, seeds=2, seed=5))
    settings = [AveragingConfig(form="classic", **SMALL, seed=seed) for seed in (5, 6)]
    accuracies = [(train_averaging(TRAIN, each).predict_ids(TEST.texts) == TEST.label_ids).mean() for each in settings]
    row = table.records()[0]
    assert row["accuracy"] == pytest.approx(np.mean(accuracies))
    assert row["spread"] == pytest.approx(abs(accuracies[0] - accuracies[1]) / math.sqrt(2))
    assert any(note.startswith("accuracies are means over 2 seeds") for note in table.notes)


def test_without_vectors_they_are_not_compared():
    names = [each.name for each in averaging.select_variants(averaging.Config(), has_vectors=False)]
    assert "given, fixed" not in names
    assert "learnt from nothing" not in names
    assert len(averaging.select_variants(averaging.Config(), has_vectors=True)) == len(averaging.VARIANTS)


def test_questions_that_cannot_be():
    with pytest.raises(ValueRangeError, match="there is no question 'width'; choose from dropout, depth, activation"):
        averaging.Config(questions=("width",))
    with pytest.raises(ValueRangeError, match="how often each classifier is trained, must be at least 1; got 0"):
        averaging.Config(seeds=0)


def rows_of(table):
    """Every row as text with all digits, but for the seconds."""
    place = table.columns.index("cpu_seconds")
    return [repr((*row[:place], *row[place + 1 :])) for row in table.rows]


def test_batches_give_what_one_loop_gives(monkeypatch):
    """What workers are sent and send back, in this process; `test_cluster` has real workers."""
    done = []
    monkeypatch.setattr(
        averaging, "map_batches", lambda task, batches, **_: map_batches(task, [done.append(b) or b for b in batches])
    )
    config = averaging.Config(questions=("weights",), settings=SMALL, seeds=2, seed=5)
    best, other = [], []
    table = averaging.run(TRAIN, TEST, config, workers=Workers(2), on_best=best.append)
    assert rows_of(table) == rows_of(averaging.run(TRAIN, TEST, config, on_best=other.append))
    assert best[-1].log_probs(TEST.texts).tobytes() == other[-1].log_probs(TEST.texts).tobytes()
    assert [batch[3:] for batch in done] == [
        (place, '{"width": 6, "hidden": 4, "epochs": 2, "bits": 10, "iterations": 3}', seed, seed == 5)
        for place in (0, 11)
        for seed in (5, 6)
    ]
    assert "superb" not in repr(done)  # texts are known by their checksum
