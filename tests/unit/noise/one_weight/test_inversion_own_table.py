import numpy as np
import pytest

from regard.noise.one_weight.inversion import tabulate


def wave(frequency, calls=None):
    def transform(x):
        if calls is not None:
            calls.append(len(x))
        values = np.exp(-(x**2) / 2 + 1j * frequency * x)
        return values, np.abs(values)

    return transform


@pytest.mark.parametrize("frequency", [0.0, 3.0, 40.0])
def test_the_doubt_covers_the_error(frequency):
    table = tabulate(wave(frequency), -7.0, 7.0, step=0.5, n_nodes=10**6)
    x = np.sort(np.random.default_rng(0).uniform(-7, 7, 2000))
    values, sizes, doubt = table.look_up(x)
    exact, exact_sizes = wave(frequency)(x)
    rounding = np.finfo(float).eps * (1 + 7 * frequency)  # of x itself, times the slope
    assert np.all(np.abs(values - exact) <= doubt + rounding)
    assert doubt.max() < 1e-12
    assert np.all(sizes >= 0.5 * exact_sizes)


def test_the_step_is_halved_until_the_doubt_is_small():
    calls = []
    table = tabulate(wave(40.0, calls), -1.0, 1.0, step=0.5, n_nodes=10**6)
    assert len(calls) > 3
    assert table.step == 0.5 / 2 ** (len(calls) - 1)


def test_ends_are_inside():
    table = tabulate(wave(1.0), -1.0, 1.0, step=0.3, n_nodes=10**6)
    values, _, doubt = table.look_up(np.array([-1.0, 1.0]))
    assert np.all(np.abs(values - wave(1.0)(np.array([-1.0, 1.0]))[0]) <= doubt + 1e-15)


def test_no_table_where_it_costs_more_than_it_saves():
    assert tabulate(wave(40.0), -7.0, 7.0, step=0.5, n_nodes=100) is None
