"""OutputLaw: the figures printed in the mathematics, one head against two, and every question asked of it."""

import numpy as np
import pytest
from scipy.special import erf, ndtr
from tests.support.oracles import sampled_weights

from regard.errors import LibraryError, MethodError, ShapeError, ValueRangeError
from regard.noise import GaussianKeys, diagonal, full, isotropic, low_rank, output_law, radial
from regard.noise.joint import estimate_seconds, independent_joint_moments
from regard.noise.keys import LogitLaw, logit_law
from regard.noise.moments import logistic_normal
from regard.noise.one_weight.distribution import weight_density, weight_exceeds
from regard.noise.pair import DERIVATIVES, PairLogits, pair_integral
from regard.noise.shared_noise import MAX_WORK_SECONDS, average_over_shared_noise


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


def test_the_same_query_twice_gains_nothing():
    keys = classic(10, isotropic_variance=0.01)
    once = output_law(keys, np.eye(10), pull(10, 4))
    twice = output_law(keys, np.eye(10), np.stack([pull(10, 4)] * 2))
    np.testing.assert_allclose(twice.covariance, once.covariance, rtol=1e-13)


def test_heads_that_share_noise_are_correlated():
    queries = np.stack([10 * np.eye(10)[0], pull(10, 10)])
    law = output_law(classic(10), np.eye(10), queries, combine="concat")
    correlation = law.covariance[0, 10] / np.sqrt(law.covariance[0, 0] * law.covariance[10, 10])
    assert correlation == pytest.approx(0.532, abs=5e-4)
    assert "pair integral" in law.method


def test_cross_covariance_agrees_with_draws_of_whole_keys():
    rng = np.random.default_rng(3)
    keys = GaussianKeys(rng.standard_normal((4, 3)), isotropic(0.2) + radial(0.1) + low_rank(rng.normal(size=(3, 1))))
    queries, values = rng.standard_normal((2, 3)), rng.standard_normal((4, 2))
    law = output_law(keys, values, queries, combine="concat")
    roots = np.stack([np.linalg.cholesky(keys.matrix(i)) for i in range(4)])
    noise = np.einsum("iwr,dir->diw", roots, rng.standard_normal((200_000, 4, 3)))
    logits = np.einsum("diw,hw->dhi", keys.mean + noise, queries)
    weights = np.exp(logits) / np.exp(logits).sum(axis=-1, keepdims=True)
    outputs = (weights @ values).reshape(len(weights), -1)
    np.testing.assert_allclose(law.mean, outputs.mean(axis=0), atol=0.006)
    np.testing.assert_allclose(law.covariance, np.cov(outputs.T), atol=0.006)


def test_pair_integral_reduces_to_known_cases():
    rng = np.random.default_rng(0)
    mean, sd, values = rng.standard_normal(4), rng.uniform(0.2, 2, 4), rng.standard_normal((4, 2))
    law = output_law_of(mean, sd, values)
    same = pair_integral(PairLogits(mean, mean, sd, sd, sd**2))
    relative = values - law.output_mean
    np.testing.assert_allclose(same.cross_covariance(relative, relative), law.output_covariance, atol=1e-13)
    apart = pair_integral(PairLogits(mean, mean, sd, sd, np.zeros(4)))
    np.testing.assert_allclose(apart.cross_covariance(relative, relative), 0, atol=1e-14)


def output_law_of(mean, sd, values):
    logits = LogitLaw(mean[None], (sd**2)[:, None, None])
    return independent_joint_moments(logits, values).heads[0]


@pytest.mark.parametrize(("sd_1", "sd_2", "is_within"), [(20.0, 20.0, True), (200.0, 200.0, False), (4e4, 1.0, False)])
def test_two_heads_whose_logits_move_together_too_far_are_out_of_reach(sd_1, sd_2, is_within):
    covariance = np.array([[sd_1**2, sd_1 * sd_2], [sd_1 * sd_2, sd_2**2]])
    logits = LogitLaw(np.array([[0.0, 1.0], [0.5, 0.0]]), np.array([covariance, np.zeros((2, 2))]))
    assert (independent_joint_moments(logits, np.eye(2)) is not None) == is_within


