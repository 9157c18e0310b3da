"""Training on the mean of words: which words a text keeps, when a run is over, what a checksum covers."""

import numpy as np

from regard.records import LabelledTexts
from regard.training.averaging.config import AveragingConfig
from regard.training.averaging.words import Round, TrainingState, WordTexts, data_digest, draw_batches

TEXTS = WordTexts(np.array([5, 6, 7, 8, 9]), np.array([0, 2, 2, 5]), np.array([0, 1, 1]), np.zeros((3, 2), np.float32))


def test_texts_are_selected_in_the_order_asked_for():
    found = TEXTS.select(np.array([2, 1, 0]))
    assert found.rows.tolist() == [7, 8, 9, 5, 6]
    assert found.offsets.tolist() == [0, 3, 3, 5]
    assert found.label_ids.tolist() == [1, 1, 0]


def test_words_are_dropped_where_they_stand():
    found = TEXTS.drop_words(np.array([True, False, False, True, True]))
    assert found.rows.tolist() == [5, 8, 9]
    assert found.offsets.tolist() == [0, 1, 1, 3]


def test_batches_take_every_text_once():
    config = AveragingConfig(batch_size=2, word_dropout=0.0)
    batches = list(draw_batches(TEXTS, np.array([1, 2, 0]), config, np.random.default_rng(0)))
    assert [batch.label_ids.tolist() for batch in batches] == [[1, 1], [0]]
    assert [batch.rows.tolist() for batch in batches] == [[7, 8, 9], [5, 6]]


def rounds(*nats):
    return [Round(epoch, 1.0, each, 0.5) for epoch, each in enumerate(nats, start=1)]


def test_a_run_is_over_after_all_rounds_or_without_a_better_one():
    config = AveragingConfig(epochs=5, patience=2)
    assert not TrainingState().is_over(config)
    assert not TrainingState(rounds(3.0, 2.0, 2.5)).is_over(config)
    assert TrainingState(rounds(3.0, 2.0, 2.5, 2.4)).is_over(config)
    assert TrainingState(rounds(3.0, 2.0, 2.5, 2.4)).best_round.epoch == 2
    assert TrainingState(rounds(5.0, 4.0, 3.0, 2.0, 1.0)).is_over(config)


def test_the_checksum_covers_texts_labels_and_order():
    def digest(texts, label_ids=(0, 1), labels=("no", "yes")):
        return data_digest(LabelledTexts(tuple(texts), np.array(label_ids), labels))

    one = digest(["ab", "c"])
    assert one == digest(["ab", "c"])
    assert one not in {
        digest(["a", "bc"]),
        digest(["c", "ab"]),
        digest(["ab", "c"], (1, 0)),
        digest(["ab", "c"], labels=("n", "y")),
    }
