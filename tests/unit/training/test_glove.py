from itertools import pairwise

import numpy as np
import pytest
from scipy.sparse import csr_array

from regard.errors import ShapeError, ValueRangeError
from regard.text.cooccurrence import Cooccurrence, count_cooccurrences
from regard.training.glove import GloveConfig, GloveProblem, ridge_fit, train_glove, weighted_gram

RNG = np.random.default_rng


def plain_loss(counts, left, right, config):
    """The formula, pair by pair; a side is [w, b] a word."""
    total = 0.0
    for i, j in zip(*np.nonzero(counts), strict=True):
        x = counts[i, j]
        weight = min(1.0, (x / config.x_max) ** config.power)
        total += weight * (left[i, :-1] @ right[j, :-1] + left[i, -1] + right[j, -1] - np.log(x)) ** 2
    return total


def random_counts(rng, n_words=12, share=0.6):
    counts = np.exp(rng.normal(0, 1.5, (n_words, n_words))) * (rng.random((n_words, n_words)) < share)
    return counts + counts.T


def as_cooccurrence(counts):
    return Cooccurrence(csr_array(counts), window=10, n_tokens=100)


def words(n):
    return [f"w{k}" for k in range(n)]


def test_the_fit_is_that_of_least_squares():
    rng = RNG(0)
    factors, targets, weights = rng.normal(size=(40, 5)), rng.normal(size=40), rng.random(40)
    found, loss = ridge_fit(factors, targets, weights, ridge=0.3)
    rows = np.concatenate([np.sqrt(weights)[:, None] * factors, np.sqrt(0.3) * np.eye(5)])
    expected = np.linalg.lstsq(rows, np.append(np.sqrt(weights) * targets, np.zeros(5)), rcond=None)[0]
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    assert loss == pytest.approx(float(weights @ (targets - factors @ expected) ** 2), rel=1e-12)


@pytest.mark.parametrize(("n", "width"), [(0, 3), (1, 3), (1000, 20), (600, 40), (30, 200)])
def test_a_gram_matrix_in_parts(n, width):
    rng = RNG(1)
    columns, weights = rng.normal(size=(n, width)), rng.random(n)
    expected = np.einsum("na,n,nb->ab", columns, weights, columns)
    np.testing.assert_allclose(weighted_gram(columns, weights), expected, rtol=1e-10, atol=1e-10)


def test_a_solved_side_cannot_be_bettered():
    rng, config = RNG(2), GloveConfig(width=3, x_max=2.0, ridge=0.2, dtype="float64")
    counts = random_counts(rng)
    problem = GloveProblem(csr_array(counts), config)
    other = rng.normal(size=(12, 4))
    side, loss = problem.solve(other)
    assert loss == pytest.approx(plain_loss(counts, side, other, config), rel=1e-10)

    def objective(changed):
        return plain_loss(counts, changed, other, config) + 0.2 * (changed**2).sum()

    for index in np.ndindex(side.shape):
        step = np.zeros_like(side)
        step[index] = 1e-5
        slope = (objective(side + step) - objective(side - step)) / 2e-5
        assert abs(slope) < 1e-6


def test_the_objective_never_rises_and_is_reported_right():
    config = GloveConfig(width=4, x_max=3.0, ridge=0.05, n_sweeps=12, dtype="float64")
    _, history = train_glove(as_cooccurrence(random_counts(RNG(3), 20)), words(20), config, RNG(0))
    objectives = [sweep.objective for sweep in history]
    assert [sweep.sweep for sweep in history] == list(range(1, 13))
    assert all(later <= earlier for earlier, later in pairwise(objectives))
    assert objectives[-1] < 0.9 * objectives[0]
    assert all(sweep.loss < sweep.objective for sweep in history)


def test_planted_vectors_are_found_again():
    rng = RNG(4)
    planted, bias = rng.normal(0, 0.7, (20, 3)), rng.normal(0, 0.5, 20)
    log_counts = planted @ planted.T + bias[:, None] + bias
    config = GloveConfig(width=3, x_max=1.0, ridge=1e-10, dtype="float64")
    problem = GloveProblem(csr_array(np.exp(log_counts)), config)
    right, loss = problem.start(RNG(0)), np.inf
    for _ in range(25):
        left, _ = problem.solve(right)
        right, loss = problem.solve(left)
    assert loss < 1e-10
    found = left[:, :-1] @ right[:, :-1].T + left[:, -1:] + right[:, -1]
    np.testing.assert_allclose(found, log_counts, atol=1e-5)


def test_words_in_like_company_come_close():
    rng = RNG(5)
    # Two kinds of words, 0–4 and 5–9; each stands mostly among its own neighbours, 10–14 or 15–19.
    lines = []
    for _ in range(1500):
        kind = rng.integers(0, 2)
        kinds = np.where(rng.random(3) < 0.9, kind, 1 - kind)
        lines.append(np.array([5 * kind + rng.integers(0, 5), *(10 + 5 * kinds + rng.integers(0, 5, 3))]))
    vectors, _ = train_glove(lines, words(20), GloveConfig(width=4, ridge=0.1), RNG(0))
    for k in range(10):
        others = [word for word, _ in vectors.nearest(f"w{k}", 19) if int(word[1:]) < 10]
        assert {int(word[1:]) // 5 for word in others[:4]} == {k // 5}


def test_lines_and_counts_give_the_same_and_a_seed_gives_the_same():
    lines = [RNG(6).integers(0, 9, 30) for _ in range(5)]
    config = GloveConfig(width=3, n_sweeps=3, window=4)
    one, history = train_glove(lines, words(9), config, RNG(1))
    counts = count_cooccurrences(lines, n_words=9, window=4)
    two, again = train_glove(counts, words(9), config, RNG(1))
    assert (one.vectors == two.vectors).all()
    assert history == again
    assert one.vectors.dtype == np.float32
    other, _ = train_glove(counts, words(9), config, RNG(2))
    assert (one.vectors != other.vectors).any()


def test_a_word_without_company_gets_the_zero_vector():
    vectors, _ = train_glove([np.array([0, 1, 0, 1])], words(3), GloveConfig(width=2), RNG(0))
    assert vectors.vectors[2].tolist() == [0, 0]
    assert vectors.vectors[0].any()


def test_progress_ends_at_all_problems():
    seen = []
    counts = as_cooccurrence(random_counts(RNG(7)))
    config = GloveConfig(width=2, n_sweeps=2)
    train_glove(counts, words(12), config, RNG(0), progress=lambda *told: seen.append(told))
    assert seen == [(share, "fitting word vectors") for share in (0.25, 0.5, 0.75, 1.0)]


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"width": 0}, "width must be positive; got 0"),
        ({"width": 10**9}, "width must be from 1 to 10,000; got 1,000,000,000"),
        ({"ridge": 0.0}, "ridge must be positive; got 0.0"),
        ({"x_max": float("nan")}, "x_max must be positive; got nan"),
        ({"dtype": "int8"}, "dtype must be float32 or float64; got 'int8'"),
    ],
)
def test_impossible_settings(setting, message):
    with pytest.raises(ValueRangeError, match=message):
        GloveConfig(**setting)


def test_nothing_to_learn_from():
    with pytest.raises(ValueRangeError, match="expected positive counts of words near each other; got 0 of them"):
        train_glove([np.array([0])], words(3), GloveConfig(), RNG(0))
    with pytest.raises(ShapeError, match="got 12 rows and 3 words"):
        train_glove(as_cooccurrence(random_counts(RNG(8))), words(3), GloveConfig(), RNG(0))
