"""Which ids are read when: the drawing of the module by hand, and what every layout promises."""

import numpy as np
import pytest

from regard.errors import NothingScoredError, ValueRangeError
from regard.training.network.batches import Batches, StreamBatches, WindowBatches

IDS = np.arange(100, 113)  # the 13 ids of the drawing
KINDS = pytest.mark.parametrize("kind", [StreamBatches, WindowBatches])


def made(kind, ids=IDS, *, n_rows=2, length=3, seed=0):
    return kind(ids, start_id=7, n_rows=n_rows, length=length, seed=seed)


def test_streams_by_hand():
    batches = made(StreamBatches)
    assert batches.n_chunks == 3  # 2 rows of 3 chunks of 3 ids: 18 places for 13 ids
    shift = int(batches.batch(0).targets[0, 0]) - 100
    for step in range(3):
        inputs, targets, fresh = batches.batch(step)
        places = (shift + np.array([[0], [9]]) + 3 * step + np.arange(3)) % 13
        np.testing.assert_array_equal(targets, 100 + places)
        np.testing.assert_array_equal(inputs, np.where(places == 0, 7, 99 + places))
        assert fresh == (step == 0)
    assert batches.batch(3).fresh


def test_streams_go_on_where_they_stopped_until_the_next_round():
    batches = made(StreamBatches, np.arange(1000), n_rows=4, length=10)
    for step in range(1, 3 * batches.n_chunks):
        before, now = batches.batch(step - 1), batches.batch(step)
        if now.fresh:
            assert step % batches.n_chunks == 0
        else:
            follows = (before.targets[:, -1] == now.inputs[:, 0]) | (now.targets[:, 0] == 0)
            assert follows.all()
    shifts = {
        int(made(StreamBatches, np.arange(1000), n_rows=4, length=10).batch(25 * r).targets[0, 0]) for r in range(9)
    }
    assert len(shifts) == 9  # every round is cut elsewhere


@KINDS
def test_a_round_reads_every_id(kind):
    batches = made(kind, np.arange(1000), n_rows=8, length=24)
    n_batches = batches.n_chunks if kind is StreamBatches else -(-batches.n_windows // 8)
    found = np.concatenate([batches.batch(step).targets.ravel() for step in range(n_batches)])
    assert set(found.tolist()) == set(range(1000))


def test_windows_of_a_round_are_taken_once_each_in_a_new_order():
    batches = made(WindowBatches, np.arange(960), n_rows=8, length=24)
    rounds = [np.concatenate([batches.batch(step).targets[:, 0] for step in range(5 * r, 5 * r + 5)]) for r in range(2)]
    for starts in rounds:
        assert len(set(starts.tolist())) == 40
        assert set(np.diff(np.sort(starts)).tolist()) == {24}
    assert not np.array_equal(np.argsort(rounds[0]), np.argsort(rounds[1]))
    assert all(batches.batch(step).fresh for step in range(6))


@KINDS
def test_a_batch_depends_on_seed_and_step_alone(kind):
    ids = np.random.default_rng(0).integers(0, 300, 5000)
    one, other = made(kind, ids, length=16), made(kind, ids, length=16)
    assert isinstance(one, Batches)
    later = one.batch(40)
    for step in (3, 40):
        other.batch(step)
    for a, b in zip(later, other.batch(40), strict=True):
        np.testing.assert_array_equal(a, b)
    assert later.inputs.dtype == later.targets.dtype == np.int64
    assert later.inputs.shape == (2, 16)
    assert not np.array_equal(later.targets, made(kind, ids, length=16, seed=1).batch(40).targets)


@KINDS
def test_each_input_is_the_id_before_its_target(kind):
    inputs, targets, _ = made(kind, np.arange(1, 500), n_rows=3, length=50).batch(4)
    np.testing.assert_array_equal(inputs, np.where(targets == 1, 7, targets - 1))


@KINDS
def test_short_texts_make_small_batches(kind):
    batches = made(kind, np.arange(200), n_rows=64, length=256)
    assert (batches.n_rows, batches.length) == (1, 200)
    assert set(batches.batch(5).targets[0].tolist()) == set(range(200))
    assert made(kind, np.array([4]), n_rows=2, length=3).batch(9).targets.tolist() == [[4]]
    with pytest.raises(NothingScoredError, match="there is nothing to learn from: the training text is empty"):
        made(kind, np.zeros(0, np.int64))
    with pytest.raises(ValueRangeError, match="a batch needs at least one row of one id; got 0 rows of 3"):
        made(kind, n_rows=0)
