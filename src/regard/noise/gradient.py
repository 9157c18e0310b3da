"""Derivatives of every moment of one head with respect to the means and variances of its logits.

A scalar that depends on the moments through cotangents a, b, g, H,

    F = Σ a_i E α_i + Σ b_i E α_i² + g · E c + ⟨H, Cov c⟩,

is again one integral of one-key kernels, ∫ Ψ P du, and the kernels differentiate into each other:
∂M_k/∂mean = k M_k − M_{k+1}, and the heat equation ∂M_k/∂variance = ½ ∂²M_k/∂mean². For example

    ∂E α_i/∂mean_j = δ_ij E α_i − E α_i α_j.

`moments` gives torch the integrals of `moments.head_moments`, with these exact derivatives as the backward pass.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from regard.arrays.namespace import float64_array, floating, quiet
from regard.errors import ShapeError, ValueRangeError
from regard.noise.integral import WeightIntegral, weight_integral
from regard.noise.moments import Moments, check_logits, head_moments
from regard.shapes import Array, Float


@dataclass(frozen=True)
class Cotangents:
    """How much a scalar changes with each moment; None where it does not depend on it."""

    weight_mean: Float[np.ndarray, " key"] | None = None
    weight_square: Float[np.ndarray, " key"] | None = None
    output_mean: Float[np.ndarray, " width"] | None = None
    output_covariance: Float[np.ndarray, "width width"] | None = None


@dataclass(frozen=True)
class LogitGradient:
    """How much the scalar changes with each logit's mean and variance, and with the values."""

    mean: Float[np.ndarray, " key"]
    variance: Float[np.ndarray, " key"]
    values: Float[np.ndarray, "key width"]


def moment_gradient(
    mean: Float[np.ndarray, " key"],
    sd: Float[np.ndarray, " key"],
    values: Float[np.ndarray, "key width"],
    cotangents: Cotangents,
) -> LogitGradient:
    """The gradient of F in all logit means and variances, at the cost of one more integral.

    >>> only_first = Cotangents(weight_mean=np.array([1.0, 0.0]))
    >>> moment_gradient(np.zeros(2), np.zeros(2), np.eye(2), only_first).mean      # α₁(1 − α₁)
    array([ 0.25, -0.25])
    """
    mean, sd, values = check_logits(mean, sd, values)
    keys, width = values.shape
    of_keys, of_output = (keys,), (width,)
    shapes: dict[str, tuple[int, ...]] = {"weight_mean": of_keys, "weight_square": of_keys, "output_mean": of_output}
    shapes["output_covariance"] = (width, width)
    given = {name: _check_cotangent(getattr(cotangents, name), name, shape) for name, shape in shapes.items()}
    with quiet():
        found = integral_gradient(weight_integral(mean, sd, order=4), values, Cotangents(**given))
    if not all(np.isfinite(part).all() for part in vars(found).values()):
        raise ValueRangeError("the gradient is beyond the range of float64: make the values or cotangents smaller")
    return found


def _check_cotangent(part: Any, name: str, shape: tuple[int, ...]) -> Float[np.ndarray, "*moment"] | None:
    if part is None:
        return None
    numbers = float64_array(part, name=f"the cotangent of {name}")
    if numbers.shape != shape:
        raise ShapeError(f"the cotangent of {name} needs the shape {shape}; got {numbers.shape}")
    if not np.isfinite(numbers).all():
        raise ValueRangeError(f"the cotangent of {name} must be finite; there is NaN or infinity")
    return numbers


def integral_gradient(
    found: WeightIntegral, values: Float[np.ndarray, "key width"], cotangents: Cotangents
) -> LogitGradient:
    """Derivatives as in `moment_gradient`, from an existing integral with ratios up to order 4."""
    r1, r2, r3, r4 = found.ratios
    parts = _Integrand.of(found, values, cotangents)
    by_mean = parts.change(found, -r1, r1 - r2, 2 * r2 - r3)
    by_variance = parts.change(found, (r2 - r1) / 2, (r1 - 3 * r2 + r3) / 2, (4 * r2 - 5 * r3 + r4) / 2)
    return LogitGradient(mean=by_mean, variance=by_variance, values=parts.by_values(found, cotangents))


