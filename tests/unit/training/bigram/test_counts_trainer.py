import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import coo_array, csr_array
from tests.support.bigram_networks import random_network

from regard.errors import ShapeError, ValueRangeError
from regard.models.bigram import PARAMETERS, backward, cross_entropy, forward, next_log_probs
from regard.training.bigram import objective as bigram_objective
from regard.training.bigram.counts_trainer import CountsConfig, as_counts, train_on_counts
from regard.training.bigram.objective import BigramObjective, Decay, mean_nats
from regard.training.bigram.start import SparsePlusLow, log_ratio, spectral_start, token_shares, truncated_svd

FREE = Decay(vectors=0.0, w1=0.0, w2=0.0)


def random_counts(seed=0, *, n_contexts=6, vocab=5, high=9) -> np.ndarray:
    rng = np.random.default_rng(seed)
    counts = rng.integers(0, high, (n_contexts, vocab)) * (rng.random((n_contexts, vocab)) < 0.6)
    counts[1] = 0  # a context that was never read
    return counts


def conditional_entropy(counts: np.ndarray) -> float:
    """H(v | c) = −Σ n_cv ln(n_cv / n_c) / Σ n, which no bigram model can beat on these counts."""
    total = 0.0
    for row in counts:
        for n in row[row > 0]:
            total -= n * math.log(n / row.sum())
    return total / counts.sum()


def objective_of(counts, network, decay=FREE, learns=None) -> BigramObjective:
    learns = np.ones(len(counts), bool) if learns is None else learns
    centres = replace(network, **{name: 0 * getattr(network, name) for name in PARAMETERS})
    return BigramObjective(as_counts(counts), network, learns=learns, centres=centres, decay=decay)


@pytest.mark.parametrize("rows", [2, 256])
def test_value_and_gradient_are_those_of_the_model(monkeypatch, rows):
    monkeypatch.setattr(bigram_objective, "ROWS", rows)
    counts, network = random_counts(), random_network(activation="tanh")
    objective = objective_of(counts, network)
    value, gradient = objective(objective.coordinates(network))
    x, y = network.vectors, counts.astype(float)
    passed = forward(x, network)
    assert value == pytest.approx(cross_entropy(passed.log_probs, y).sum(), rel=1e-13)
    expected = backward(x, passed, y, network)
    by_context, by_token = 1 / np.sqrt(counts.sum(axis=1) + 1), 1 / np.sqrt(counts.sum(axis=0) + 1)
    shared = bigram_objective.SHARED_SCALE / math.sqrt(counts.sum())
    scaled = [expected.x * by_context[:, None], expected.w1 * shared, expected.b1 * shared]
    scaled += [expected.w2 * by_token, expected.b2 * by_token]
    np.testing.assert_allclose(gradient, np.concatenate([part.ravel() for part in scaled]), rtol=1e-11, atol=1e-11)


def test_gradient_with_decay_and_vectors_that_stay_by_differences():
    counts, network = random_counts(1), random_network(1, activation="tanh")
    learns = np.array([True, True, False, True, False, True])
    objective = objective_of(counts, network, Decay(vectors=2.0, w1=3.0, w2=5.0, power=0.5), learns)
    point = objective.coordinates(network)
    gradient = objective(point)[1]
    for i in range(len(point)):
        step = np.zeros_like(point)
        step[i] = 1e-5
        slope = (objective(point + step)[0] - objective(point - step)[0]) / 2e-5
        assert gradient[i] == pytest.approx(slope, rel=1e-6, abs=1e-6)


def test_decay_by_hand():
    """Contexts seen 0, 24 and 399 times are, with one more each, 1/100, 1/4 and 4 hundreds: roots 0.1, 0.5 and 2."""
    counts = np.array([[0, 0], [14, 10], [200, 199]])
    network = random_network(vocab=2, activation="tanh")
    network = replace(network, vectors=np.array([[1.0, 0, 0], [0, 2.0, 0], [0, 0, 3.0]]))
    without = objective_of(counts, network)
    value = objective_of(counts, network, Decay(vectors=4.0, w1=0.0, w2=0.0, power=0.5))
    point = without.coordinates(network)
    assert value(point)[0] - without(point)[0] == pytest.approx(0.5 * 4 * (0.1 * 1 + 0.5 * 4 + 2 * 9))


