"""Predicted errors against draws and the exact law, on queries that are made by hand."""

import math

import numpy as np
import pytest
import torch

from regard.errors import ArgumentError, ValueRangeError
from regard.pretrained.noise_laws import (
    Noise,
    Rows,
    choose_methods,
    exact_square,
    first_order,
    join_levels,
    measure_errors,
    one_key,
    parse_noise,
)


def rows(logits, values, *, query_size=1.0, key_size=1.0):
    """One text, one head, one query."""
    return Rows(
        torch.tensor(logits, dtype=torch.float64)[None, None, None],
        torch.tensor(values, dtype=torch.float64)[None, None],
        torch.tensor([[[query_size]]], dtype=torch.float64),
        torch.tensor([key_size], dtype=torch.float64),
    )


def sample_square(row, noise, *, n_draws=200_000):
    """E‖o′ − o‖² by draws."""
    generator = torch.Generator().manual_seed(1)
    logits, sd, values = row.logits[0, 0, 0], row.noise_sd(noise)[0, 0, 0], row.values[0, 0]
    drawn = logits + sd * torch.randn(n_draws, len(sd), generator=generator, dtype=torch.float64)
    change = torch.softmax(drawn, -1) @ values - torch.softmax(logits, -1) @ values
    return float(change.square().sum(-1).mean())


def test_the_noise_of_logits_by_hand():
    row = rows([2.0, -4.0, -math.inf], np.eye(3), query_size=3.0, key_size=2.0)
    assert row.noise_sd(Noise("radial", 0.1)).flatten().tolist() == pytest.approx([0.2, 0.4, 0])
    expected = 0.1 * 2.0 * 3.0 / math.sqrt(3)
    assert row.noise_sd(Noise("isotropic", 0.1)).flatten().tolist() == pytest.approx([expected, expected, 0])


def test_all_ways_agree_for_little_noise():
    row = rows([0.5, -0.2, 1.0], [[1.0, 0], [0, 1], [2, 2]])
    noise = Noise("isotropic", 0.05)
    exact = exact_square(row, 0, 0, head=0, noise=noise)
    assert float(first_order(row, noise)) == pytest.approx(exact, rel=0.01)
    assert float(one_key(row, noise)) == pytest.approx(exact, rel=0.01)


def test_one_noisy_key_is_exact():
    """With one logit other than 0, radial noise moves one key only."""
    row = rows([9.0, 0.0, 0.0], [[1.0, 0], [0, 1], [2, 2]])
    noise = Noise("radial", 0.4)
    exact = exact_square(row, 0, 0, head=0, noise=noise)
    assert float(one_key(row, noise)) == pytest.approx(exact, rel=1e-3)
    assert sample_square(row, noise) == pytest.approx(exact, rel=0.1)  # rare draws make it
    assert float(first_order(row, noise)) < exact / 50  # a saturated weight: first order is far too low


def test_exact_law_is_that_of_draws():
    generator = np.random.default_rng(0)
    row = rows(generator.normal(0, 2, 8), generator.normal(size=(8, 3)), query_size=2.0)
    noise = Noise("isotropic", 1.0)
    assert exact_square(row, 0, 0, head=0, noise=noise) == pytest.approx(sample_square(row, noise), rel=0.02)
    assert float(measure_errors([row] * 50, noise)[0]) == pytest.approx(sample_square(row, noise), rel=0.1)


def test_methods_are_chosen_by_what_holds():
    calm = rows([0.5, -0.2, 1.0], [[1.0, 0], [0, 1], [2, 2]])
    assert choose_methods([calm], Noise("radial", 0.05))[0].method == "first order"
    saturated = rows([9.0, 0.0, 0.0], [[1.0, 0], [0, 1], [2, 2]])
    found = choose_methods([saturated], Noise("radial", 0.4))[0]
    assert found.method == "one key"
    assert found.first_order < found.square / 50
    wild = rows([1.0, 0.5, -0.5, 0.0], np.eye(4), query_size=8.0)
    found = choose_methods([wild], Noise("isotropic", 1.0))[0]
    assert found.method == "exact law"
    assert found.square == pytest.approx(exact_square(wild, 0, 0, head=0, noise=Noise("isotropic", 1.0)))


def test_many_different_noises_are_rounded():
    few = np.linspace(0.1, 1, 10)
    assert join_levels(few) is few
    many = np.geomspace(0.001, 5, 100)
    rounded = join_levels(many)
    assert len(np.unique(rounded)) < 30
    assert (rounded[many < 0.01] == 0).all()
    assert np.abs(np.log(rounded[many >= 0.01] / many[many >= 0.01])).max() <= math.log(1.3) / 2 + 1e-9


def test_noise_as_it_is_typed():
    assert parse_noise("radial:0.1").name == "radial:0.1"
    for text in ("radial", "radial:x", "gaussian:1", "radial:nan"):
        with pytest.raises(ArgumentError, match=r"noise is written as radial:0\.1 or isotropic:0\.1; got"):
            parse_noise(text)
    with pytest.raises(ValueRangeError, match="must be a positive number; got -1"):
        parse_noise("radial:-1")
