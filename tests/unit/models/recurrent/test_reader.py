import numpy as np
import pytest
import torch
from tests.support.recurrent_networks import IDS, recurrent_model

from regard.models.recurrent.reader import sigmoid

CLOSE = {torch.float64: 1e-10, torch.float32: 1e-5}


@pytest.mark.parametrize("dtype", CLOSE)
@pytest.mark.parametrize("cell", ["gru", "lstm"])
@pytest.mark.parametrize("settings", [{}, {"layers": 3}, {"contexts": 5}, {"layers": 2, "contexts": 2, "width": 8}])
def test_reading_one_by_one_is_the_forward_pass(dtype, cell, settings):
    model = recurrent_model(dtype, cell=cell, **settings)
    reader, read = model.reader(), []
    for token in IDS[:80]:
        read.append(reader.next_log_probs())
        reader.read(int(token))
    expected = np.concatenate(list(model.next_log_probs_along(IDS[:80])))
    np.testing.assert_allclose(read, expected, rtol=CLOSE[dtype], atol=CLOSE[dtype])


def test_readers_of_one_model_do_not_touch_each_other():
    model = recurrent_model(contexts=3)
    one, other = model.reader(), model.reader()
    fresh = other.next_log_probs()
    for token in IDS[:10]:
        one.read(int(token))
    np.testing.assert_array_equal(other.next_log_probs(), fresh)
    np.testing.assert_array_equal(model.reader().next_log_probs(), fresh)


def test_asking_twice_changes_nothing():
    reader = recurrent_model(contexts=3).reader()
    np.testing.assert_array_equal(reader.next_log_probs(), reader.next_log_probs())


def test_numbers_stay_in_the_precision_of_the_network():
    model = recurrent_model(torch.float32, contexts=3, layers=2)
    reader = model.reader()
    assert {part.dtype for parts in reader._states for part in parts} == {np.dtype(np.float32)}
    assert reader.next_log_probs().dtype == np.float64


def test_sigmoid_far_from_zero():
    with np.errstate(all="raise"):
        np.testing.assert_allclose(sigmoid(np.array([-1e4, 0, np.log(3), 1e4])), [0, 0.5, 0.75, 1], atol=1e-15)
