"""Covariances in every form, and what is refused as none."""

import numpy as np
import pytest

from regard.errors import DTypeError, ShapeError, ValueRangeError
from regard.noise import GaussianKeys, diagonal, full, isotropic, low_rank, radial
from regard.noise.keys import logit_law


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
    with pytest.raises(ShapeError, match="has numbers for 2 keys; there are 3"):
        GaussianKeys(np.eye(3), isotropic([0.1, 0.2]))
    with pytest.raises(ShapeError, match="for key 5, but there are keys 0 to 2"):
        GaussianKeys(np.eye(3), radial(0.5, key=5))
    with pytest.raises(ShapeError, match="has numbers for 2 coordinates; keys have 3"):
        GaussianKeys(np.eye(3), diagonal([0.1, 0.2]))
    with pytest.raises(ValueRangeError, match="the mean of key 1 has NaN"):
        GaussianKeys(np.array([[1.0], [np.nan]]), isotropic(0.1))


@pytest.mark.parametrize("key", [True, 1.5, "1", np.array([0, 1])])
@pytest.mark.parametrize("part", [isotropic, radial])
def test_a_key_is_a_whole_number(part, key, unchecked):
    with pytest.raises(DTypeError, match="key must be a whole number"):
        part(0.5, key=key)


def test_an_empty_matrix_is_no_covariance():
    with pytest.raises(ShapeError, match="the covariance of all keys is empty"):
        full(np.zeros((0, 0)))
