"""Trust between two tables of probabilities: as likely as the best of a fine grid."""

import numpy as np
from scipy.sparse import csr_array

from regard.training.bigram.choice import EDGES, fit_trust, group_contexts


def test_contexts_are_grouped_by_how_often_they_were_seen() -> None:
    counts = csr_array(np.diag([1, 9, 10, 29, 5000, 20_000]))
    np.testing.assert_array_equal(group_contexts(counts), [0, 0, 1, 1, 6, 7])
    assert len(EDGES) + 1 == 8


def test_the_trust_is_the_best_of_a_fine_grid_in_each_group() -> None:
    rng = np.random.default_rng(5)
    tables = rng.dirichlet(np.ones(6), size=(2, 4))
    held_out = rng.integers(0, 400, (4, 6))
    group = np.array([0, 0, 3, 3])
    trust = fit_trust(csr_array(held_out), by_network=tables[0], by_counts=tables[1], group=group)
    grid = np.linspace(0.0005, 0.9995, 1000)
    for g in (0, 3):
        rows = group == g
        mixed = grid[:, None, None] * tables[0][rows] + (1 - grid[:, None, None]) * tables[1][rows]
        likelihood = (held_out[rows] * np.log(mixed)).sum(axis=(1, 2)) + np.log(grid) + np.log(1 - grid)
        assert abs(trust[g] - grid[likelihood.argmax()]) < 1e-3
    assert trust[1] == 0.5  # no validation token says anything about this group


def test_what_only_one_side_can_explain_is_left_to_it() -> None:
    network, counts = np.array([[0.9, 0.1]]), np.array([[0.1, 0.9]])
    trust = fit_trust(csr_array(np.array([[1000, 0]])), by_network=network, by_counts=counts, group=np.array([2]))
    assert trust[2] > 0.99
