"""Moments that torch can differentiate: the integrals of `moments`, with exact derivatives as the backward pass."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from regard.arrays.namespace import float64_array, floating
from regard.errors import ValueRangeError
from regard.noise.gradient import Cotangents, moment_gradient
from regard.noise.moments import Moments, head_moments
from regard.shapes import Array, Float


def moments(
    logit_mean: Float[Array, " key"],
    logit_variance: Float[Array, " key"],
    values: Float[Array, "key width"],
) -> Moments:
    """Exact moments of the weights and output of one head, for NumPy arrays or torch tensors.

    With torch tensors the results carry gradients with respect to all three arguments.

    >>> moments(np.zeros(2), np.array([0.5, 0.0]), np.eye(2)).weight_mean
    array([0.5, 0.5])
    """
    _, [logit_mean, logit_variance, values] = floating(
        logit_mean=logit_mean, logit_variance=logit_variance, values=values
    )
    if not hasattr(logit_mean, "requires_grad"):
        return head_moments(logit_mean, _square_root(float64_array(logit_variance, name="logit_variance")), values)
    weight_mean, weight_square, output_mean, covariance, method, error = _torch_function().apply(
        logit_mean, logit_variance, values
    )
    return Moments(weight_mean, weight_square, output_mean, covariance, method, error)


def _square_root(variance: Float[np.ndarray, " key"]) -> Float[np.ndarray, " key"]:
    if not (variance >= 0).all():
        raise ValueRangeError("the logits' variances must not be negative or NaN")
    return np.sqrt(variance)


@cache
def _torch_function() -> Any:
    """The torch.autograd.Function, made on first use: torch is not needed for anything else here."""
    import torch

    class ExactMomentsFunction(torch.autograd.Function):
        @staticmethod
        def forward(context: Any, mean: Any, variance: Any, values: Any) -> tuple[Any, ...]:
            context.save_for_backward(mean, variance, values)
            plain = [tensor.detach().double().numpy() for tensor in (mean, variance, values)]
            law = head_moments(plain[0], _square_root(plain[1]), plain[2])
            error = law.error + (0.0 if mean.dtype == torch.float64 else float(torch.finfo(mean.dtype).eps))
            arrays = law.weight_mean, law.weight_square, law.output_mean, law.output_covariance
            return (*(torch.as_tensor(array).to(mean.dtype) for array in arrays), law.method, error)

        @staticmethod
        def backward(context: Any, *gradients: Any) -> tuple[Any, ...]:
            mean, variance, values = (tensor.detach().double().numpy() for tensor in context.saved_tensors)
            cotangents = Cotangents(*(gradient.double().numpy() for gradient in gradients[:4]))
            found = moment_gradient(mean, np.sqrt(variance), values, cotangents)
            dtype = context.saved_tensors[0].dtype
            return tuple(torch.as_tensor(array).to(dtype) for array in (found.mean, found.variance, found.values))

    return ExactMomentsFunction
