import math
import subprocess
import sys

import numpy as np
import pytest
import torch

from regard.arrays import extract, principal_angles, projector, recover
from regard.errors import BasisError, DTypeError, LibraryError, ShapeError, ValueRangeError

ANGLE = 0.3
ACROSS = [[1.0], [0.0], [0.0]]
ASKEW = [[math.cos(ANGLE)], [math.sin(ANGLE)], [0.0]]


def test_an_orthonormal_basis_projects_by_a_times_its_transpose(make):
    """M = A Aᵀ, and M s = v_a when v_b is orthogonal; Aᵀ s gives the coordinates."""
    basis = np.linalg.qr(np.random.default_rng(0).standard_normal((5, 2)))[0]
    np.testing.assert_allclose(projector(make(basis)), basis @ basis.T, rtol=1e-13, atol=1e-15)
    coordinates, beside = (
        np.array([3.0, -2.0]),
        np.linalg.qr(np.column_stack([basis, np.eye(5)[:, :3]]))[0][:, 2],
    )
    total = basis @ coordinates + 7 * beside
    np.testing.assert_allclose(extract(make(total), make(basis)), basis @ coordinates, rtol=1e-13)
    np.testing.assert_allclose(basis.T @ total, coordinates, rtol=1e-13)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_any_basis_of_the_subspace_gives_the_same_projector(make, dtype):
    basis = make([[1.0, 1.0], [0.0, 5.0], [0.0, 0.0]], dtype=dtype)
    actual = projector(basis)
    np.testing.assert_allclose(actual, np.diag([1.0, 1.0, 0.0]), atol=8 * np.finfo(dtype).eps)
    assert actual.dtype == basis.dtype


@pytest.mark.parametrize("size", [1e-300, 1e-200, 1e200, 1e308])
def test_the_length_of_basis_vectors_does_not_matter(make, size):
    basis = make([[0.75 * size, 0.0], [size, 0.0], [0.0, 1.0]])
    with np.errstate(all="raise", under="ignore"):
        actual = projector(basis)
    np.testing.assert_allclose(actual, [[0.36, 0.48, 0], [0.48, 0.64, 0], [0, 0, 1]], rtol=1e-14, atol=1e-15)


def test_extraction_is_batched(make):
    total = make(np.arange(12.0).reshape(2, 2, 3))
    actual = extract(total, make([[1.0], [0.0], [0.0]]))
    np.testing.assert_array_equal(actual, np.arange(12.0).reshape(2, 2, 3) * [1, 0, 0])


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ([[1, 0, 0], [0, 1, 0], [1, 1, 0]], "the 3 columns of basis span only 2 dimensions: column "),
        ([[1, 0, 0], [0, 0, 0]], "the 2 columns of basis span only 1 dimensions: column 1 depends"),
        ([[0, 0, 0]], "the 1 columns of basis span only 0 dimensions: column 0 depends"),
        (
            [[9, 0, 0], [0, 1, 0], [0, 0, 1], [1, 2, 3]],
            "the 4 columns of basis span only 3 dimensions: column ",
        ),
        (
            [[1, 0, 0], [1, 0, 0], [1, 0, 0]],
            "the 3 columns of basis span only 1 dimensions: columns 1, 2 depend",
        ),
    ],
)
def test_dependent_columns_are_told(make, columns, said):
    with pytest.raises(BasisError) as caught:
        projector(make(np.array(columns, dtype=float).T))
    assert str(caught.value).startswith(said)
    assert str(caught.value).endswith("on the others and can be left out")


def test_columns_that_depend_up_to_rounding(make):
    a, b, c = np.random.default_rng(0).standard_normal((3, 6))
    columns = np.column_stack([a, b, c, 0.1 * a - 0.7 * b + c / 3])
    with pytest.raises(BasisError, match="the 4 columns of basis span only 3 dimensions"):
        projector(make(columns))


def test_what_is_told_to_be_left_out_can_be(make):
    columns = np.array([[1.0, 0, 0, 0], [0, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 0], [1, 1, 1, 0]]).T
    with pytest.raises(BasisError) as caught:
        projector(make(columns))
    named = [int(word.strip(",")) for word in str(caught.value).split(":")[1].split() if word.strip(",").isdigit()]
    assert len(named) == 2
    actual = projector(make(np.delete(columns, named, axis=1)))
    np.testing.assert_allclose(actual, np.diag([1.0, 1, 1, 0]), atol=1e-15)


def test_nearly_dependent_is_independent_still(make):
    actual = projector(make([[1.0, 1.0], [0.0, 1e-9], [0.0, 0.0]]))
    np.testing.assert_allclose(actual, np.diag([1.0, 1.0, 0.0]), atol=1e-6)


