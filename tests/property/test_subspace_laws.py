"""Laws of projectors, for any subspaces."""

import numpy as np
import scipy.linalg
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from regard.arrays import extract, principal_angles, projector, recover

calm = settings(deadline=None, max_examples=60)


@st.composite
def subspaces(draw):
    """Two random bases that together span no more than the whole space, and a generator of numbers."""
    width = draw(st.integers(2, 7))
    n_a = draw(st.integers(1, width - 1))
    n_b = draw(st.integers(1, width - n_a))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    return rng.standard_normal((width, n_a)), rng.standard_normal((width, n_b)), rng


def rounding(*bases: np.ndarray) -> float:
    """What a condition number makes of 1e-14."""
    return 1e-14 * max(np.linalg.cond(basis) for basis in bases) ** 2


@calm
@given(subspaces())
def test_a_projector_is_symmetric_and_projects_once_and_for_all(case):
    basis, _, _ = case
    p = projector(basis)
    assert_allclose(p, p.T, atol=1e-14)
    assert_allclose(p @ p, p, atol=1e-14)
    assert_allclose(p @ basis, basis, atol=rounding(basis))
    assert_allclose(np.trace(p), basis.shape[1], rtol=1e-13)


@calm
@given(subspaces())
def test_least_squares_is_the_same_projector(case):
    basis, _, rng = case
    total = rng.standard_normal((3, basis.shape[0]))
    expected = (basis @ np.linalg.lstsq(basis, total.T)[0]).T
    assert_allclose(extract(total, basis), expected, atol=rounding(basis))


@calm
@given(subspaces())
def test_another_basis_of_the_same_subspace(case):
    basis, _, rng = case
    mixed = basis @ scipy.linalg.qr(rng.standard_normal((basis.shape[1],) * 2))[0]
    assert_allclose(projector(mixed), projector(basis), atol=rounding(basis))


@calm
@given(subspaces())
def test_angles_are_those_of_scipy_whichever_comes_first(case):
    a, b, _ = case
    angles = principal_angles(a, b)
    assert (np.diff(angles) >= 0).all()
    assert_allclose(angles, np.sort(scipy.linalg.subspace_angles(a, b)), atol=rounding(a, b))
    assert_allclose(angles, principal_angles(b, a), atol=rounding(a, b))


@calm
@given(subspaces())
def test_a_rotation_of_everything_leaves_the_angles(case):
    a, b, rng = case
    turn = scipy.linalg.qr(rng.standard_normal((a.shape[0],) * 2))[0]
    assert_allclose(principal_angles(turn @ a, turn @ b), principal_angles(a, b), atol=rounding(a, b))


@calm
@given(subspaces())
def test_a_summand_is_recovered_and_the_orthogonal_error_is_exact(case):
    a, b, rng = case
    v_a, v_b = a @ rng.standard_normal(a.shape[1]), b @ rng.standard_normal(b.shape[1])
    found = recover(v_a + v_b, a, b)
    tolerance = 100 * rounding(a, b) * found.noise_gain
    assert_allclose(found.value, v_a, atol=tolerance)
    assert_allclose(found.error, projector(a) @ v_b, atol=tolerance)
    assert np.linalg.norm(found.error) <= found.worst_error_per_unit * np.linalg.norm(v_b) + tolerance


@calm
@given(subspaces())
def test_the_worst_error_is_reached(case):
    """It is the largest |P_A v_b| for |v_b| = 1, the norm of the product of both projectors."""
    a, b, _ = case
    worst = np.linalg.norm(projector(a) @ projector(b), ord=2)
    assert_allclose(recover(np.zeros(a.shape[0]), a, b).worst_error_per_unit, worst, atol=rounding(a, b))


@calm
@given(subspaces())
def test_the_noise_gain_is_the_norm_of_the_oblique_projector(case):
    a, b, _ = case
    found = recover(np.eye(a.shape[0]), a, b)
    tolerance = 100 * rounding(a, b) * found.noise_gain**2
    assert_allclose(np.linalg.norm(found.value, ord=2), found.noise_gain, rtol=0, atol=tolerance)
    assert_allclose(found.value.T @ a, a, atol=tolerance)
    assert_allclose(found.value.T @ b, 0, atol=tolerance)
