"""OutputLaw: the figures printed in the mathematics, one head against two, and every question asked of it."""

import numpy as np
import pytest
from scipy.special import erf, ndtr
from tests.support.oracles import sampled_weights

from regard.errors import LibraryError, MethodError, RegardError, ShapeError, ValueRangeError
from regard.noise import GaussianKeys, isotropic, output_law, radial
from regard.noise.joint import independent_joint_moments
from regard.noise.keys import LogitLaw
from regard.noise.moments import logistic_normal
from regard.noise.one_weight.distribution import weight_density, weight_exceeds


def classic(n, *, isotropic_variance=0.0):
    return GaussianKeys(np.eye(n), isotropic(isotropic_variance) + radial(0.5, key=0))


def pull(n, scale):
    return scale * (np.eye(n)[0] + np.eye(n)[1])


@pytest.mark.parametrize(
    ("scale", "ratio"), [(1, 3.527), (3, 5.800), (5, 9.836), (10, 15.393), (20, 19.530), (100, 23.692)]
)
def test_variance_of_one_head_over_two(scale, ratio):
    keys = classic(10)
    one = output_law(keys, np.eye(10), pull(10, scale))
    two = output_law(keys, np.eye(10), scale * np.eye(10)[:2])
    assert one.variance / two.variance == pytest.approx(ratio, abs=5e-4)


def test_the_ratio_tends_to_its_limit():
    keys = classic(2)
    ratio = output_law(keys, np.eye(2), pull(2, 1e4)).variance / output_law(keys, np.eye(2), 1e4 * np.eye(2)).variance
    p = ndtr(-np.sqrt(2))
    assert ratio == pytest.approx(1 / (p * (1 - p)), rel=1e-3, abs=0)
    assert ratio == pytest.approx(13.8, abs=0.01)


def test_unscaled_queries_make_one_head_the_better():
    keys, target = classic(10), pull(10, 0.5)
    one = output_law(keys, np.eye(10), pull(10, 1)).mean_squared_error(target)
    two = output_law(keys, np.eye(10), np.eye(10)[:2]).mean_squared_error(target)
    assert one == pytest.approx(0.2255, abs=5e-5)
    assert two == pytest.approx(0.2878, abs=5e-5)


@pytest.mark.parametrize(("n", "scale"), [(4, 1.374851), (10, 2.173737), (100, 3.823898), (1000, 5.198062)])
def test_where_one_head_and_two_are_equally_good(n, scale):
    keys, values, target = classic(n), np.eye(n), pull(n, 0.5)
    gaps = [
        output_law(keys, values, pull(n, c)).mean_squared_error(target)
        - output_law(keys, values, c * np.eye(n)[:2]).mean_squared_error(target)
        for c in (scale - 1e-6, scale + 1e-6)
    ]
    assert gaps[0] < 0 < gaps[1]


@pytest.mark.parametrize(("n", "percent"), [(10, 13.49), (100, 22.23), (1000, 33.09)])
def test_probability_of_losing_the_wanted_key(n, percent):
    law = output_law(classic(n), np.eye(n), 10 * np.eye(n)[:2])
    lost = 1 - law.probability(0, above=0.5).value
    assert 100 * lost == pytest.approx(percent, abs=5e-3)
    assert lost == pytest.approx(ndtr((np.log(n - 1) / 10 - 1) * np.sqrt(2)), rel=1e-12, abs=0)


def test_the_output_is_not_two_valued_at_a_finite_scale():
    for scale, share in ((10, 0.323), (100, 0.033)):
        law = output_law(classic(2), np.eye(2), pull(2, scale))
        between = law.probability(0, above=0.05).value - law.probability(0, above=0.95).value
        assert between == pytest.approx(erf(np.log(19) / scale), rel=1e-12, abs=0)
        assert between == pytest.approx(share, abs=5e-4)


def test_equal_values_make_one_head_exact_and_two_noisy():
    values = np.eye(10)
    values[1] = values[0]
    one = output_law(classic(10), values, pull(10, 20))
    two = output_law(classic(10), values, 20 * np.eye(10)[:2])
    assert one.variance == pytest.approx(6.8e-17, rel=0.01, abs=0)
    alone = logistic_normal(20 - np.log(9), 20 * np.sqrt(0.5)).variance
    assert two.variance == pytest.approx(alone * (72 / 81) / 4, rel=1e-12, abs=0)  # |v_a − mean of the others|² = 72/81
    assert two.variance == pytest.approx(0.0182, abs=5e-5)