def test_coordinates_and_back():
    network = random_network(activation="tanh")
    learns = np.array([True, False] * 3)
    objective = objective_of(random_counts(), network, learns=learns)
    point = objective.coordinates(network)
    assert len(point) == 3 * 3 + 3 * 4 + 4 + 4 * 5 + 5
    for name in PARAMETERS:
        np.testing.assert_allclose(getattr(objective.network(point), name), getattr(network, name), rtol=1e-14)
    moved = objective.network(point + 1)
    np.testing.assert_array_equal((moved.vectors != network.vectors).any(axis=1), learns)


def test_mean_nats_is_the_plain_loop():
    counts, network = random_counts(), random_network()
    log_probs = next_log_probs(network)
    total = sum(counts[c, v] * -log_probs[c, v] for c in range(6) for v in range(5))
    assert mean_nats(network, as_counts(counts)) == pytest.approx(total / counts.sum(), rel=1e-13)


@pytest.mark.parametrize("activation", ["sigmoid", "tanh"])
def test_with_units_enough_it_reaches_the_floor_of_all_bigram_models(activation):
    counts = random_counts(2, n_contexts=8, vocab=7) + 1
    config = CountsConfig(hidden=8, activation=activation, decay=FREE, max_iterations=150)
    result = train_on_counts(counts, config=config)
    floor = conditional_entropy(counts)
    assert result.network.activation == activation
    assert floor <= mean_nats(result.network, as_counts(counts)) + 1e-6
    assert mean_nats(result.network, as_counts(counts)) == pytest.approx(floor, abs=1e-4)
    np.testing.assert_allclose(np.exp(next_log_probs(result.network)), counts / counts.sum(1, keepdims=True), atol=0.01)


def test_counts_of_two_halves_added_are_the_counts_of_the_whole():
    rng = np.random.default_rng(4)
    pairs = rng.integers(0, 6, (500, 2))
    whole, first, second = (
        coo_array((np.ones(len(part), int), part.T), shape=(6, 6)).tocsr() for part in (pairs, pairs[:200], pairs[200:])
    )
    config = CountsConfig(hidden=4, max_iterations=30)
    one, other = (train_on_counts(counts, config=config) for counts in (whole, (first + second).toarray()))
    for name in PARAMETERS:
        np.testing.assert_array_equal(getattr(one.network, name), getattr(other.network, name))
    assert one.history == other.history


def test_stored_zeros_are_no_counts_and_the_caller_keeps_them():
    counts = csr_array((np.array([2, 0, 3]), np.array([0, 1, 1]), np.array([0, 2, 3])), shape=(2, 2))
    assert as_counts(counts).nnz == 2
    assert counts.nnz == 3
    np.testing.assert_array_equal(as_counts(counts).toarray(), [[2, 0], [0, 3]])


def test_history_falls_and_is_told_step_by_step():
    told = []
    result = train_on_counts(random_counts(), config=CountsConfig(hidden=4, max_iterations=12), on_step=told.append)
    values = [step.objective_nats for step in result.history]
    assert tuple(told) == result.history
    assert values == sorted(values, reverse=True)
    assert [step.iteration for step in result.history] == list(range(1, 13))
    assert result.iteration == 12
    assert {step.validation_nats for step in result.history} == {None}


