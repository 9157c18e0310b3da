"""The distribution of one weight: answers that are known, each method beside another, and errors that hold."""

import mpmath as mp
import numpy as np
import pytest
from scipy.special import ndtr

from regard.noise import GaussianKeys, isotropic, output_law, radial
from regard.noise.one_weight.characteristic import characteristic_product, invert_characteristic
from regard.noise.one_weight.distribution import log_odds, weight_density, weight_exceeds
from regard.noise.one_weight.event import log_difference, weight_event
from regard.noise.one_weight.inversion import invert, kernel_product
from regard.noise.one_weight.quadrature import integrate
from regard.noise.one_weight.sampling import sample_density, sample_probability
from regard.noise.one_weight.tail_bounds import lower_bound, upper_bound

RNG = np.random.default_rng(0)


def ask(mean, sd, threshold, **options):
    return weight_exceeds(np.array(mean), np.array(sd), 0, threshold, rng=np.random.default_rng(0), **options)


@pytest.mark.parametrize(
    ("mean", "sd", "threshold"),
    [
        ((2.166, -0.793), (0.882, 32.29), 0.9),
        ((1.582, 0.154), (3.638, 57.91), 0.001),
        ((-13.79, 14.71), (5.8e-5, 4.824), 0.1),
        ((-3.54, -1.43), (3.6e-4, 0.894), 0.9),
    ],
)
def test_two_keys_are_one_normal_difference(mean, sd, threshold):
    gap = mean[0] - mean[1] + np.log1p(-threshold) - np.log(threshold)
    truth = ndtr(gap / np.hypot(*sd))
    found = ask(mean, sd, threshold)
    assert abs(found.value - truth) <= found.error + 1e-15
    assert found.value == pytest.approx(truth, rel=1e-12, abs=0)
    h = 1e-6
    slope = (ask(mean, sd, threshold * (1 - h)).value - ask(mean, sd, threshold * (1 + h)).value) / (2 * h * threshold)
    density = weight_density(np.array(mean), np.array(sd), 0, threshold, rng=RNG)
    assert density.value == pytest.approx(slope, rel=1e-5, abs=0)


@pytest.mark.parametrize("scale", [100, 300, 3000])
def test_two_keys_of_the_exercise_flip_like_a_coin(scale):
    keys = GaussianKeys(np.eye(2), isotropic(1e-4) + radial(0.5, key=1))
    found = output_law(keys, np.eye(2), scale * np.ones(2)).probability(0, above=0.5)
    assert abs(found.value - 0.5) <= found.error < 1e-13


def test_one_noisy_rival_must_stay_in_the_room_that_certain_keys_leave():
    found = ask((1.0, 0.0, 0.3), (0.0, 0.0, 2.0), 0.4)
    assert found.method == "closed form"
    assert found.value == pytest.approx(ndtr((np.log(1.5 * np.e - 1) - 0.3) / 2), rel=1e-13, abs=0)
    assert ask((0.0, 1.0, 0.3), (0.0, 0.0, 2.0), 0.4).value == 0  # e¹ alone is more than 1.5 e⁰


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


def test_characteristic_functions_serve_where_all_logits_are_narrow():
    found = ask((0.5, 0.0, 0.0), (0.03, 0.02, 0.04), 0.45)
    assert (found.method, found.error < 1e-10) == ("inversion", True)
    draws = np.random.default_rng(1).standard_normal((400_000, 3)) * [0.03, 0.02, 0.04] + [0.5, 0.0, 0.0]
    share = (np.exp(draws[:, 0]) / np.exp(draws).sum(axis=1) > 0.45).mean()
    assert found.value == pytest.approx(share, abs=0.004)


def test_a_turn_that_is_not_resolved_is_an_error_and_not_an_answer():
    event = weight_event(np.array([1.0, 0.0, 0.0]), np.array([0.0, 1e-5, 3.0]), 0)
    _, error = invert_characteristic(event, characteristic_product(event, np.zeros(1)), 0.0, density=False)
    assert error > 1e-3


def test_zero_hits_prove_little_and_a_bound_proves_more():
    rng = np.random.default_rng(3)
    mean = np.append(0.0, rng.normal(-3, 0.2, 400))
    sd = np.append(0.01, rng.uniform(0.2, 0.5, 400))  # 400 different laws, the asked key's narrow
    many = weight_exceeds(mean, sd, 0, 0.05, rng=rng)
    draws = (mean + sd * rng.standard_normal((20_000, 401)))[:, 1:]
    hits = (np.log(np.exp(draws).sum(axis=1)) < np.log(19)).mean()
    assert many.method == "sampling"
    assert abs(many.value - hits) <= many.error + 0.01
    assert many.error > 1e-5
    far = weight_exceeds(mean, sd, 0, 1e-4, rng=rng)  # some 100 standard deviations away: no draw is needed
    assert (far.method, far.value, far.error < 1e-13) == ("bound", 1.0, True)


def test_bounds_enclose_the_probability():
    rng = np.random.default_rng(5)
    for _ in range(15):
        mean, sd = rng.normal(0, 2, 4), 10 ** rng.uniform(-1, 1, 4)
        sd[0] = max(sd[0], 0.9)
        event, odds = weight_event(mean, sd, 0), float(rng.normal(0, 5))
        value, error = invert(event, kernel_product(event), odds, density=False)
        assert lower_bound(event, odds) <= value + error
        assert value - error <= upper_bound(event, odds)


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


@pytest.mark.parametrize("sd", [1e-300, 5e-324])
def test_noise_that_is_nothing_beside_the_widest_counts_as_rounding(sd):
    mean = (0.5, 1.0, 0.1, 0.5, 0.0)
    found, certain = (ask(mean, (0.0, 0.0035, width, width, width), 0.2) for width in (sd, 0.0))
    assert found.value == certain.value
    assert found.error < 1e-12


def test_a_probability_near_one_has_the_error_of_its_last_digit():
    found = ask((1.5, 1.7, 1.5, 1.7), (0.00118, 1e-5, 1e-5, 1e-5), 0.2)
    assert (found.method, found.value) == ("bound", 1.0)
    assert found.error >= 2**-53


def test_no_density_exceeds_the_largest_slope():
    rng = np.random.default_rng(11)
    for place in range(30):
        mean, sd = rng.normal(0, 1, 3), 10 ** rng.uniform(-2, 1, 3)
        sd[place % 3] = 0.0
        event, threshold = weight_event(mean, sd, 0), float(rng.uniform(0.05, 0.6))
        density = weight_density(mean, sd, 0, threshold, rng=rng)
        slope = event.max_slope(float(log_odds(np.array(threshold))))
        assert density.value * threshold * (1 - threshold) <= slope + density.error


@pytest.mark.parametrize("sd", [1e-100, 1e-300])
def test_slopes_whose_powers_underflow_still_have_a_density(sd):
    event = weight_event(np.zeros(3), np.full(3, sd), 0)
    value, error = sample_density(event, np.array([np.log(2)]), np.random.default_rng(0))
    truth = 1 / (sd * np.sqrt(2 * np.pi * 1.5))  # D − ln 2 is the mean of two logits minus the third
    assert np.isfinite(value[0])
    assert abs(value[0] - truth) <= error[0]


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
