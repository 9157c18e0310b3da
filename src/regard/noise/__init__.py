"""Random keys → law of the logits → law of weights and output, exact or sampled."""

from regard.noise.covariance import Covariance, diagonal, full, isotropic, low_rank, radial
from regard.noise.gradient import Cotangents, LogitGradient, moment_gradient, moments
from regard.noise.keys import GaussianKeys, LogitLaw, logit_law
from regard.noise.law import OutputLaw, WeightCovariance, output_law
from regard.noise.moments import Moments, head_moments
from regard.noise.one_weight.distribution import DensityCurve
from regard.noise.one_weight.event import Estimate

__all__ = [
    "Cotangents",
    "Covariance",
    "DensityCurve",
    "Estimate",
    "GaussianKeys",
    "LogitGradient",
    "LogitLaw",
    "Moments",
    "OutputLaw",
    "WeightCovariance",
    "diagonal",
    "full",
    "head_moments",
    "isotropic",
    "logit_law",
    "low_rank",
    "moment_gradient",
    "moments",
    "output_law",
    "radial",
]
