"""What the counts trainer minimises, against plain loops and differences."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from regard.errors import ValueRangeError
from regard.models.bigram import BigramNetwork, next_log_probs
from regard.training.bigram import objective
from regard.training.bigram.objective import BigramObjective, Decay, cut_blocks, growth, mean_nats

COUNTS = csr_array(np.array([[3.0, 0.0, 1.0], [0.0, 2.0, 0.0], [0.0, 0.0, 0.0], [1.0, 1.0, 5.0]]))


def network(seed=0):
    rng = np.random.default_rng(seed)
    vectors, w1, b1, w2, b2 = (rng.standard_normal(shape) for shape in ((4, 2), (2, 5), (5,), (5, 3), (3,)))
    return BigramNetwork(vectors, w1, b1, w2, b2, activation="tanh")


def objective_of(decay, learns=(True, True, True, True)):
    return BigramObjective(COUNTS, network(), learns=np.array(learns), centres=network(1), decay=decay)


def test_the_mean_surprise_is_that_of_a_plain_loop(monkeypatch):
    monkeypatch.setattr(objective, "ROWS", 3)  # more than one block
    log_probs, counts = next_log_probs(network()), COUNTS.toarray()
    expected = -(counts * log_probs[:4]).sum() / counts.sum()
    assert mean_nats(network(), COUNTS) == pytest.approx(expected, rel=1e-12)


def test_without_decay_it_is_the_cross_entropy_of_all_tokens():
    found = objective_of(Decay(vectors=0.0, w1=0.0, w2=0.0))
    value, _ = found(found.coordinates(network()))
    assert value == pytest.approx(13 * mean_nats(network(), COUNTS))


@pytest.mark.parametrize("learns", [(True,) * 4, (True, False, False, True)])
def test_the_gradient_is_that_of_differences(learns):
    found = objective_of(Decay(vectors=1.0, w1=2.0, w2=3.0), learns)
    point = found.coordinates(network())
    _, gradient = found(point)
    for place in range(len(point)):
        step = np.zeros_like(point)
        step[place] = 1e-6
        difference = (found(point + step)[0] - found(point - step)[0]) / 2e-6
        assert gradient[place] == pytest.approx(difference, rel=1e-5, abs=1e-6)


def test_a_point_is_the_network_it_was_made_of():
    found = objective_of(Decay(vectors=1.0, w1=1.0, w2=1.0))
    np.testing.assert_allclose(found.network(found.coordinates(network())).w2, network().w2, rtol=1e-12)


def test_blocks_hold_every_count_once(monkeypatch):
    monkeypatch.setattr(objective, "ROWS", 3)
    blocks = list(cut_blocks(COUNTS, np.dtype(np.float64)))
    assert [block.rows for block in blocks] == [slice(0, 3), slice(3, 4)]
    assert [block.n_read.tolist() for block in blocks] == [[4.0, 2.0, 0.0], [7.0]]
    assert sum(block.counts.sum() for block in blocks) == 13


def test_the_pull_grows_with_the_count_and_decays_are_not_negative():
    np.testing.assert_allclose(growth(np.array([99.0, 9999.0]), 0.5), [1.0, 10.0])
    with pytest.raises(ValueRangeError, match=r"decay w2 must be a number from zero up; got -1"):
        Decay(vectors=0.0, w1=0.0, w2=-1.0)
