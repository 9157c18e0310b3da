import numpy as np

from regard.models.classifier.averaging import LengthFactors


def test_factors_between_two_lengths_lie_on_a_line_along_the_logarithm() -> None:
    factors = LengthFactors((4.0, 16.0, 32.0), ((0.2, 1.0), (0.6, 2.0), (1.0, 3.0)))
    np.testing.assert_allclose(factors.at(np.array([4, 8, 16, 32])), [[0.2, 1], [0.4, 1.5], [0.6, 2], [1, 3]])


def test_beyond_the_first_and_the_last_length_factors_stay() -> None:
    factors = LengthFactors((4.0, 16.0), ((0.2,), (0.6,)))
    np.testing.assert_allclose(factors.at(np.array([0, 1, 17, 10**6])), [[0.2], [0.2], [0.6], [0.6]])
    assert factors.full == (0.6,)


def test_constant_factors_know_no_length() -> None:
    np.testing.assert_array_equal(LengthFactors.constant(2.0, 0.5).at(np.array([0, 5, 5000])), [[2, 0.5]] * 3)
