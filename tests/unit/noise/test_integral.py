"""One integral for all moments: its rule, its nodes, and laws that are evaluated once."""

import numpy as np
import pytest

from regard.noise.integral import SEARCH, distinct_laws, graded_rule, head_rule, weight_integral


def test_large_noise_needs_few_more_nodes():
    small = weight_integral(np.zeros(4), np.array([0.5, 0.6, 0.7, 0.8]))
    large = weight_integral(np.zeros(4), 1e4 * np.array([0.5, 0.6, 0.7, 0.8]))
    assert len(large.rule.u) < 2 * len(small.rule.u)


def test_equal_laws_are_evaluated_once():
    mean = np.array([1.0, 2.0, 1.0 + 1e-16, 2.0])
    laws, law_of_key, count = distinct_laws(np.stack([mean, np.ones(4)], axis=1))
    assert len(laws) == 2
    assert law_of_key.tolist() == [0, 1, 0, 1]
    assert count.tolist() == [2, 2]


def test_the_graded_rule_integrates_a_gumbel_density_and_a_wide_normal_alike():
    rule = graded_rule(-9000.0, 4.0, scale=1.0)
    u, weight = rule.u, rule.weight
    assert weight @ np.exp(u - np.exp(u)) == pytest.approx(1, abs=1e-14)
    wide = np.exp(-(((u + 4000) / 500) ** 2) / 2) / (500 * np.sqrt(2 * np.pi))
    assert weight @ wide == pytest.approx(1, abs=1e-12)


def test_the_ends_are_found_where_float64_has_no_neighbours():
    """Between numbers of size 1e20 lie 16,384: halving the interval down to 1 would never end."""
    mean, sd = np.array([1e20, 0.0]), np.array([1.0, 1e20])
    rule = head_rule(mean, sd, np.ones(2), SEARCH)
    assert np.isfinite(rule.u).all()
