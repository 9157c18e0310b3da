import json
from dataclasses import replace

import numpy as np
import pytest
from tests.support.bigram_networks import random_network

from regard.errors import ShapeError, ValueRangeError, VocabularyError
from regard.models.bigram import PARAMETERS, backward, cross_entropy, forward, next_log_probs, one_hot
from regard.training.bigram.sgd import Examples, SgdConfig, descend, run_sgd, start_sgd

CONFIG = SgdConfig(hidden=6, width=4, batch=8, iterations=60, halve_every=25, checkpoint_every=20, step=0.5)


@pytest.fixture
def examples() -> Examples:
    """Token v follows context v − 1 three times in four."""
    rng = np.random.default_rng(0)
    contexts = rng.integers(0, 6, 400)
    targets = np.where(rng.random(400) < 0.75, (contexts + 1) % 5, rng.integers(0, 5, 400))
    return Examples(contexts, targets, n_contexts=6, vocab=5)


@pytest.mark.parametrize("activation", ["sigmoid", "tanh"])
def test_a_step_is_that_of_the_formula(activation):
    network = random_network(activation=activation)
    contexts, targets = np.array([0, 3, 3, 5]), np.array([1, 1, 4, 0])  # context 3 is read twice
    x, y = network.vectors[contexts], one_hot(targets, vocab=5)
    passed = forward(x, network)
    gradients = backward(x, passed, y, network)
    expected = {name: getattr(network, name) - 0.1 / 4 * getattr(gradients, name) for name in PARAMETERS[1:]}
    vectors = network.vectors.copy()
    for i in (0, 1, 2):  # context 5 does not learn
        vectors[contexts[i]] -= 0.1 / 4 * gradients.x[i]
    learns = np.array([True] * 5 + [False])
    loss = descend(network, contexts, targets, step=0.1, learns=learns)
    assert loss == pytest.approx(cross_entropy(passed.log_probs, y).mean())
    for name, value in (expected | {"vectors": vectors}).items():
        np.testing.assert_allclose(getattr(network, name), value, rtol=1e-12, atol=1e-14, err_msg=name)


def test_checkpoints_and_halving(examples):
    run = list(run_sgd(examples, start_sgd(examples, config=CONFIG), config=replace(CONFIG, iterations=50)))
    assert [checkpoint.iteration for checkpoint in run] == [20, 40, 50]
    assert [len(checkpoint.losses) for checkpoint in run] == [20, 40, 50]
    assert [CONFIG.step_at(i) for i in (0, 24, 25, 50)] == [0.5, 0.5, 0.25, 0.125]
    defaults = SgdConfig()
    assert (defaults.batch, defaults.step, defaults.iterations) == (50, 0.3, 40_000)
    assert [defaults.step_at(i) for i in (19_999, 20_000, 39_999)] == [0.3, 0.15, 0.15]


def test_a_run_that_was_taken_up_again_ends_in_the_same_bits(examples):
    *_, whole = run_sgd(examples, start_sgd(examples, config=CONFIG), config=CONFIG)
    first = next(run_sgd(examples, start_sgd(examples, config=CONFIG), config=CONFIG))
    first = replace(first, generator_state=json.loads(json.dumps(first.generator_state)))
    *_, resumed = run_sgd(examples, first, config=CONFIG)
    assert resumed.iteration == whole.iteration == 60
    assert resumed.generator_state == whole.generator_state
    np.testing.assert_array_equal(resumed.losses, whole.losses)
    for name in PARAMETERS:
        np.testing.assert_array_equal(getattr(resumed.network, name), getattr(whole.network, name))


def test_a_checkpoint_does_not_change_while_the_run_goes_on(examples):
    run = run_sgd(examples, start_sgd(examples, config=CONFIG), config=CONFIG)
    first = next(run)
    before = next_log_probs(first.network)
    list(run)
    np.testing.assert_array_equal(next_log_probs(first.network), before)


def test_it_learns(examples):
    config = replace(CONFIG, iterations=1500, halve_every=1000)
    *_, last = run_sgd(examples, start_sgd(examples, config=config), config=config)
    assert last.losses[:5].mean() > 1.5
    assert last.losses[-50:].mean() < 1.0
    assert last.losses.dtype == last.network.w2.dtype == np.float32


def test_given_vectors_stay_and_missing_ones_learn_unless_tuned(examples):
    vectors = np.random.default_rng(5).standard_normal((6, 4))
    is_given = np.array([True, True, True, False, True, True])
    for use, moves in (("fixed", ~is_given), ("tuned", np.ones(6, bool))):
        config = replace(CONFIG, vectors=use)
        start = start_sgd(examples, config=config, vectors=vectors, is_given=is_given)
        *_, last = run_sgd(examples, start, config=config)
        np.testing.assert_array_equal((last.network.vectors != start.network.vectors).any(axis=1), moves)


def test_it_starts_from_the_frequencies_of_the_tokens(examples):
    start = start_sgd(examples, config=replace(CONFIG, hidden=1))
    frequencies = np.bincount(examples.targets) / len(examples.targets)
    np.testing.assert_allclose(np.exp(next_log_probs(start.network)).mean(axis=0), frequencies, rtol=0.15)


def test_bad_input_is_refused(examples):
    with pytest.raises(ShapeError, match="at least one pair; got 0 contexts and 0 targets"):
        Examples(np.zeros(0, int), np.zeros(0, int), 3, 3)
    with pytest.raises(VocabularyError, match="targets must be ids from 0 to 2; got 0 to 3"):
        Examples(np.array([0, 1]), np.array([0, 3]), 3, 3)
    with pytest.raises(ShapeError, match=r"each of the 6 contexts needs one vector; got vectors of shape \(2, 4\)"):
        start_sgd(examples, config=CONFIG, vectors=np.zeros((2, 4)))
    with pytest.raises(ValueRangeError, match="batch must be at least 1; got 0"):
        SgdConfig(batch=0)
    with pytest.raises(ValueRangeError, match="the step must be a positive number; got -1"):
        SgdConfig(step=-1.0)


@pytest.mark.usefixtures("unchecked")
def test_another_use_of_vectors_is_refused():
    with pytest.raises(ValueRangeError, match="given vectors must be 'fixed' or 'tuned'; got 'frozen'"):
        SgdConfig(vectors="frozen")


def test_a_checkpoint_is_shown_in_one_line(examples):
    start = replace(start_sgd(examples, config=CONFIG), losses=np.zeros(1000, np.float32))
    assert repr(start).startswith("SgdCheckpoint(iteration=0, network=BigramNetwork(")
    assert len(repr(start)) <= 160
    assert "<th>losses</th><td>float32[1000]</td>" in start._repr_html_()
