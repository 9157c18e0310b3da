"""The distribution of one weight: answers that are known, each method beside another, and errors that hold."""

import mpmath as mp
import numpy as np
import pytest

from regard.noise import GaussianKeys, isotropic, output_law, radial
from regard.noise.one_weight.characteristic import characteristic_product, invert_characteristic
from regard.noise.one_weight.distribution import log_odds, weight_density, weight_exceeds
from regard.noise.one_weight.event import log_difference, weight_event
from regard.noise.one_weight.inversion import invert, kernel_product
from regard.noise.one_weight.quadrature import integrate
from regard.noise.one_weight.sampling import sample_density, sample_probability

RNG = np.random.default_rng(0)


def ask(mean, sd, threshold, **options):
    return weight_exceeds(np.array(mean), np.array(sd), 0, threshold, rng=np.random.default_rng(0), **options)


@pytest.mark.parametrize("scale", [100, 300, 3000])
def test_two_keys_of_the_exercise_flip_like_a_coin(scale):
    keys = GaussianKeys(np.eye(2), isotropic(1e-4) + radial(0.5, key=1))
    found = output_law(keys, np.eye(2), scale * np.ones(2)).probability(0, above=0.5)
    assert abs(found.value - 0.5) <= found.error < 1e-13


METHODS = {
    "kernels": lambda event, odds, density: invert(event, kernel_product(event), odds, density=density),
    "characteristic": lambda event, odds, density: invert_characteristic(
        event, characteristic_product(event, np.array([odds])), odds, density=density
    ),
    "sampling": lambda event, odds, density: (
        tuple(float(each[0]) for each in sample_density(event, np.array([odds]), RNG))
        if density
        else sample_probability(event, odds, RNG)
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("density", [False, True], ids=["probability", "density"])
@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("sd", [(0.9, 0.5, 0.7), (0.4, 8.0, 0.2), (3.0, 0.01, 40.0), (0.5, 0.5, 0.5)], ids=str)
def test_methods_agree_within_their_errors(sd, name, density):
    event, odds = weight_event(np.array([0.8, -0.4, 0.1]), np.array(sd), 0), 0.3
    value, error = METHODS[name](event, odds, density)
    other, other_error = METHODS["kernels"](event, odds, density)
    assert abs(value - other) <= error + other_error
    assert other_error < 1e-8
    assert name != "sampling" or error < 2e-3


def test_very_wide_and_very_many_logits_do_not_take_long():
    import time

    rng = np.random.default_rng(0)
    for sd in (10 ** rng.uniform(1.3, 3, 60), 10 ** rng.uniform(-3, 3, 3000), np.append(1e-3, rng.uniform(5, 50, 500))):
        start = time.process_time()
        found = weight_exceeds(rng.normal(0, 5, len(sd)), sd, 0, 0.5, rng=rng)
        assert time.process_time() - start < 10  # two or three on a free core
        assert 0 <= found.value <= 1


def test_small_functions_keep_their_digits():
    assert float(log_odds(np.array(0.5 + 2**-40))) == pytest.approx(-(2.0**-38), rel=1e-12, abs=0)
    assert log_difference(0.0, np.array([-np.inf, np.log(0.25), 0.0, 1.0])).tolist() == pytest.approx(
        [0.0, np.log(0.75), -np.inf, -np.inf]
    )
    value, error = integrate(lambda x: 1e-3 / (x**2 + 1e-6), np.array([-1.0, 0.3, 1.0]))
    assert abs(value - 2 * np.arctan(1e3)) <= error < 1e-12


def one_noisy_rival(mean, sd, threshold, *, density):
    """Key 0 against the others, at most one logit of which all is noisy: 50 digits."""
    with mp.workdps(50):
        t, logits = mp.mpf(threshold), [mp.mpf(each) for each in mean]
        odds = logits[0] + mp.log(1 - t) - mp.log(t)
        certain = mp.log(sum(mp.exp(each) for each, width in zip(logits[1:], sd[1:], strict=True) if width == 0))
        rival = next((place for place, width in enumerate(sd) if place and width), None)
        if rival is None:
            z, slope, width = (odds - certain) / mp.mpf(sd[0]), 1, mp.mpf(sd[0])
        else:
            room, width = mp.log(mp.exp(odds) - mp.exp(certain)), mp.mpf(sd[rival])
            z, slope = (room - logits[rival]) / width, mp.exp(odds - room)
        return slope * mp.npdf(z) / width / (t * (1 - t)) if density else mp.ncdf(z)


HALF = float(np.log(0.5))
ROUNDED = {
    "a large common offset": ((-1e6,) * 6, (0.07359976387161729, 0, 0, 0, 0, 0), 0.1721827097628929),
    "certain keys whose sum cancels": ((0.0, HALF, HALF), (1e-10, 0, 0), 0.5),
    "noise narrower than rounding": ((0.3, 0.1), (1e-17, 0), 0.549833997312478),
    "no noise to speak of": ((0.5, 0.5, 0.5, 0.5), (1e-300, 0, 0, 0), 0.25),
    "the certain keys leave hardly any room": ((1000.5, 975.0, 1003.0), (0, 2.549302071666863, 0), 0.07585818002115087),
    "hardly any room, far away": ((-999997, -1000025, -1e6, -999999.9), (0, 0.00143, 0, 0), 0.9051327730001284),
    "a narrow rival": ((3.0, -1.0, 0.1, 0.1, -1.0, 0.1), (0, 7.2e-9, 0, 0, 0, 0), 0.8321537983571176),
    "almost one": ((1.5, 1.7, 1.5, 1.7), (0.00118, 0, 0, 0), 0.2238),
}


@pytest.mark.parametrize("density", [False, True], ids=["probability", "density"])
@pytest.mark.parametrize("case", ROUNDED)
def test_errors_hold_where_rounding_decides(case, density):
    mean, sd, threshold = ROUNDED[case]
    question = weight_density if density else weight_exceeds
    found = question(np.array(mean, float), np.array(sd, float), 0, threshold, rng=RNG)
    assert abs(mp.mpf(found.value) - one_noisy_rival(mean, sd, threshold, density=density)) <= found.error
    assert found.method in ("logistic-normal", "closed form")


def test_a_common_offset_costs_no_digit():
    found = ask((1e8 + 0.5, 1e8, 1e8 + 1), (0.5, 0.25, 1.5), 0.25)
    near = ask((0.5, 0.0, 1.0), (0.5, 0.25, 1.5), 0.25)
    assert (found.value, found.error) == (near.value, near.error)
    assert found.error < 1e-10
    assert ask((1e8, 1e8, 1e8), (0.0, 0.0, 0.0), 1 / 3 - 1e-9).error < 1e-12  # only the order of certain keys is asked


def test_rounding_of_the_logits_is_part_of_the_error():
    rng = np.random.default_rng(0)
    for _ in range(20):
        keys, query, spread = (
            1e3 * rng.standard_normal((2, 8)),
            1e2 * rng.standard_normal(8),
            10 ** rng.uniform(-11, -3),
        )
        apart = keys[0] - keys[1]
        query += (rng.normal() * spread - apart @ query) * apart / (apart @ apart)  # the logits differ by their noise
        variance = spread**2 / 2 / (query @ query)
        law = output_law(GaussianKeys(keys, isotropic(variance)), np.eye(2), query)
        with mp.workdps(50):
            gap = mp.fdot([mp.mpf(a) - mp.mpf(b) for a, b in keys.T.tolist()], map(mp.mpf, query.tolist()))
            sd = mp.sqrt(2 * mp.mpf(variance) * mp.fsum(mp.mpf(each) ** 2 for each in query.tolist()))
            probability, density = mp.ncdf(gap / sd), 4 * mp.npdf(gap / sd) / sd
        chance, height = law.probability(0, above=0.5), law.density(0, at=0.5)
        curve = law.density_curve(0, at=np.array([0.5]))
        assert abs(chance.value - probability) <= chance.error
        assert abs(height.value - density) <= height.error == curve.error[0]
