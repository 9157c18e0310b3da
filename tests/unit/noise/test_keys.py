"""Noisy keys from parts, from one matrix and from a matrix for each key; what is no covariance is refused in a line."""

import numpy as np
import pytest

from regard.errors import CovarianceError, ShapeError
from regard.noise import GaussianKeys, diagonal, full, isotropic, logit_law, output_law, radial

RNG = np.random.default_rng(3)
ROOT = RNG.standard_normal((3, 3))
MATRIX = ROOT @ ROOT.T
MEAN = RNG.standard_normal((4, 3))


def test_one_matrix_holds_for_all_keys():
    keys = GaussianKeys(MEAN, MATRIX)
    for key in range(4):
        np.testing.assert_allclose(keys.matrix(key), MATRIX, rtol=1e-14)
    given, made = (logit_law(each, MEAN[:2]) for each in (keys, GaussianKeys(MEAN, full(MATRIX))))
    np.testing.assert_array_equal(given.covariance, made.covariance)


def test_a_matrix_for_each_key():
    matrices = np.arange(1, 5)[:, None, None] * MATRIX
    keys = GaussianKeys(MEAN, matrices)
    for key in range(4):
        np.testing.assert_allclose(keys.matrix(key), (key + 1) * MATRIX, rtol=1e-14)
    query = np.array([0.3, -0.2, 0.5])
    np.testing.assert_allclose(
        logit_law(keys, query[None]).sd(0) ** 2, np.arange(1, 5) * (query @ MATRIX @ query), rtol=1e-13
    )


def test_lists_and_tensors_are_matrices_too():
    torch = pytest.importorskip("torch")
    np.testing.assert_allclose(GaussianKeys(MEAN, MATRIX.tolist()).matrix(0), MATRIX, rtol=1e-14)
    keys = GaussianKeys(torch.as_tensor(MEAN), torch.as_tensor(MATRIX))
    np.testing.assert_allclose(keys.matrix(0), MATRIX, rtol=1e-14)


def test_rounding_of_a_matrix_is_forgiven_in_its_own_precision():
    singular = np.outer(MEAN[0], MEAN[0])
    assert np.linalg.eigvalsh(singular)[0] < 1e-12
    GaussianKeys(MEAN, singular)
    single = singular.astype(np.float32)
    single[0, 1] *= 1 + 1e-6
    found = GaussianKeys(MEAN, single).matrix(0)
    np.testing.assert_array_equal(found, found.T)
    with pytest.raises(CovarianceError, match="the covariance of all keys is not symmetric"):
        GaussianKeys(MEAN, single.astype(np.float64))


@pytest.mark.parametrize(
    ("covariance", "kind", "message"),
    [
        (-np.eye(3), CovarianceError, "of all keys is not positive semi-definite: its smallest eigenvalue is -1"),
        (np.stack([np.eye(3), np.eye(3), -np.eye(3), np.eye(3)]), CovarianceError, "of key 2 is not positive"),
        (np.triu(np.ones((3, 3))), CovarianceError, r"not symmetric; use \(S \+ S\.T\) / 2"),
        (np.full((3, 3), np.nan), CovarianceError, "must be finite; that of all keys is not"),
        (np.eye(2), ShapeError, "has numbers for 2 coordinates; keys have 3"),
        (np.stack([np.eye(3)] * 2), ShapeError, "has numbers for 2 keys; there are 4"),
        (np.ones((3, 2)), ShapeError, r"must be square; got shape \(3, 2\)"),
        (0.5, ShapeError, r"got 0 axes: for one variance use isotropic\(…\), for one a coordinate diagonal\(…\)"),
        (np.ones(3), ShapeError, r"got 1 axes: for one variance use isotropic"),
    ],
)
def test_what_is_no_covariance_is_refused_in_one_line(covariance, kind, message):
    with pytest.raises(kind, match=message) as refused:
        GaussianKeys(MEAN, covariance)
    assert "\n" not in str(refused.value)


def test_the_scale_of_attention_may_be_named():
    keys = GaussianKeys(MEAN, isotropic(0.2))
    named, given = (logit_law(keys, MEAN[:1], scale=scale) for scale in ("sqrt", 1 / 3**0.5))
    np.testing.assert_array_equal(named.mean, given.mean)
    np.testing.assert_array_equal(named.covariance, given.covariance)
    laws = [output_law(keys, np.eye(4), MEAN[0], scale=scale) for scale in ("sqrt", 1 / 3**0.5)]
    np.testing.assert_array_equal(laws[0].covariance, laws[1].covariance)
    assert laws[0].error == laws[1].error


def test_keys_and_laws_are_shown_in_one_line():
    keys = GaussianKeys(MEAN, isotropic(0.25) + radial(0.5, key=1) + diagonal(np.ones(3)))
    assert repr(keys) == (
        "GaussianKeys(mean=float64[4 × 3], covariance=isotropic(0.25) + radial(0.5, key=1) + diagonal(float64[3]))"
    )
    law = output_law(keys, np.eye(4), MEAN[0])
    for shown in (repr(law), repr(law.logits), repr(law.heads[0]), repr(law.weight_covariance([0, 1]))):
        assert "\n" not in shown
        assert len(shown) <= 160
    assert repr(law).startswith("OutputLaw(heads=1, keys=4, mean=[")
    assert "<caption>OutputLaw</caption>" in law._repr_html_()
    assert "<td>&#x27;integral&#x27;</td>" in law._repr_html_()