def test_angles_worked_by_hand(make):
    np.testing.assert_allclose(principal_angles(make(ACROSS), make(ASKEW)), [ANGLE], rtol=1e-15)
    plane = make([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
    tilted = make([[1.0, 0.0], [0.0, math.cos(0.2)], [0.0, math.sin(0.2)]])
    np.testing.assert_allclose(principal_angles(plane, tilted), [0.0, 0.2], rtol=1e-15, atol=1e-16)
    np.testing.assert_allclose(principal_angles(plane, make([[0.0], [0.0], [2.0]])), [math.pi / 2])
    np.testing.assert_allclose(principal_angles(make([[0.0], [0.0], [2.0]]), plane), [math.pi / 2])


@pytest.mark.parametrize("angle", [1e-12, 1e-8, math.pi / 2 - 1e-12])
def test_small_and_nearly_right_angles_keep_their_digits(make, angle):
    """The arc cosine alone would give 0 for the first two."""
    askew = make([[math.cos(angle)], [math.sin(angle)]])
    assert float(principal_angles(make([[1.0], [0.0]]), askew)[0]) == pytest.approx(angle, rel=1e-14)


def test_recovery_worked_by_hand(make):
    v_a, v_b = np.array([2.0, 0.0, 0.0]), 5 * np.array(ASKEW)[:, 0]
    found = recover(make(v_a + v_b), make(ACROSS), make(ASKEW))
    np.testing.assert_allclose(found.value, v_a, atol=1e-14)
    np.testing.assert_allclose(found.error, [5 * math.cos(ANGLE), 0, 0], atol=1e-14)
    np.testing.assert_allclose(found.angles, [ANGLE], rtol=1e-14)
    assert found.worst_error_per_unit == pytest.approx(math.cos(ANGLE), rel=1e-14)
    assert found.noise_gain == pytest.approx(1 / math.sin(ANGLE), rel=1e-14)


def test_a_small_angle_costs_as_many_digits_as_noise_grows_and_no_more():
    rng, angle = np.random.default_rng(0), 1e-5
    for _ in range(20):
        axis, beside = np.linalg.qr(rng.normal(size=(3, 2)))[0].T
        other = np.cos(angle) * axis + np.sin(angle) * beside
        found = recover(2 * axis + 3 * other, axis[:, None], other[:, None])
        assert np.abs(found.value - 2 * axis).max() < 1e-14 / angle  # it was 1e-16/angle², 1e-6


def test_orthogonal_subspaces_are_divided_without_error(make):
    found = recover(make([[2.0, 3.0, 4.0], [5.0, 6.0, 7.0]]), make(ACROSS), make([[0.0], [1.0], [1.0]]))
    np.testing.assert_allclose(found.value, [[2, 0, 0], [5, 0, 0]], atol=1e-15)
    np.testing.assert_allclose(found.error, np.zeros((2, 3)), atol=1e-15)
    assert found.worst_error_per_unit == pytest.approx(0, abs=1e-15)
    assert found.noise_gain == 1


def test_noise_grows_by_the_gain_and_no_more(make):
    gain = recover(make(np.zeros(3)), make(ACROSS), make(ASKEW)).noise_gain
    worst = [-math.sin(ANGLE), math.cos(ANGLE), 0.0]  # orthogonal to B, where nothing of A but sin θ is seen
    value = recover(make(worst), make(ACROSS), make(ASKEW)).value
    assert float((value * value).sum()) == pytest.approx(gain**2, rel=1e-13)


def test_subspaces_that_share_a_direction(make):
    with pytest.raises(BasisError) as caught:
        recover(make(np.ones(3)), make(np.eye(3)[:, :2]), make(np.eye(3)[:, 1:]))
    assert str(caught.value) == (
        "the two subspaces share a direction (smallest principal angle 0.0e+00 rad), along which v_a cannot "
        "be distinguished from v_b: choose independent bases, or use extract and err by up to |v_b|"
    )


def test_what_does_not_fit(make, unchecked):
    basis = make(ACROSS)
    with pytest.raises(ShapeError, match=r"basis must be a matrix with the basis vectors as columns; got shape \(3,\)"):
        projector(make([1.0, 0.0, 0.0]))
    with pytest.raises(ShapeError, match=r"got shape \(3, 0\)"):
        projector(make(np.ones((3, 0))))
    with pytest.raises(ShapeError, match=r"got total \(4,\) and a basis \(3, 1\), whose columns are the vectors"):
        extract(make(np.ones(4)), basis)
    with pytest.raises(ShapeError, match=r"vectors of one width; got basis_a \(3, 1\) and basis_b \(2, 1\)"):
        principal_angles(basis, make(np.ones((2, 1))))
    with pytest.raises(ValueRangeError, match="basis must be finite; it holds NaN or infinity"):
        projector(make([[math.nan], [1.0]]))
    with pytest.raises(DTypeError, match=r"basis must be real numbers; got dtype .*complex128"):
        projector(make([[1], [0]], dtype="complex128"))
    with pytest.raises(LibraryError, match="one library"):
        recover(np.ones(3), torch.ones(3, 1), torch.ones(3, 1))


def test_gradients_against_finite_differences():
    generator = torch.Generator().manual_seed(0)
    a, b = (torch.randn(5, 2, dtype=torch.float64, generator=generator, requires_grad=True) for _ in range(2))
    total = torch.randn(5, dtype=torch.float64, generator=generator, requires_grad=True)
    assert torch.autograd.gradcheck(projector, a)
    assert torch.autograd.gradcheck(extract, (total, a))
    assert torch.autograd.gradcheck(lambda *x: recover(*x).value, (total, a, b))


def test_attention_loads_neither_scipy_nor_torch():
    code = "import sys, regard.arrays; print([m for m in ('scipy', 'torch') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