@pytest.mark.parametrize(("sd", "off"), [(20.0, 1e-9), (40.0, 1e-5)])
def test_the_pair_integral_knows_how_far_off_it_is(sd, off):
    # One factor moves one key in both heads: α¹ = sig(sd z), α² = sig(sd z + 1), by Gauss–Legendre on short panels.
    logits = LogitLaw(np.array([[0.0, 0.0], [1.0, 0.0]]), np.array([np.full((2, 2), sd**2), np.zeros((2, 2))]))
    found = independent_joint_moments(logits, np.eye(2))
    points, weights = np.polynomial.legendre.leggauss(20)
    left = np.arange(-9, 9, 0.5 / sd)
    z = (left[:, None] + 0.25 / sd * (1 + points)).ravel()
    p = np.tile(0.25 / sd * weights, len(left)) * np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi)
    first, second = 1 / (1 + np.exp(-sd * z)), 1 / (1 + np.exp(-sd * z - 1))
    truth = p @ ((first - p @ first) * (second - p @ second))
    assert abs(found.cross[0, 1, 0, 0] - truth) <= found.cross_error <= off


def test_pair_gradients_agree_with_finite_differences():
    rng = np.random.default_rng(2)
    n = 2
    point = {
        "mean_1": rng.standard_normal(n),
        "mean_2": rng.standard_normal(n),
        "variance_1": rng.uniform(0.3, 2, n),
        "variance_2": rng.uniform(0.3, 2, n),
        "covariance": np.array([0.2, -0.1]),
    }
    left, right = rng.standard_normal((2, n, 2))

    def logits(point):
        return PairLogits(
            point["mean_1"],
            point["mean_2"],
            np.sqrt(point["variance_1"]),
            np.sqrt(point["variance_2"]),
            point["covariance"],
        )

    gradient = pair_integral(logits(point), order=3).gradient(left, right)
    for name in DERIVATIVES:
        for j in range(n):
            h = 1e-4 * np.eye(n)[j]
            moved = [pair_integral(logits({**point, name: point[name] + sign * h})) for sign in (1, -1)]
            ends = [np.trace(integral.cross_covariance(left, right)) for integral in moved]
            assert gradient[name][j] == pytest.approx((ends[0] - ends[1]) / 2e-4, abs=1e-7)


@pytest.mark.parametrize(("rank", "n_heads", "size"), [(1, 2, 0.3), (2, 1, 0.15)])
def test_shared_noise_by_conditioning_agrees_with_sampling(rank, n_heads, size):
    rng = np.random.default_rng(7)
    keys = GaussianKeys(np.eye(5), isotropic(0.05), shared=size * rng.standard_normal((rank, 5, 5)))
    queries = 2.0 * np.stack([np.eye(5)[0] + np.eye(5)[1], np.eye(5)[2]])[:n_heads]
    exact = output_law(keys, np.eye(5), queries, combine="concat")
    sampled = output_law(keys, np.eye(5), queries, combine="concat", method="sampling")
    assert exact.method.startswith("conditioning")
    assert exact.error < 1e-8 < sampled.error
    np.testing.assert_allclose(exact.mean, sampled.mean, atol=sampled.error)
    np.testing.assert_allclose(exact.covariance, sampled.covariance, atol=sampled.error)


def test_a_factor_that_only_one_key_has_is_that_keys_own_noise():
    along = np.array([0.6, -0.2, 0.1])
    queries = np.array([[1.5, 0.5, -1.0], [0.2, 2.0, 0.3]])
    own = GaussianKeys(np.eye(3), isotropic(0.05) + low_rank(along[:, None], key=1))
    shared = np.zeros((1, 3, 3))
    shared[0, 1] = along
    conditioned = output_law(GaussianKeys(np.eye(3), isotropic(0.05), shared=shared), np.eye(3), queries)
    direct = output_law(own, np.eye(3), queries)
    assert conditioned.method.startswith("conditioning")
    np.testing.assert_allclose(conditioned.mean, direct.mean, atol=conditioned.error + direct.error)
    np.testing.assert_allclose(conditioned.covariance, direct.covariance, atol=conditioned.error + direct.error)
    assert conditioned.error < 1e-7