def test_it_stops_early_and_keeps_what_predicts_held_out_counts_best():
    rng = np.random.default_rng(6)
    truth = rng.dirichlet(np.full(12, 0.5), 12)
    counts, held_out = (np.array([rng.multinomial(n, p) for p in truth]) for n in (15, 40))
    config = CountsConfig(hidden=12, decay=FREE, max_iterations=200, check_every=2, patience=3)
    result = train_on_counts(counts, config=config, validation=held_out)
    measured = {step.iteration: step.validation_nats for step in result.history if step.validation_nats is not None}
    assert set(measured) == set(range(2, result.history[-1].iteration + 1, 2))
    assert result.iteration == min(measured, key=measured.__getitem__)
    assert result.history[-1].iteration == result.iteration + 6 < 200
    kept = mean_nats(result.network, as_counts(held_out))
    assert kept == pytest.approx(measured[result.iteration], rel=1e-6)


def test_fixed_vectors_stay_and_missing_ones_learn():
    counts, rng = random_counts(), np.random.default_rng(7)
    vectors = rng.standard_normal((6, 3))
    is_given = np.array([True, False, True, True, False, True])
    size = math.sqrt((vectors[is_given] ** 2).mean())
    config = CountsConfig(hidden=4, vectors="fixed", max_iterations=5)
    result = train_on_counts(counts, config=config, vectors=vectors, is_given=is_given)
    same = np.isclose(result.network.vectors, vectors / size, rtol=1e-6).all(axis=1)
    np.testing.assert_array_equal(same, is_given)
    assert result.uses_vectors


