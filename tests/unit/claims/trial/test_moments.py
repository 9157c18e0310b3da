"""E, Var and Cov: Gaussian algebra, exact laws of the weights, and the sequential test."""

import math

import numpy as np
import pytest
from tests.support.claim_settings import NUMBERS

from regard.claims.check import check
from regard.claims.meaning.terms import Moment, Ref
from regard.claims.trial.arithmetic.numbers import FLOATS
from regard.claims.trial.arithmetic.polynomial import gaussian_moment, variable
from regard.claims.trial.moments import pair_load
from regard.claims.trial.tree_evaluation import World, evaluate
from regard.claims.verdict.sampled_moments import SampleMoments, decide_by_samples


def verdict(claim, setting=NUMBERS, **options):
    return check(claim, setting=setting, **options).verdict


def test_gaussian_moments_against_quadrature():
    x, weight = np.polynomial.hermite_e.hermegauss(20)
    z = variable(("z", 0))
    power = z
    for degree in range(2, 9):
        power = power * z
        expected = float(x**degree @ weight / math.sqrt(2 * math.pi))
        assert power.expectation(gaussian_moment) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("E[z^4] = 3", "holds"),
        ("Var[z^2] = 2", "holds"),
        ("Cov[z, z^3] = 3", "holds"),
        (r"E[\exp(t z)] = \exp(t^2/2)", "holds"),
        ("Var[t z] = t", "fails"),
        (r"E[\sigma(z)] = \frac12", "holds"),  # by samples
        (r"E[\sigma(z)] \approx 0.503", "holds"),
        (r"E[|z|] < 0.81", "holds"),
        (r"E[\sigma(z)] = 0.55", "fails"),
        (r"t z + 1 \sim N(1, t^2)", "holds"),
        (r"z^2 \sim N(1, 2)", "fails"),
        ("z = 0", "fails"),
    ],
)
def test_moments(claim, expected):
    assert verdict(claim) == expected


@pytest.fixture
def without_integrals(monkeypatch):
    """One or two normal numbers are integrated over; others are sampled."""
    monkeypatch.setattr("regard.claims.verdict.sampled_moments.integrate_everywhere", lambda *_: None)


def test_samples_say_how_sure_they_are(without_integrals):
    found = check(r"E[\sigma(z)] = 0.55", setting=NUMBERS)
    assert "sequential test" in found.how
    assert "1e-06" in found.how


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("P(X > μ) = 1/2 for X ~ N(μ, σ^2)", "holds"),
        ("P(X > 0) = 1/2 for X ~ N(μ, σ^2)", "fails"),
        ("Pr(-a < X < a) = 2 Pr(X < a) - 1 for X ~ N(0, 1)", "holds"),
        ("P(X > Y) = 1/2 for X, Y ~ N(0, I_d)", "ill-formed"),
    ],
)
def test_probabilities(claim, verdict, unchecked):
    assert check(claim).verdict == verdict


def test_heavy_tails_are_left_undecided(without_integrals):
    """2e¹⁸ is right, but rests on z near 6, which no sample reaches: all samples agree on far too little."""
    found = check(r"E[e^{6z} + e^{-6z}] = 2e^{18}", setting=NUMBERS)
    assert found.verdict == "undecided"
    assert "samples are too few to tell: the two sides differ by " in found.reason
    assert found.reason.endswith("a verdict would be wrong more often than once in 1,000,000 times")