def test_shared_noise_too_strong_for_a_grid_is_sampled_and_says_so():
    keys = GaussianKeys(np.eye(3), isotropic(0.05), shared=900 * np.diag([1.0, 0.0, -1.0])[None])
    law = output_law(keys, np.eye(3), np.ones(3), n_draws=2**10)
    assert law.method == "sampling"
    assert law.error > 1e-6


def test_conditioning_rounds_differences_of_logits_and_not_the_logits():
    mean, loading = np.array([[0.3, 0.0, -0.5]]), np.array([[[0.5, -0.5, 0.1]]])
    exact = np.round(mean * 2.0**20) / 2.0**20  # representable beside 2³⁰, so that both laws are the same
    near, far = (
        average_over_shared_noise(LogitLaw(exact + shift, np.full((3, 1, 1), 0.04), loading), np.eye(3))
        for shift in (0.0, 2.0**30)
    )
    np.testing.assert_allclose(far.heads[0].weight_mean, near.heads[0].weight_mean, atol=near.heads[0].error)


def test_common_noise_on_all_keys_changes_nothing_but_its_differences():
    # A shared factor that moves every logit alike is invisible to softmax.
    keys = GaussianKeys(np.eye(3), isotropic(0.1))
    moved = GaussianKeys(np.eye(3), isotropic(0.1), shared=np.ones((1, 3, 3)))
    query = np.array([2.0, -1.0, 0.5])
    plain, shared = output_law(keys, np.eye(3), query), output_law(moved, np.eye(3), query)
    np.testing.assert_allclose(shared.covariance, plain.covariance, atol=1e-13)


def test_a_law_too_long_to_integrate_is_sampled_and_says_so():
    # By conditioning, each node of the factor would need a plane of nodes for seven keys: over a minute in all.
    rng = np.random.default_rng(0)
    root = 20 * rng.standard_normal((7, 2, 2))
    loading = rng.standard_normal((1, 2, 7))
    logits = LogitLaw(100 * rng.standard_normal((2, 7)), root @ root.transpose(0, 2, 1) / 2, loading)
    assert estimate_seconds(logits) > MAX_WORK_SECONDS / 20
    found = average_over_shared_noise(logits, np.eye(7), n_draws=2**10)
    assert found.method == "sampling"
    assert 1e-4 < found.cross_error < 0.1


def test_draws_that_never_see_a_rare_event_still_have_an_honest_error():
    # α_0 is almost 1 in one draw of 10 million and almost 0 in all others: 4,096 draws agree, and know nothing of it.
    keys = GaussianKeys(np.array([[-5.2e3], [0.0]]), diagonal(np.array([[1e6], [0.0]])))
    exact = output_law(keys, np.eye(2), np.ones(1))
    sampled = output_law(keys, np.eye(2), np.ones(1), method="sampling", n_draws=2**12)
    assert 1e-8 < exact.mean[0] < 1e-6
    assert abs(sampled.mean[0] - exact.mean[0]) <= sampled.error
    assert sampled.heads[0].error >= np.log(1e4) / 2**12


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


def test_sampling_error_bars_hold():
    keys = classic(6, isotropic_variance=0.05)
    exact = output_law(keys, np.eye(6), pull(6, 3))
    for seed in range(5):
        sampled = output_law(keys, np.eye(6), pull(6, 3), method="sampling", seed=seed, n_draws=2**12)
        assert np.abs(sampled.covariance - exact.covariance).max() <= sampled.error + exact.error
        assert np.abs(sampled.mean - exact.mean).max() <= sampled.error + exact.error


