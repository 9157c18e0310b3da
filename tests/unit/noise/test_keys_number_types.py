"""Numbers of every type, and of every size, go into the laws of noise and come out right or are refused."""

import numpy as np
import pytest
import torch
from tests.support.oracles import brute_force_moments

from regard.errors import DTypeError, LibraryError, ShapeError, ValueRangeError
from regard.noise import (
    Cotangents,
    GaussianKeys,
    diagonal,
    full,
    head_moments,
    isotropic,
    logit_law,
    low_rank,
    moment_gradient,
    moments,
    output_law,
    radial,
)

EYE = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]


@pytest.mark.parametrize("dtype", ["int64", "int8", "uint16", "bool", "float16", "float32", "float64"])
def test_keys_of_every_real_type_keep_their_noise(dtype, unchecked):
    keys = GaussianKeys(np.array(EYE, dtype=dtype), isotropic(0.5))
    law = output_law(keys, np.eye(3, dtype=dtype), np.ones(3, dtype=dtype))
    first, second = brute_force_moments(np.ones(3), np.full(3, np.sqrt(1.5)))
    assert law.variance == pytest.approx(np.trace(second - np.outer(first, first)), abs=1e-12)
    assert law.variance == pytest.approx(0.192017, abs=5e-7)
    assert law.method == "integral"


@pytest.mark.parametrize("dtype", [torch.int64, torch.uint8, torch.bool])
def test_tensors_of_integers_keep_their_noise(dtype, unchecked):
    keys = GaussianKeys(torch.tensor(EYE).to(dtype), isotropic(0.5) + radial(torch.tensor(1)))
    law = logit_law(keys, torch.ones((1, 3), dtype=dtype))
    assert (law.mean.dtype, law.covariance.dtype) == (torch.float64, torch.float64)
    assert law.sd(0) ** 2 == pytest.approx(2.5)


def test_variances_of_integers_beside_integer_keys(unchecked):
    keys = np.array([[1, 2], [3, 4]])
    forms = diagonal(np.array([1, 2])) + low_rank(np.array([[1], [1]])) + full(np.array([[2, 1], [1, 2]]))
    law = logit_law(GaussianKeys(keys, forms, shared=np.array([[[1, 0], [0, 1]]])), np.array([[1, 1]]))
    assert law.mean.tolist() == [[3.0, 7.0]]
    assert (law.sd(0) ** 2).tolist() == pytest.approx([3 + 4 + 6] * 2)
    assert law.shared.tolist() == [[[1.0, 1.0]]]


@pytest.mark.parametrize("dtype", ["complex128", "object", "U8", "S8"])
def test_what_is_not_real_is_refused_everywhere(dtype, unchecked):
    wrong, keys = np.array(EYE).astype(dtype), GaussianKeys(np.eye(3), isotropic(1.0))
    calls = [
        lambda: GaussianKeys(wrong, isotropic(1.0)),
        lambda: GaussianKeys(np.eye(3), isotropic(1.0), shared=wrong[None]),
        lambda: logit_law(keys, wrong),
        lambda: output_law(keys, wrong, np.ones(3)),
        lambda: output_law(keys, np.eye(3), wrong),
        lambda: output_law(keys, np.eye(3), np.ones(3)).mean_squared_error(wrong[0]),
        lambda: head_moments(wrong[0], np.ones(3), np.eye(3)),
        lambda: head_moments(np.ones(3), wrong[0], np.eye(3)),
        lambda: moments(np.ones(3), wrong[0], np.eye(3)),
        lambda: moment_gradient(wrong[0], np.ones(3), np.eye(3), Cotangents()),
        lambda: moment_gradient(np.ones(3), np.ones(3), np.eye(3), Cotangents(weight_mean=wrong[0])),
        *(lambda form=form: form(wrong) for form in (diagonal, low_rank, full)),
        *(lambda form=form: form(wrong[0]) for form in (isotropic, radial)),
    ]
    for call in calls:
        with pytest.raises(DTypeError, match="must be real numbers; got dtype"):
            call()


def test_integers_in_moments_and_gradients(unchecked):
    mean, variance, values = np.array([0, 1]), np.array([4, 1]), np.array([[1, 0], [0, 1]])
    law = moments(mean, variance, values)
    tensors = moments(torch.tensor(mean), torch.tensor(variance), torch.tensor(values))
    np.testing.assert_array_equal(law.weight_mean, tensors.weight_mean)
    np.testing.assert_allclose(law.weight_mean, head_moments(mean * 1.0, np.sqrt(variance), np.eye(2)).weight_mean)
    slope = moment_gradient(mean, np.array([2, 1]), values, Cotangents(weight_mean=np.array([1, 0]))).mean
    assert slope[0] == pytest.approx(-slope[1])


def test_the_error_of_float32_moments_includes_their_rounding():
    double = moments(torch.zeros(3).double(), torch.ones(3).double() / 3, torch.eye(3).double())
    single = moments(torch.zeros(3), torch.ones(3) / 3, torch.eye(3))
    assert float((single.weight_square.double() - double.weight_square).abs().max()) <= single.error
    assert double.error < 1e-12
    assert single.error > 1e-8


def test_two_libraries_in_one_law(unchecked):
    keys = GaussianKeys(np.eye(2), isotropic(1.0))
    with pytest.raises(LibraryError, match="one library; keys is from numpy, queries is from torch"):
        logit_law(keys, torch.ones(1, 2))
    with pytest.raises(LibraryError, match="output_law works on NumPy arrays"):
        output_law(keys, np.eye(2), torch.ones(2))


@pytest.mark.parametrize("n", [2, 3, 50])
@pytest.mark.parametrize(("mean", "sd"), [(1e150, 1e150), (1e150, 0.0), (1e-300, 1e-300), (0.0, 1e120), (1e30, 1.0)])
def test_logits_of_every_size_give_weights(n, mean, sd):
    rng = np.random.default_rng(0)
    law = head_moments(mean * rng.uniform(-1, 1, n), sd * rng.uniform(0, 1, n), np.eye(n))
    assert law.weight_mean.sum() == pytest.approx(1, abs=law.error)
    assert np.isfinite(law.output_covariance).all()
    assert law.error < 1e-12


def test_numbers_beyond_the_range_are_refused_without_a_warning(unchecked):
    with pytest.raises(ValueRangeError, match="a logit's mean must be at most 1e150; that of key 1 is 1e\\+200"):
        head_moments(np.array([0.0, 1e200]), np.ones(2), np.eye(2))
    with pytest.raises(
        ValueRangeError, match="standard deviation must be at most 1e150 and not negative; that of key 0"
    ):
        head_moments(np.zeros(2), np.array([-1.0, 0.0]), np.eye(2))
    with pytest.raises(ValueRangeError, match="values must be finite and at most 1e150"):
        head_moments(np.zeros(2), np.ones(2), 1e200 * np.eye(2))
    keys = GaussianKeys(1e200 * np.eye(2), radial(0.5))
    with pytest.raises(ValueRangeError, match="the variances of the logits are beyond the range of float64: make keys"):
        output_law(keys, np.eye(2), np.ones(2))
    with pytest.raises(ValueRangeError, match="the means of the logits are beyond the range of float64: make keys"):
        output_law(keys, np.eye(2), 1e200 * np.ones(2))
    with pytest.raises(ValueRangeError, match="variances must not be negative"):
        moments(np.zeros(2), np.array([-1.0, 0.0]), np.eye(2))
    with pytest.raises(ShapeError, match="each key needs a mean, a standard deviation and one value row"):
        head_moments(np.zeros(2), np.ones(2), np.eye(3))
