"""Accuracy, calibration and groups, worked by hand."""

import math

import numpy as np
import pytest

from regard.errors import NothingScoredError, ShapeError, ValueRangeError
from regard.evaluation import accuracy as classification

PROBS = np.array([[0.9, 0.1], [0.8, 0.2], [0.35, 0.65], [0.45, 0.55], [0.05, 0.95]])
TRUE = np.array([0, 1, 1, 0, 1])


def test_a_result_by_hand():
    result = classification.evaluate(np.log(PROBS), TRUE, labels=("neg", "pos"))
    assert result.accuracy == 0.6
    assert result.standard_error == pytest.approx(math.sqrt(0.6 * 0.4 / 5))
    assert result.nats == pytest.approx(-np.log([0.9, 0.2, 0.65, 0.45, 0.95]).mean())
    assert result.confusion.tolist() == [[1, 1], [1, 2]]  # rows: the truth
    assert result.labels == ("neg", "pos")
    assert classification.evaluate(np.log(PROBS), TRUE).labels == ("0", "1")


def test_calibration_error_by_hand():
    # bins of 1/15: .55 in (.533, .6], .65 in (.6, .667], .8 in (.733, .8] or the next, .9 in (.867, .933], .95 above
    result = classification.evaluate(np.log(PROBS), TRUE)
    gaps = [0.55 - 0, 1 - 0.65, 0.8 - 0, 1 - 0.9, 1 - 0.95]
    assert result.calibration_error == pytest.approx(sum(gaps) / 5)
    assert [bin_.n for bin_ in result.reliability] == [1, 1, 1, 1, 1]


def test_gaps_of_one_bin_cancel_out():
    probs = np.tile([0.75, 0.25], (4, 1))
    result = classification.evaluate(np.log(probs), np.array([0, 0, 0, 1]))
    assert result.calibration_error == pytest.approx(0)
    assert [(bin_.group, bin_.n, bin_.accuracy) for bin_ in result.reliability] == [("0.73–0.80", 4, 0.75)]


def test_certain_answers_have_a_bin():
    result = classification.evaluate(np.array([[1e-9, -50.0], [0.0, -np.inf]]), np.array([0, 0]))
    assert [(bin_.group, bin_.n) for bin_ in result.reliability] == [("0.93–1.00", 2)]
    assert result.calibration_error == pytest.approx(0)


def test_groups_by_length_confidence_and_count():
    log_probs = np.log(PROBS)
    lengths = classification.group_by_length(log_probs, TRUE, np.array([10, 11, 200, 201, 5000]))
    assert [(each.group, each.n) for each in lengths] == [
        ("up to 10", 1), ("11–20", 1), ("101–200", 1), ("201–300", 1), ("over 500", 1)
    ]  # fmt: skip
    sure = classification.group_by_confidence(log_probs, TRUE)
    assert [(each.group, each.n, each.accuracy) for each in sure] == [
        ("up to 0.6", 1, 0), ("0.6–0.7", 1, 1), ("0.8–0.9", 1, 0), ("0.9–0.95", 1, 1), ("0.95–0.99", 1, 1)
    ]  # fmt: skip
    counts = classification.group_by_count(log_probs, TRUE, np.array([0, 0, 1, 3, 9]))
    assert [(each.group, each.n, each.accuracy) for each in counts] == [
        ("0", 2, 0.5), ("1", 1, 1), ("2–3", 1, 0), ("4 or more", 1, 1)
    ]  # fmt: skip
    assert counts[0].confidence == pytest.approx(0.85)


def test_every_text_is_in_one_group():
    rng = np.random.default_rng(0)
    log_probs = np.log(rng.dirichlet(np.ones(3), size=500))
    true = rng.integers(0, 3, 500)
    for groups in (
        classification.group_by_length(log_probs, true, rng.integers(0, 900, 500)),
        classification.group_by_confidence(log_probs, true),
        classification.group_by_count(log_probs, true, rng.integers(0, 9, 500)),
        classification.group_by_reliability(log_probs, true),
    ):
        assert sum(each.n for each in groups) == 500
        right = sum(each.n * each.accuracy for each in groups)
        assert right == pytest.approx((log_probs.argmax(axis=1) == true).sum())


def test_without_texts_that_training_has():
    seen = np.array([True, False, False, False, True])
    assert classification.evaluate_without(np.log(PROBS), TRUE, is_seen=seen).accuracy == pytest.approx(1 / 3)
    assert classification.evaluate_without(np.log(PROBS), TRUE, is_seen=np.ones(5, dtype=bool)) is None


def test_wilson_solves_its_quadratic():
    for right, n in ((0, 7), (3, 7), (7, 7), (400, 500)):
        for end in classification.wilson(right, n):
            if 0 < end < 1:
                assert (end - right / n) ** 2 == pytest.approx(classification.NORMAL_95**2 * end * (1 - end) / n)


def test_bad_input(unchecked):
    with pytest.raises(ShapeError, match="each text needs one label; got 5 texts and 2 labels"):
        classification.evaluate(np.log(PROBS), np.array([0, 1]))
    with pytest.raises(NothingScoredError, match="no text was classified; is the data empty"):
        classification.evaluate(np.zeros((0, 2)), np.zeros(0, dtype=int))
    with pytest.raises(ValueRangeError, match="labels are places from 0 to 1; got 0 to 2"):
        classification.evaluate(np.log(PROBS), np.array([0, 1, 2, 1, 1]))