def test_samples_follow_the_law():
    law = output_law(classic(4, isotropic_variance=0.02), np.eye(4), np.stack([pull(4, 3), 3 * np.eye(4)[2]]))
    draws = law.sample(np.random.default_rng(0), 100_000)
    np.testing.assert_allclose(draws.mean(axis=0), law.mean, atol=0.005)
    np.testing.assert_allclose(np.cov(draws.T), law.covariance, atol=0.003)


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


def test_covariances_in_every_form_give_the_same_law():
    rng = np.random.default_rng(0)
    mean, query = rng.standard_normal((3, 4)), rng.standard_normal((1, 4))
    factor = rng.standard_normal((3, 4, 2))
    matrices = np.stack([0.1 * np.eye(4) + 0.5 * np.outer(m, m) + f @ f.T for m, f in zip(mean, factor, strict=True)])
    forms = logit_law(GaussianKeys(mean, isotropic(0.1) + radial(0.5) + low_rank(factor)), query)
    written = logit_law(GaussianKeys(mean, full(matrices)), query)
    np.testing.assert_allclose(forms.covariance, written.covariance, rtol=1e-12)
    np.testing.assert_allclose(GaussianKeys(mean, full(matrices)).matrix(1), matrices[1], rtol=1e-12)
    spread = rng.uniform(0, 1, (3, 4))
    coordinates = logit_law(GaussianKeys(mean, diagonal(spread)), query)
    np.testing.assert_allclose(coordinates.sd(0) ** 2, spread @ query[0] ** 2, rtol=1e-12)


def test_bad_covariances_name_the_key():
    from regard.errors import CovarianceError

    with pytest.raises(CovarianceError, match="of key 1 is not positive semi-definite: its smallest eigenvalue is -1"):
        full(np.stack([np.eye(2), np.diag([1.0, -1.0])]))
    with pytest.raises(CovarianceError, match="of key 0 is not symmetric"):
        full(np.array([[[1.0, 0.5], [0.0, 1.0]]]))
    with pytest.raises(CovarianceError, match="finite and not negative; that of key 2 is not"):
        isotropic([0.1, 0.2, -0.3])
    with pytest.raises(CovarianceError, match="that of key 1 is not"):
        diagonal([[0.1, 0.2], [np.nan, 0.3]])
    with pytest.raises(ShapeError, match="speaks of 2 keys, but there are 3"):
        GaussianKeys(np.eye(3), isotropic([0.1, 0.2]))
    with pytest.raises(ShapeError, match="for key 5, but there are keys 0 to 2"):
        GaussianKeys(np.eye(3), radial(0.5, key=5))
    with pytest.raises(ShapeError, match="speaks of 2 coordinates, but keys have 3"):
        GaussianKeys(np.eye(3), diagonal([0.1, 0.2]))
    with pytest.raises(ValueRangeError, match="the mean of key 1 has NaN"):
        GaussianKeys(np.array([[1.0], [np.nan]]), isotropic(0.1))


def test_bad_questions_get_clear_answers():
    keys = classic(3)
    law = output_law(keys, np.eye(3), pull(3, 2))
    with pytest.raises(ValueRangeError, match="a weight lies between 0 and 1"):
        law.probability(0, above=1.0)
    with pytest.raises(ValueRangeError, match="both excluded here; got 0"):
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


def test_a_certain_key_among_very_many_noisy_ones_fits_into_memory():
    n = 300_000
    mean, sd = np.zeros(n), np.linspace(0.299, 0.301, n)  # all different
    mean[0], sd[0] = np.log(n), 0.0
    found = weight_exceeds(mean, sd, 0, 0.5, rng=np.random.default_rng(0))
    assert found.method == "sampling"
    assert found.value < 0.01  # Σ exp(s) is close to n e^0.045, above the e^{ln n} of the key
    assert 0.05 < found.error < 1  # none of the few draws that fit into memory and time hit: that proves little
