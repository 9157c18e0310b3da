"""Attention, and the small language models around it: see it, try it, measure it.

Public names load on first use, so that `import regard` and `regard --help` stay light:

>>> import numpy as np
>>> import regard
>>> regard.attention_weights(np.zeros((1, 4)), np.zeros((2, 4)))
array([[0.5, 0.5]])
"""

from __future__ import annotations

TYPE_CHECKING = False  # as in typing, which takes longer to import than all the rest of this file

if TYPE_CHECKING:
    from typing import Any

    from regard.arrays import *  # noqa: F403
    from regard.design import *  # noqa: F403
    from regard.errors import RegardError as RegardError
    from regard.errors import UnreachableError as UnreachableError
    from regard.evaluation.perplexity import evaluate as evaluate
    from regard.models.checkpoint import load_model as load_model
    from regard.noise import *  # noqa: F403
    from regard.text.corpora.corpus import find_corpus as find_corpus
    from regard.training.bigram.train import BigramConfig as BigramConfig
    from regard.training.bigram.train import bigram_task as bigram_task
    from regard.training.bigram.train import train_by_counts as train_by_counts
    from regard.training.bigram.train import train_by_sgd as train_by_sgd
    from regard.training.mixture import MixtureConfig as MixtureConfig
    from regard.training.mixture import train_mixture as train_mixture
    from regard.training.ngram import NgramConfig as NgramConfig
    from regard.training.ngram import train_ngram as train_ngram

__version__ = "0.1.0"

_NAMES = {
    "arrays": """
        MultiHead Recovery Top attend attention_weights effective_count entropy extract is_copying log_sum_exp
        masked_softmax multi_head principal_angles projector recover top
    """,
    "design": """
        Family HullBound QueryDesign Reach RobustDesign Tie average average_scale copy copy_scale hull_bound
        logit_gap mix outside_weight reachability robust smallest_scale
    """,
    "errors": "RegardError UnreachableError",
    "evaluation.perplexity": "evaluate",
    "models.checkpoint": "load_model",
    "text.corpora.corpus": "find_corpus",
    "training.bigram.train": "BigramConfig bigram_task train_by_counts train_by_sgd",
    "training.mixture": "MixtureConfig train_mixture",
    "training.ngram": "NgramConfig train_ngram",
    "noise": """
        Cotangents Covariance DensityCurve Estimate GaussianKeys LogitGradient LogitLaw Moments OutputLaw
        WeightCovariance diagonal full head_moments isotropic logit_law low_rank moment_gradient moments output_law
        radial
    """,
}
_HOMES = {name: home for home, names in _NAMES.items() for name in names.split()}
_PACKAGES = ("arrays", "design", "errors", "evaluation", "lab", "models", "noise", "text", "training")

__all__ = sorted(_HOMES)  # noqa: PLE0605


def __getattr__(name: str) -> Any:
    """A public name, or a package of them, imported when it is first asked for."""
    import importlib

    if name in _PACKAGES:
        return importlib.import_module(f"regard.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module 'regard' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"regard.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, *_PACKAGES, "__version__"])
