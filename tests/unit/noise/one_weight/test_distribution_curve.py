"""The density of one weight at many points: the same as point by point, and the slope of its probability."""

import numpy as np
import pytest

from regard.noise.one_weight.distribution import density_curve, weight_density, weight_exceeds

MEAN = np.array([0.3, -0.2, 0.5])
AT = np.array([0.1, 0.35, 0.6, 0.8])
CASES = {
    "only this logit varies": np.array([0.8, 0.0, 0.0]),
    "inversion": np.array([1.2, 0.4, 0.9]),
    "characteristic functions": np.array([0.1, 0.4, 0.9]),
    "quadrature": np.array([0.0, 0.4, 0.9]),
}


@pytest.mark.slow
@pytest.mark.parametrize("sd", CASES.values(), ids=CASES)
def test_it_agrees_with_single_points(sd):
    curve = density_curve(MEAN, sd, 0, AT)
    for point, value, error in zip(curve.at, curve.value, curve.error, strict=True):
        single = weight_density(MEAN, sd, 0, float(point), rng=np.random.default_rng(1))
        assert value == pytest.approx(single.value, abs=single.error + error)
        assert 0 < error < 1e-8
        assert single.method == curve.method


@pytest.mark.slow
@pytest.mark.parametrize("sd", CASES.values(), ids=CASES)
def test_it_is_the_slope_of_the_probability(sd):
    fine = np.linspace(0.2, 0.7, 201)
    area = np.trapezoid(density_curve(MEAN, sd, 0, fine).value, fine)
    above, below = (
        weight_exceeds(MEAN, sd, 0, threshold, rng=np.random.default_rng(2)).value for threshold in (0.2, 0.7)
    )
    assert area == pytest.approx(above - below, abs=2e-4)
