"""The gradients that are written by hand, against finite differences and against autograd."""

import pytest
import torch
from torch import Tensor

from regard.models.transformer.network import RootMeanSquareNorm, Rotation, rotate


def numbers(*shape: int) -> Tensor:
    return torch.randn(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(len(shape)))


def angles() -> Tensor:
    return torch.linspace(0, 3, 12, dtype=torch.float64).reshape(4, 1, 3)


def test_a_norm_worked_by_hand() -> None:
    normed = RootMeanSquareNorm.apply(torch.tensor([[3.0, 4.0]]), torch.tensor([1.0, 2.0]), 12.5)
    torch.testing.assert_close(normed, torch.tensor([[0.6, 1.6]]))  # √((9 + 16)/2 + 12.5) = 5


@pytest.mark.parametrize("shape", [(2, 4, 5), (7, 5)])
def test_the_norm_and_its_gradient(shape: tuple[int, ...]) -> None:
    x, weight = numbers(*shape).requires_grad_(), numbers(5).requires_grad_()
    plain = weight * x / (x.square().mean(-1, keepdim=True) + 0.1).sqrt()
    torch.testing.assert_close(RootMeanSquareNorm.apply(x, weight, 0.1), plain)
    assert torch.autograd.gradcheck(lambda x, weight: RootMeanSquareNorm.apply(x, weight, 0.1), (x, weight))


def test_a_quarter_turn() -> None:
    """(a, b) → (−b, a) in every pair, which are numbers half a width apart."""
    zeros, ones = torch.zeros(1, 2), torch.ones(1, 2)
    torch.testing.assert_close(rotate(torch.tensor([[1.0, 2, 3, 4]]), zeros, ones), torch.tensor([[-3.0, -4, 1, 2]]))


def test_a_rotation_and_its_gradient() -> None:
    x = numbers(2, 4, 3, 6).requires_grad_()
    cos, sin = angles().cos(), angles().sin()
    as_complex = torch.complex(x[..., :3], x[..., 3:]) * torch.polar(torch.ones_like(angles()), angles())
    torch.testing.assert_close(Rotation.apply(x, cos, sin), torch.cat([as_complex.real, as_complex.imag], dim=-1))
    assert torch.autograd.gradcheck(lambda x: Rotation.apply(x, cos, sin), (x,))


def test_a_rotation_of_a_part_of_a_tensor() -> None:
    """Queries and keys are the first two thirds of what a layer projects."""
    x, cos, sin = numbers(2, 4, 6, 6), angles().cos(), angles().sin()
    torch.testing.assert_close(rotate(x[:, :, :4], cos, sin), rotate(x, cos, sin)[:, :, :4])