def test_push_has_no_variance_and_the_printed_error():
    push = np.full(10, -15.0)
    push[:2] = 0
    law = output_law(classic(10), np.eye(10), push)
    assert law.variance == 0
    assert law.mean_squared_error(pull(10, 0.5)) == pytest.approx(9.3576e-13, rel=1e-4, abs=0)


def output_law_of(mean, sd, values):
    logits = LogitLaw(mean[None], (sd**2)[:, None, None])
    return independent_joint_moments(logits, values).heads[0]


def test_logits_that_rounding_moves_are_in_the_error():
    # Both logits are 1e9 exactly, but the products that make them up round differently.
    mean, query = np.array([[1e9 / 3, 1e9 / 3, 1e9 / 3], [1e9, 0.0, 0.0]]), np.ones(3)
    law = output_law(GaussianKeys(mean, isotropic(0.0)), np.eye(2), query)
    assert 1e-8 < law.error < 1e-5


def test_values_far_from_the_origin_keep_their_differences():
    values = np.array([[1e9, 1.0], [1e9 + 1, 0.0], [1e9 - 1, 0.5]])
    keys = GaussianKeys(np.eye(3), isotropic(0.5) + radial(0.1))
    near = output_law(keys, values - np.array([1e9, 0.0]), np.ones(3))
    far = output_law(keys, values, np.ones(3))
    np.testing.assert_allclose(far.covariance, near.covariance, atol=near.error)
    np.testing.assert_allclose(far.mean - np.array([1e9, 0.0]), near.mean, atol=far.error)
    assert far.error < 1e-5


def test_weight_covariance_sums_to_zero_and_matches_the_output():
    law = output_law(classic(5, isotropic_variance=0.1), np.eye(5), pull(5, 2))
    found = law.weight_covariance(range(5))
    assert (found.method, found.error < 1e-13) == ("integral", True)
    np.testing.assert_allclose(found.value, law.covariance, atol=found.error + law.error)
    np.testing.assert_allclose(found.value.sum(axis=0), 0, atol=1e-13)
    some = law.weight_covariance([1, 3], [0]).value
    np.testing.assert_allclose(some, found.value[[1, 3]][:, [0]], atol=1e-15)


def test_weight_covariance_of_a_few_among_many_keys():
    rng = np.random.default_rng(0)
    law = output_law(GaussianKeys(rng.standard_normal((400, 3)), radial(0.5)), np.eye(400), np.ones(3))
    found = law.weight_covariance([3, 7, 399], [7])
    assert found.method == "fast integral"
    np.testing.assert_allclose(found.value, law.covariance[[3, 7, 399]][:, [7]], atol=found.error + law.error)


@pytest.mark.slow
@pytest.mark.parametrize("case", range(4))
def test_probability_and_density_agree_with_draws_and_with_each_other(case):
    rng = np.random.default_rng(case)
    n, (low, high) = [3, 8, 150, 4][case], [(0.1, 2), (0.8, 3), (0.7, 2), (5, 40)][case]
    mean, sd = rng.standard_normal(n), rng.uniform(low, high, n)
    mean[0], sd[0] = np.log(n) + 1.0, max(sd[0], 0.8)
    weights = sampled_weights(rng, mean[None], sd[:, None, None], 100_000)[:, 0, 0]
    for threshold in (0.1, 0.5, 0.9):
        found = weight_exceeds(mean, sd, 0, threshold, rng=rng)
        assert found.method == "inversion"
        assert found.error < 1e-8
        assert found.value == pytest.approx((weights > threshold).mean(), abs=0.008)
        h = 1e-4
        slope = weight_exceeds(mean, sd, 0, threshold - h, rng=rng).value
        slope -= weight_exceeds(mean, sd, 0, threshold + h, rng=rng).value
        assert weight_density(mean, sd, 0, threshold, rng=rng).value == pytest.approx(slope / (2 * h), rel=1e-4, abs=0)


def test_inversion_agrees_with_the_closed_form_of_one_noisy_key():
    # All but the first key get so little noise that the closed form must come out.
    mean, sd = np.array([1.0, 0.5, 0.0]), np.array([2.0, 1e-9, 1e-9])
    closed = weight_exceeds(mean, np.array([2.0, 0, 0]), 0, 0.3, rng=np.random.default_rng(0))
    found = weight_exceeds(mean, sd, 0, 0.3, rng=np.random.default_rng(0))
    assert (closed.method, found.method) == ("logistic-normal", "inversion")
    assert found.value == pytest.approx(closed.value, abs=1e-12)


