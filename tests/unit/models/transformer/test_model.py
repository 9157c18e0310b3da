"""The Transformer as a language model: windows, the cache, ids one by one."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis.strategies import integers
from tests.support.texts import VERSE
from tests.support.transformers import random_model, random_network

from regard.errors import CheckpointError, ShapeError, ValueRangeError
from regard.models.network import previous_ids
from regard.models.transformer.model import TransformerModel, scoring_windows
from regard.models.transformer.network import TransformerConfig


def one_by_one(model: TransformerModel, ids: np.ndarray) -> np.ndarray:
    reader, found = model.reader(), []
    for token in ids:
        found.append(reader.next_log_probs()[token])
        reader.read(int(token))
    return np.array(found)


def by_the_rule(model: TransformerModel, ids: np.ndarray) -> np.ndarray:
    """ln p of each id by a pass of its own over its window: the first that holds it, counted from the rule."""
    config, found = model.network.config, []
    read = torch.from_numpy(previous_ids(ids, model.tokeniser))
    for i, token in enumerate(ids):
        start = 0
        while i >= start + config.context:
            start += config.stride
        logits, _ = model.network(read[None, start : i + 1])
        found.append(float(logits[0, -1].double().log_softmax(-1)[token]))
    return np.array(found)


@settings(max_examples=60, deadline=None)
@given(n=integers(0, 60), context=integers(1, 9), stride=integers(1, 9))
def test_each_place_predicts_once_and_from_enough(n: int, context: int, stride: int) -> None:
    stride = min(stride, context)
    config = TransformerConfig(vocab=9, context=context, stride=stride)
    predicting = []
    for windows, n_predicted in scoring_windows(torch.arange(n), config):
        for window in windows.tolist():
            assert len(window) <= context
            assert window == list(range(window[0], window[0] + len(window)))
            assert window[0] == 0 or len(window) - n_predicted == context - stride
            predicting += window[-n_predicted:]
    assert predicting == list(range(n))


def test_the_windows_of_the_docstring() -> None:
    ids = ["s", *"0123456"]
    windows = [
        ("".join(ids[i] for i in window), n)
        for rows, n in scoring_windows(torch.arange(8), TransformerConfig(vocab=9, context=4, stride=2))
        for window in rows.tolist()
    ]
    assert windows == [("s012", 4), ("1234", 2), ("3456", 2)]


@pytest.mark.parametrize("stride", [1, 5, 12])
def test_scoring_and_reading_follow_the_rule(stride: int) -> None:
    """A gap that stays in float64 would be a fault; in float32 it is rounding."""
    model = random_model(stride=stride)
    ids = model.tokeniser.encode(VERSE[:70]).ids
    with torch.no_grad():
        expected = by_the_rule(model, ids)
        np.testing.assert_allclose(model.token_log_probs(ids), expected, atol=3e-5)
        np.testing.assert_allclose(one_by_one(model, ids), expected, atol=3e-5)
        model.network.double()
        expected = by_the_rule(model, ids)
    np.testing.assert_allclose(model.token_log_probs(ids), expected, atol=1e-10)
    np.testing.assert_allclose(one_by_one(model, ids), expected, atol=1e-10)


def test_many_windows_are_read_in_several_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    model = random_model()
    model.network.double()
    ids = model.tokeniser.encode(VERSE[:200]).ids
    expected = model.token_log_probs(ids)
    monkeypatch.setattr("regard.models.transformer.model.IDS_AT_ONCE", 30)
    np.testing.assert_allclose(model.token_log_probs(ids), expected, atol=1e-12)


@pytest.mark.parametrize("n", [0, 1, 11, 12, 13, 18, 19, 500])
def test_a_prompt_is_taken_in_at_once_as_id_by_id(n: int) -> None:
    model = random_model()
    model.network.double()
    ids = model.tokeniser.encode(VERSE[:n]).ids
    slow, fast = model.reader(), model.reader()
    for token in ids:
        slow.next_log_probs()
        slow.read(int(token))
        fast.read(int(token))
    np.testing.assert_allclose(fast.next_log_probs(), slow.next_log_probs(), atol=1e-12)


def test_what_a_reader_says_can_be_changed_without_harm() -> None:
    reader = random_model().reader()
    said = reader.next_log_probs()
    kept = said.copy()
    said[:] = 0
    np.testing.assert_array_equal(reader.next_log_probs(), kept)


@pytest.mark.parametrize("cut", [1, 4, 11])
def test_reading_on_from_a_state_is_reading_in_one_go(cut: int) -> None:
    network = random_network(9).double()
    ids = torch.from_numpy(np.random.default_rng(0).integers(0, 9, (3, 12)))
    with torch.no_grad():
        expected, state = network(ids)
        first, half_way = network(ids[:, :cut])
        second, end = network(ids[:, cut:], half_way)
    torch.testing.assert_close(torch.cat([first, second], dim=1), expected)
    assert len(state) == 4
    assert all(part.shape == (3, 2, 12, 8) for part in state)
    for part, same in zip(state, end, strict=True):
        torch.testing.assert_close(part, same)


def test_more_than_a_window_is_refused() -> None:
    network = random_network(9)
    ids = torch.zeros(1, 13, dtype=torch.long)
    with pytest.raises(ShapeError, match="reads at most 12 ids at once; got 13 after 0 that it has read already"):
        network(ids)
    _, state = network(ids[:, :10])
    with pytest.raises(ShapeError, match="reads at most 12 ids at once; got 3 after 10 that it has read already"):
        network(ids[:, :3], state)


def test_dropout_acts_in_training_alone() -> None:
    network, ids = random_network(9, dropout=0.5), torch.zeros(2, 5, dtype=torch.long)
    with torch.no_grad():
        torch.testing.assert_close(network(ids)[0], network(ids)[0])
        network.train()
        assert (network(ids)[0] - network(ids)[0]).abs().max() > 0.01


def test_positions_matter_and_only_their_differences_do_to_a_head() -> None:
    """Ids later in the window, after others, get other logits than at its start: what came before is read."""
    network = random_network(9)
    with torch.no_grad():
        early, _ = network(torch.tensor([[1, 2, 3]]))
        late, _ = network(torch.tensor([[4, 5, 1, 2, 3]]))
        swapped, _ = network(torch.tensor([[2, 1, 3]]))
    assert (early[0, -1] - late[0, -1]).abs().max() > 0.01
    assert (early[0, -1] - swapped[0, -1]).abs().max() > 0.01


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ({"width": 0}, "width must be at least 1; got 0"),
        ({"heads": 3}, "an even number of coordinates; got width 128 and 3 heads"),
        ({"width": 12, "heads": 4}, "an even number of coordinates; got width 12 and 4 heads"),
        ({"stride": 65}, "the stride must not exceed the context, 64; got 65"),
        ({"theta": 1.0}, r"expected theta above 1, dropout in \[0, 1\); got 1.0 and 0.0"),
        ({"dropout": 1.0}, r"expected theta above 1, dropout in \[0, 1\); got 100.0 and 1.0"),
    ],
)
def test_sizes_that_cannot_be(sizes: dict[str, float], message: str) -> None:
    with pytest.raises(ValueRangeError, match=message):
        TransformerConfig(60, **sizes)


def test_settings_and_numbers_of_another_model() -> None:
    model = random_model()
    config, arrays = model.config(), model.arrays()
    with pytest.raises(CheckpointError, match=r"no settings of a Transformer: .*'depth'.*; train it again"):
        TransformerModel.restore(config | {"depth": 3}, arrays, model.background)
    with pytest.raises(CheckpointError, match="no settings of a Transformer: heads must be at least 1; got 0"):
        TransformerModel.restore(config | {"heads": 0}, arrays, model.background)
    with pytest.raises(CheckpointError, match=r"'lm_head.weight' should have shape \(\d+, 16\), the file has None"):
        TransformerModel.restore(config, {k: v for k, v in arrays.items() if k != "lm_head.weight"}, model.background)
    with pytest.raises(CheckpointError, match=r"the network predicts 9 tokens and its tokeniser has \d+"):
        TransformerModel(random_network(9), model.background)