@dataclass(frozen=True)
class _Integrand:
    """Ψ = Σ_i (linear_i + v_i·HG_i(u)) … as far as a change of one key's kernels can touch it."""

    linear: Float[np.ndarray, " key"]  # ∂Ψ/∂r_i that does not depend on u
    square: Float[np.ndarray, " key"]  # ∂Ψ/∂q_i
    own: Float[np.ndarray, " key"]  # v_iᵀ H v_i
    centred: Float[np.ndarray, "key width"]  # v_i relative to E c
    both: Float[np.ndarray, "width width"]  # H + Hᵀ
    along: Float[np.ndarray, "node width"]  # G(u) = Σ v_i r_i
    psi: Float[np.ndarray, " node"]

    @classmethod
    def of(cls, found: WeightIntegral, values: Float[np.ndarray, "key width"], cotangents: Cotangents) -> _Integrand:
        r1, r2 = found.of_keys(1), found.of_keys(2)
        n_keys, width = values.shape
        linear = _or_zero(cotangents.weight_mean, n_keys) + values @ _or_zero(cotangents.output_mean, width)
        h = np.zeros((width, width)) if cotangents.output_covariance is None else cotangents.output_covariance
        centred = values - (found.mass @ r1) @ values
        along = r1 @ centred
        own = np.einsum("kw,wx,kx->k", centred, h, centred)
        square = own + _or_zero(cotangents.weight_square, n_keys)
        psi = r1 @ linear + np.einsum("uw,wx,ux->u", along, h, along) + r2 @ square - r1**2 @ own
        return cls(linear, square, own, centred, h + h.T, along, psi)

    def change(
        self,
        found: WeightIntegral,
        d_log_l: Float[np.ndarray, "node law"],
        d_first: Float[np.ndarray, "node law"],
        d_second: Float[np.ndarray, "node law"],
    ) -> Float[np.ndarray, " key"]:
        """∫ (Ψ ∂ln L_j + ∂Ψ/∂r_j ∂r_j + ∂Ψ/∂q_j ∂q_j) P du, given ∂L/L, ∂D/L, ∂Q/L of each law."""
        r1, r2 = found.ratios[0], found.ratios[1]
        mass, keys = found.mass, found.law_of_key
        d_r, d_q = d_first - r1 * d_log_l, d_second - r2 * d_log_l
        with_others = ((self.along * mass[:, None]).T @ d_r).T[keys]
        return np.asarray(
            ((mass * self.psi) @ d_log_l)[keys]
            + self.linear * (mass @ d_r)[keys]
            + (self.centred @ self.both * with_others).sum(axis=1)
            - 2 * self.own * (mass @ (r1 * d_r))[keys]
            + self.square * (mass @ d_q)[keys]
        )

    def by_values(self, found: WeightIntegral, cotangents: Cotangents) -> Float[np.ndarray, "key width"]:
        """E α_i g + (H + Hᵀ) Cov(α_i, c), with Cov(α_i, c) = ∫ r_i G P du + v_i ∫ (q_i − r_i²) P du."""
        r1, r2 = found.of_keys(1), found.of_keys(2)
        own = found.mass @ (r2 - r1**2)
        with_output = (r1 * found.mass[:, None]).T @ self.along + self.centred * own[:, None]
        g = _or_zero(cotangents.output_mean, self.centred.shape[1])
        return np.outer(found.mass @ r1, g) + with_output @ self.both


def _or_zero(cotangent: Float[np.ndarray, " axis"] | None, size: int) -> Float[np.ndarray, " axis"]:
    return np.zeros(size) if cotangent is None else cotangent


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
