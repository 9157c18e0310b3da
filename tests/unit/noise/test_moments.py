"""The printed figures of the mathematics, and every method against an independent one."""

import numpy as np
import pytest
from tests.support.oracles import LOGISTIC_MEANS, LOGISTIC_SDS, brute_force_moments, logistic_moments, recorded

from regard.errors import MethodError
from regard.noise.integral import EXACT, weight_integral
from regard.noise.moments import METHODS, head_moments, logistic_normal

CLASSIC_VARIANCE = {
    0.1: 0.000311721504,
    1: 0.025376632006,
    2: 0.068419076984,
    5: 0.149033927285,
    10: 0.195320654850,
    20: 0.222018627920,
    100: 0.244359958993,
    1e4: 0.249943581044,
}


@pytest.mark.parametrize(("scale", "variance"), CLASSIC_VARIANCE.items())
@pytest.mark.parametrize("method", ["logistic-normal", "integral", "fast integral"])
def test_classic_variance_at_every_scale(scale, variance, method):
    sd = np.array([scale * np.sqrt(0.5), 0.0])
    law = head_moments(np.full(2, float(scale)), sd, np.eye(2), method=method)
    assert law.weight_variance[0] == pytest.approx(variance, abs=6e-13)  # half a unit of the last printed digit
    assert law.output_covariance == pytest.approx(variance * np.array([[1, -1], [-1, 1]]), abs=1e-11)


@pytest.mark.parametrize("sd", LOGISTIC_SDS)
@pytest.mark.parametrize("x", LOGISTIC_MEANS)
def test_one_noisy_key_agrees_with_many_digits(x, sd):
    mean, variance = recorded(logistic_moments, x, sd)
    law = logistic_normal(x, sd)
    assert law.mean == pytest.approx(float(mean), rel=1e-13, abs=0)
    assert law.lack == pytest.approx(float(1 - mean), rel=1e-12, abs=0)
    assert law.variance == pytest.approx(float(variance), rel=1e-11, abs=0)


def test_the_record_is_what_the_quadrature_says():
    found, computed = recorded(logistic_moments, 0.0, 1.0), logistic_moments(0.0, 1.0)
    assert [float(value) for value in found] == [float(value) for value in computed]


@pytest.mark.parametrize("method", ["integral", "fast integral"])
def test_three_noisy_keys_agree_with_brute_quadrature(method):
    mean, sd = np.array([0.7, -0.4, 0.1]), np.array([0.9, 0.5, 0.2])
    first, second = brute_force_moments(mean, sd)
    values = np.array([[1.0, 0.0], [0.0, 1.0], [2.0, -1.0]])
    law = head_moments(mean, sd, values, method=method)
    np.testing.assert_allclose(law.weight_mean, first, atol=1e-14)
    np.testing.assert_allclose(law.weight_square, np.diag(second), atol=1e-14)
    covariance = values.T @ (second - np.outer(first, first)) @ values
    np.testing.assert_allclose(law.output_covariance, covariance, atol=1e-14)


def test_a_million_times_less_likely_key_still_has_its_weight():
    law = head_moments(np.array([0.0, -14.0, 1.0]), np.array([0.5, 0.5, 0.5]), np.eye(3))
    fine = weight_integral(np.array([0.0, -14.0, 1.0]), np.full(3, 0.5), precision=EXACT)
    assert law.weight_mean[1] == pytest.approx((fine.mass @ fine.of_keys(1))[1], rel=1e-12, abs=0)
    assert 1e-8 < law.weight_mean[1] < 1e-6


def test_methods_are_chosen_by_what_is_noisy():
    values = np.eye(3)
    assert head_moments(np.zeros(3), np.zeros(3), values).method == "certain"
    assert head_moments(np.zeros(3), np.array([0, 2.0, 0]), values).method == "logistic-normal"
    assert head_moments(np.zeros(3), np.ones(3), values).method == "integral"
    many = np.random.default_rng(0).standard_normal(40)
    assert head_moments(many, np.ones(40), np.eye(40)).method == "fast integral"
    assert head_moments(np.zeros(1), np.ones(1), np.ones((1, 1))).weight_mean == pytest.approx(1)


def test_a_method_that_does_not_apply_is_refused():
    with pytest.raises(MethodError, match="exactly one noisy logit among several; 2 are noisy"):
        head_moments(np.zeros(3), np.array([1.0, 1.0, 0.0]), np.eye(3), method="logistic-normal")
    with pytest.raises(MethodError, match="needs logits without noise; 1 of 3 are noisy"):
        head_moments(np.zeros(3), np.array([1.0, 0.0, 0.0]), np.eye(3), method="certain")
    with pytest.raises(MethodError, match=f"the methods for one head are {METHODS[0]}"):
        head_moments(np.zeros(3), np.zeros(3), np.eye(3), method="magic")