def test_small_noise_is_no_reason_to_draw():
    mean, sd = np.array([0.5, 0.0, 0.0]), np.array([0.1, 0.2, 0.4])
    rng = np.random.default_rng(0)
    found = weight_exceeds(mean, sd, 0, 0.45, rng=rng)
    assert found.method == "inversion"
    assert found.error < 1e-10
    draws = sampled_weights(rng, mean[None], sd[:, None, None], 100_000)[:, 0, 0]
    assert found.value == pytest.approx((draws > 0.45).mean(), abs=0.008)
    certain = weight_exceeds(mean, np.array([0.0, 0.2, 0.4]), 0, 0.45, rng=rng)
    draws = sampled_weights(rng, mean[None], np.array([0.0, 0.2, 0.4])[:, None, None], 100_000)[:, 0, 0]
    assert certain.value == pytest.approx((draws > 0.45).mean(), abs=0.008)


def test_bad_questions_get_clear_answers():
    keys = classic(3)
    law = output_law(keys, np.eye(3), pull(3, 2))
    with pytest.raises(ValueRangeError, match="the weight to ask about must lie strictly between 0 and 1"):
        law.probability(0, above=1.0)
    with pytest.raises(ValueRangeError, match="must lie strictly between 0 and 1; got 0"):
        law.density_curve(0, at=np.array([0.5, 0.0]))
    with pytest.raises(ShapeError, match="there are keys 0 to 2; got key 7"):
        law.density(7, at=0.5)
    with pytest.raises(ShapeError, match="the output's shape"):
        law.mean_squared_error(np.zeros(4))
    with pytest.raises(ShapeError, match=r"queries need the shape \(head, 3\)"):
        output_law(keys, np.eye(3), np.ones(2))
    with pytest.raises(ShapeError, match="each key needs one value row; got 3 keys"):
        output_law(keys, np.eye(2), np.ones(3))
    with pytest.raises(MethodError, match="the methods are auto"):
        output_law(keys, np.eye(3), np.ones(3), method="guess")
    shared = GaussianKeys(np.eye(3), isotropic(0.1), shared=np.ones((1, 3, 3)))
    with pytest.raises(MethodError, match="needs independent keys"):
        output_law(shared, np.eye(3), np.ones(3)).probability(0, above=0.5)
    torch = pytest.importorskip("torch")
    with pytest.raises(LibraryError, match="use logit_law and moments"):
        output_law(keys, torch.eye(3), np.ones(3))


@pytest.mark.slow
def test_a_certain_key_among_very_many_noisy_ones_fits_into_memory():
    n = 300_000
    mean, sd = np.zeros(n), np.linspace(0.299, 0.301, n)  # all different
    mean[0], sd[0] = np.log(n), 0.0
    found = weight_exceeds(mean, sd, 0, 0.5, rng=np.random.default_rng(0))
    assert found.method == "sampling"
    assert found.value < 0.01  # Σ exp(s) is close to n e^0.045, above the e^{ln n} of the key
    assert 0.05 < found.error < 1  # none of the few draws that fit into memory and time hit: that proves little


def test_several_probabilities_at_once_are_those_one_by_one():
    law = output_law(GaussianKeys(np.eye(4), isotropic(0.01) + radial(0.5)), np.eye(4), np.array([3.0, 3.0, 0.0, 0.0]))
    for above, each in zip((0.9, 0.5, 0.1), law.probabilities(0, above=np.array([0.9, 0.5, 0.1])), strict=True):
        alone = law.probability(0, above=above)
        assert abs(each.value - alone.value) <= each.error + alone.error < 1e-10
    with pytest.raises(ValueRangeError, match="the weight to ask about must lie strictly between 0 and 1"):
        law.probabilities(0, above=np.array([0.5, 1.0]))


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"seed": 0.5}, "seed must be a whole number"),
        ({"seed": -1}, "seed must be 0 or more; got -1"),
        ({"n_draws": 2.5}, "n_draws must be a whole number"),
        ({"n_draws": 0}, "n_draws must lie between 1 and 536,870,912"),
        ({"n_draws": 10**18}, "n_draws must lie between 1 and 536,870,912"),
    ],
)
@pytest.mark.parametrize("method", ["auto", "sampling"])
def test_draws_are_asked_for_in_whole_numbers_that_memory_holds(settings, complaint, method, unchecked):
    with pytest.raises(RegardError, match=complaint):
        output_law(GaussianKeys(np.eye(2), isotropic(0.1)), np.eye(2), np.ones(2), method=method, **settings)
