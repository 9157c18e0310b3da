import numpy as np
import pytest

from regard.noise import GaussianKeys, isotropic, logit_law, moments, radial

torch = pytest.importorskip("torch")


def test_torch_differentiates_through_keys_queries_and_values():
    generator = torch.Generator().manual_seed(0)
    mean = torch.randn(4, 3, dtype=torch.float64, generator=generator, requires_grad=True)
    query = torch.randn(3, dtype=torch.float64, generator=generator, requires_grad=True)
    values = torch.randn(4, 2, dtype=torch.float64, generator=generator, requires_grad=True)

    def error(mean, query, values):
        law = logit_law(GaussianKeys(mean, isotropic(0.05) + radial(0.5, key=0)), query[None])
        found = moments(law.mean[0], law.covariance[:, 0, 0], values)
        return found.output_covariance.trace() + (found.output_mean - values[1]).pow(2).sum() + found.weight_square[2]

    assert torch.autograd.gradcheck(error, (mean, query, values))


def test_torch_and_numpy_give_the_same_numbers():
    rng = np.random.default_rng(0)
    arrays = rng.standard_normal(5), rng.uniform(0, 2, 5), rng.standard_normal((5, 2))
    plain = moments(*arrays)
    tensors = moments(*(torch.as_tensor(array) for array in arrays))
    np.testing.assert_array_equal(tensors.weight_mean.numpy(), plain.weight_mean)
    np.testing.assert_array_equal(tensors.output_covariance.numpy(), plain.output_covariance)
    assert tensors.method == plain.method


def test_single_precision_stays_single():
    found = moments(torch.zeros(3), torch.ones(3), torch.eye(3))
    assert found.weight_mean.dtype == torch.float32
