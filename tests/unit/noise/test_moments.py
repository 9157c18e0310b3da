"""The printed figures of the mathematics, and every method against an independent one."""

import numpy as np
import pytest
from tests.support.oracles import brute_force_moments, logistic_moments

from regard.errors import MethodError
from regard.noise.gradient import Cotangents, moment_gradient
from regard.noise.integral import EXACT, QUICK, Precision, distinct_laws, graded_rule, weight_integral
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


@pytest.mark.parametrize("sd", [1e-6, 0.3, 1.0, 1.01, 2.0, 14.0, 700.0])
@pytest.mark.parametrize("x", [-12.0, -1.0, 0.0, 3.0])
def test_one_noisy_key_agrees_with_fifty_digits(x, sd):
    mean, variance = logistic_moments(x, sd)
    law = logistic_normal(x, sd)
    assert law.mean == pytest.approx(float(mean), rel=1e-13, abs=0)
    assert law.lack == pytest.approx(float(1 - mean), rel=1e-12, abs=0)
    assert law.variance == pytest.approx(float(variance), rel=1e-11, abs=0)


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


@pytest.mark.parametrize(
    ("n", "low", "high", "spread"),
    [(40, 0.05, 2, 2), (200, 0, 1, 1), (120, 0.5, 8, 5), (60, 1000, 8000, 5000), (80, 2.0, 3.0, 1), (50, 0.1, 0.1, 30)],
)
def test_fast_and_plain_integral_agree_within_the_stated_error(n, low, high, spread):
    rng = np.random.default_rng(n)
    mean, sd = spread * rng.standard_normal(n), rng.uniform(low, high, n)
    values = rng.standard_normal((n, 3))
    plain = head_moments(mean, sd, values, method="integral")
    fast = head_moments(mean, sd, values, method="fast integral")
    assert fast.error < 1e-10
    np.testing.assert_allclose(fast.weight_mean, plain.weight_mean, atol=fast.error)
    np.testing.assert_allclose(fast.weight_square, plain.weight_square, atol=fast.error)
    size = np.abs(values).max()
    np.testing.assert_allclose(fast.output_covariance, plain.output_covariance, atol=fast.error * 4 * size**2)


def test_noise_of_every_size_at_once():
    # A graded grid: certain, narrow and very wide logits in one integral.
    rng = np.random.default_rng(5)
    mean = np.concatenate([rng.normal(size=20), 3000 * rng.normal(size=10)])
    sd = np.concatenate([np.zeros(10), np.full(10, 0.3), rng.uniform(500, 4000, 10)])
    fast = head_moments(mean, sd, np.eye(30), method="fast integral")
    fine = weight_integral(mean, sd, precision=Precision(step=0.125, depth=60.0, same_law=1e-15, stencil=0))
    np.testing.assert_allclose(fast.weight_mean, fine.mass @ fine.of_keys(1), atol=1e-13)
    assert len(weight_integral(mean, sd).rule.u) < 900


def test_large_noise_needs_few_more_nodes():
    small = weight_integral(np.zeros(4), np.array([0.5, 0.6, 0.7, 0.8]))
    large = weight_integral(np.zeros(4), 1e4 * np.array([0.5, 0.6, 0.7, 0.8]))
    assert len(large.rule.u) < 2 * len(small.rule.u)


def test_a_million_times_less_likely_key_still_has_its_weight():
    law = head_moments(np.array([0.0, -14.0, 1.0]), np.array([0.5, 0.5, 0.5]), np.eye(3))
    fine = weight_integral(np.array([0.0, -14.0, 1.0]), np.full(3, 0.5), precision=EXACT)
    assert law.weight_mean[1] == pytest.approx((fine.mass @ fine.of_keys(1))[1], rel=1e-12, abs=0)
    assert 1e-8 < law.weight_mean[1] < 1e-6


def test_keys_far_below_the_others_get_zero_not_nonsense():
    mean = np.concatenate([np.zeros(30), [-900.0]])
    law = head_moments(mean, np.full(31, 0.4), np.eye(31), method="fast integral")
    assert law.weight_mean[-1] == 0
    assert law.weight_mean.sum() == pytest.approx(1, abs=1e-14)


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


def test_gradients_of_every_moment_agree_with_finite_differences():
    rng = np.random.default_rng(1)
    mean, variance, values = rng.standard_normal(5), rng.uniform(0.01, 6, 5), rng.standard_normal((5, 3))
    cotangents = Cotangents(*(rng.standard_normal(shape) for shape in (5, 5, 3, (3, 3))))

    def scalar(mean, variance, values):
        law = head_moments(mean, np.sqrt(variance), values, method="integral")
        return (
            cotangents.weight_mean @ law.weight_mean
            + cotangents.weight_square @ law.weight_square
            + cotangents.output_mean @ law.output_mean
            + (cotangents.output_covariance * law.output_covariance).sum()
        )

    found = moment_gradient(mean, np.sqrt(variance), values, cotangents)
    arguments = [mean, variance, values]
    for position, gradient in enumerate((found.mean, found.variance, found.values)):
        for index in np.ndindex(gradient.shape):

            def at(h, position=position, index=index):
                moved = [array.copy() for array in arguments]
                moved[position][index] += h
                return scalar(*moved)

            h = 2e-3
            slope = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h)
            assert gradient[index] == pytest.approx(slope, abs=2e-9)


def test_the_identity_for_the_weights_own_gradient():
    mean, sd = np.array([0.3, -0.2, 0.9]), np.array([0.8, 0.1, 1.5])
    integral = weight_integral(mean, sd, precision=QUICK)
    first, second = integral.of_keys(1), integral.of_keys(2)
    together = (first * integral.mass[:, None]).T @ first
    np.fill_diagonal(together, integral.mass @ second)
    for i in range(3):
        only = Cotangents(weight_mean=np.eye(3)[i])
        expected = np.eye(3)[i] * (integral.mass @ first)[i] - together[i]
        np.testing.assert_allclose(moment_gradient(mean, sd, np.eye(3), only).mean, expected, atol=1e-13)


@pytest.mark.parametrize("sd", [0.06, 0.1875, 0.24, 0.99])
def test_tables_keep_squares_of_narrow_logits_too(sd):
    # Found by the property tests: M_2 of a narrow logit is large where L is small, and a coarse band missed it.
    mean, spread = np.array([0.03771907, -0.03963146]), np.array([5.0, sd])
    found = head_moments(mean, spread, np.eye(2), method="integral")
    exact = weight_integral(mean, spread, precision=EXACT)
    assert np.abs(found.weight_square - exact.mass @ exact.of_keys(2)).max() < 5e-15