def alike_words(n_kinds=4, n_words=40, n_tokens=6, seed=8) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Counts of a few tokens after each word and of many; words of a kind have the same successors, and vectors."""
    rng = np.random.default_rng(seed)
    kind = rng.integers(0, n_kinds, n_words)
    truth = rng.dirichlet(np.full(n_words, 0.1), n_kinds)[kind]
    few, many = (np.array([rng.multinomial(n, row) for row in truth]) for n in (n_tokens, 200))
    vectors = np.eye(n_kinds)[kind] + 0.1 * rng.standard_normal((n_words, n_kinds))
    return few, many, vectors


def test_vectors_that_tell_which_words_are_alike_help_and_others_change_nothing():
    few, many, vectors = alike_words()
    config, unseen = CountsConfig(hidden=10, max_iterations=15), as_counts(many)
    without = train_on_counts(few, config=config)
    helped = train_on_counts(few, config=config, vectors=vectors)
    assert mean_nats(helped.network, unseen) < mean_nats(without.network, unseen) - 0.05
    noise = np.random.default_rng(1).standard_normal(vectors.shape)
    useless = train_on_counts(few, config=config, vectors=noise)
    for name in PARAMETERS:
        np.testing.assert_array_equal(getattr(useless.network, name), getattr(without.network, name))
    assert (without.uses_vectors, helped.uses_vectors, useless.uses_vectors) == (False, True, False)


def test_a_word_that_was_never_read_is_like_those_with_vectors_like_its_own():
    few, _, vectors = alike_words()
    few[3] = 0
    others = np.delete(np.arange(40), 3)
    found = train_on_counts(few, config=CountsConfig(hidden=10, max_iterations=15), vectors=vectors).network.vectors
    products = found @ found[3] / np.linalg.norm(found, axis=1) / np.linalg.norm(found[3])
    same_kind = others[(vectors.argmax(axis=1) == vectors[3].argmax())[others]]
    assert others[products[others].argmax()] in same_kind
    assert products[same_kind].mean() > 0.6


@pytest.mark.parametrize("times", [1, 100])
@pytest.mark.parametrize(("hidden", "width"), [(3, 5), (5, 3), (9, 20)])
def test_any_size_of_network_and_text(hidden, width, times):
    counts = times * random_counts(3)
    config = CountsConfig(hidden=hidden, width=width, max_iterations=15)
    network = train_on_counts(counts, config=config).network
    assert (network.w1.shape, network.vectors.shape) == ((width, hidden), (6, width))
    np.testing.assert_allclose(np.exp(next_log_probs(network)).sum(axis=1), 1, rtol=1e-5)
    unigram = -(counts * np.log(token_shares(counts.sum(axis=0)))).sum() / counts.sum()
    assert mean_nats(network, as_counts(counts)) < unigram


def test_the_start_is_already_close_to_the_counts():
    rng = np.random.default_rng(9)
    truth = rng.dirichlet(np.full(30, 0.3), 30)
    counts = as_counts(np.array([rng.multinomial(2000, p) for p in truth]))
    unigram = -(counts.sum(axis=0) * np.log(token_shares(counts.sum(axis=0)))).sum() / counts.sum()
    start = mean_nats(spectral_start(counts, rng, hidden=30, width=30), counts)
    floor = conditional_entropy(counts.toarray())
    assert start - floor < 0.35 * (unigram - floor)


def test_log_ratio_is_that_of_discounted_counts():
    counts = csr_array(np.array([[1, 1, 2, 0], [0, 0, 5, 1], [0, 0, 0, 0]]))
    share = token_shares(counts.sum(axis=0))
    seen, left, right = log_ratio(counts, share)
    discount = 3 / (3 + 2 * 1)
    followed = np.array([1.5, 1.5, 2.5, 1.5]) / 7
    expected = np.array(
        [
            (np.maximum(np.array([1, 1, 2, 0]) - discount, 0) + 3 * discount * followed) / 4,
            (np.maximum(np.array([0, 0, 5, 1]) - discount, 0) + 2 * discount * followed) / 6,
            followed,
        ]
    )
    np.testing.assert_allclose(expected.sum(axis=1), 1)
    np.testing.assert_allclose(np.exp(seen.toarray() + left @ right) * share, expected)


def test_truncated_svd_is_that_of_the_dense_matrix():
    rng = np.random.default_rng(10)
    sparse = rng.standard_normal((20, 15)) * (rng.random((20, 15)) < 0.2)
    left, right = rng.standard_normal((20, 2)), rng.standard_normal((2, 15))
    u, s, v = truncated_svd(SparsePlusLow(csr_array(sparse), left, right), 9, rng)
    exact = np.linalg.svd(sparse + left @ right)
    np.testing.assert_allclose(s, exact[1][:9], rtol=1e-6)
    np.testing.assert_allclose(u * s @ v, exact[0][:, :9] * exact[1][:9] @ exact[2][:9], atol=1e-5)


def test_bad_input_is_refused():
    with pytest.raises(ValueRangeError, match=r"no bigram to learn from: all counts of the \(2, 2\) matrix are zero"):
        train_on_counts(np.zeros((2, 2)), config=CountsConfig(hidden=2))
    with pytest.raises(ValueRangeError, match="counts must be finite and not negative"):
        as_counts(np.array([[1.0, -1.0]]))
    with pytest.raises(
        ShapeError, match=r"validation counts must have the shape of the others, \(6, 5\); got \(5, 5\)"
    ):
        train_on_counts(random_counts(), config=CountsConfig(hidden=2), validation=np.ones((5, 5)))
    with pytest.raises(ShapeError, match=r"each of the 6 contexts needs one vector; got vectors of shape \(3, 2\)"):
        train_on_counts(random_counts(), config=CountsConfig(hidden=2), vectors=np.ones((3, 2)))
    with pytest.raises(ValueRangeError, match="given vectors must be finite"):
        train_on_counts(random_counts(), config=CountsConfig(hidden=2), vectors=np.full((6, 2), np.nan))
    with pytest.raises(ValueRangeError, match="hidden must be at least 1; got 0"):
        CountsConfig(hidden=0)
    with pytest.raises(ValueRangeError, match="decay w2 must be a number from zero up; got -1"):
        Decay(vectors=1.0, w1=1.0, w2=-1.0)


def test_a_result_is_shown_in_one_line():
    result = train_on_counts(random_counts(), config=CountsConfig(hidden=4, max_iterations=12))
    assert repr(result).startswith("CountsTraining(network=BigramNetwork(")
    assert len(repr(result)) <= 160
    assert f"<th>history</th><td>[{len(result.history)} items]</td>" in result._repr_html_()