@pytest.mark.parametrize(
    ("comparison", "gap", "error", "answer"),
    [
        ("=", 0.02, 0.01, "no"),
        ("=", 0.01, 0.02, "undecided"),
        ("=", 0.005, 0.01, "yes"),
        ("≈", 0.005, 0.004, "yes"),
        ("≈", 0.005, 0.006, "undecided"),
        ("≈", 0.02, 0.009, "no"),
        ("≈", 0.02, 0.011, "undecided"),
        ("≠", 0.02, 0.01, "yes"),
        ("≠", 0.01, 0.02, "undecided"),
        ("<", -0.02, 0.01, "yes"),
        ("<", 0.02, 0.01, "no"),
        ("<", -0.005, 0.01, "undecided"),
        ("≤", -0.005, 0.01, "yes"),
        (">", -0.02, 0.01, "no"),
    ],
)
def test_what_an_estimate_and_its_error_decide(comparison, gap, error, answer):
    assert (
        decide_by_samples(comparison, np.array([0.0 if comparison in "=≈≠" else gap, gap]), np.full(2, error)) == answer
    )


def test_dominance_of_known_samples():
    """Squared deviations of 0, 0, 0, 4 from their mean are 1, 1, 1, 9."""
    moments = SampleMoments()
    moments.note("x", np.array([0.0, 0.0, 0.0, 4.0]).reshape(4, 1, 1))
    assert moments.dominance == pytest.approx(9 / 12)
    moments.note("x", np.array([2.0, 0.0, 2.0, 0.0]).reshape(4, 1, 1))
    assert moments.dominance == pytest.approx(9 / 16)


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("mean", [[1.0], [2.0]]),
        ("variances", [[2.0], [8.0]]),
        ("total", [[10.0]]),
        ("covariance", [[2.0, 4.0], [4.0, 8.0]]),
    ],
)
def test_sample_moments_by_hand(kind, expected):
    """x = (0, 0) and (2, 4): deviations ∓(1, 2), over n − 1 = 1."""
    samples = np.array([[[0.0], [0.0]], [[2.0], [4.0]]])
    world = World(FLOATS, {}, {"x": samples}, {}, frozenset(), {}, SampleMoments())
    np.testing.assert_allclose(evaluate(Moment(kind, (Ref("x"),)), world, {})[0], expected)


def test_free_index_is_tried_at_several_places_in_samples():
    assert verdict(r"E[\tanh(k_i^T q)] = E[\tanh(k_a^T q)]", "noisy-keys") == "fails"


def test_joint_law_of_two_heads_has_its_price():
    """One tied key with sd 30 and 40 and correlation ¼: the factor moves its logits by at most 40·½."""
    covariance = np.array([[[900.0, 300.0], [300.0, 1600.0]], [[1.0, 0.0], [0.0, 1.0]]])
    assert pair_load(np.array([[0.0, 1.0], [2.0, 3.0]]), covariance) == pytest.approx(20)
    same = np.full((2, 2, 2), 1e12)
    assert pair_load(np.zeros((2, 2)), same) == 0
    assert pair_load(np.zeros((1, 2)), np.full((2, 1, 1), 1e12)) == 0


def test_two_heads_out_of_reach_of_the_exact_law_are_sampled():
    found = check(r"q_1 = 10^4 \mu_a; q_2 = 10^4(\mu_a + \mu_b); Var[c_1] = Var[c_2]", setting="two-heads")
    assert "exact laws" in found.how
    found = check(r"q_1 = 10^4 \mu_a; q_2 = 10^4(\mu_a + \mu_b); Cov[c_1, c_2] = Cov[c_1]", setting="two-heads")
    assert found.verdict == "fails"
    assert "sequential test" in found.how


def test_time_is_limited(monkeypatch):
    monkeypatch.setattr("regard.claims.verdict.readings.MAX_SECONDS", -1.0)
    found = check("c = v_a", setting="attention")
    assert (found.verdict, found.reason) == ("undecided", "this takes too long to try: make it simpler")


def test_second_number_of_a_normal_law_is_read_both_ways():
    found = check(r"k_a^\top \mu_a \sim N(1, 0.5)", setting="magnitude-noise")
    assert [one.verdict for one in found.readings] == ["holds-in-limit", "fails"]
    assert "variance" in found.readings[0].notes[0]
    assert "standard deviation" in found.readings[1].notes[0]
