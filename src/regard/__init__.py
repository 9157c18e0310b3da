"""Attention, and the small language models around it: see it, try it, measure it.

What the command line does, one call does here: `regard.check`, `regard.train_ngram` and the other trainers,
`regard.load`, `regard.evaluate`, `regard.study.one_vs_many` and the other studies. Names load on first use, so that
`import regard` and `regard --help` stay light:

>>> import numpy as np
>>> import regard
>>> regard.attention_weights(np.zeros((1, 4)), np.zeros((2, 4)))
array([[0.5, 0.5]])

`from regard import *` takes only names that no builtin, NumPy, PyTorch or math has; the others (`regard.copy`,
`regard.average`, `regard.load` …) are there all the same, by their full names or imported one by one.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # as in typing, which takes longer to import than all the rest of this file


def _end_at_once(number: int, frame: object) -> None:
    """What Ctrl-C does until `regard.cli.main` has begun: nothing has been written that would have to be removed."""
    import os

    os.write(2, b"regard: interrupted\n")
    os._exit(130)


def _is_command() -> bool:
    """Whether this process is `regard` or `python -m regard`, and not somebody's program that imports Regard."""
    words = getattr(sys, "orig_argv", [])
    if "-m" in words and sys.argv[:1] == ["-m"]:
        return words[words.index("-m") + 1 :][:1] == ["regard"]
    return bool(sys.argv) and sys.argv[0].replace("\\", "/").rpartition("/")[2].removesuffix(".exe") == "regard"


if _is_command():
    import _signal  # type: ignore[import-not-found]  # what signal is made of, which takes longer to import

    if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
        _signal.signal(_signal.SIGINT, _end_at_once)

if TYPE_CHECKING:
    from typing import Any

    from regard.arrays import *  # noqa: F403
    from regard.claims.check import check as check
    from regard.design import *  # noqa: F403
    from regard.errors import RegardError as RegardError
    from regard.errors import UnreachableError as UnreachableError
    from regard.models.checkpoint import load as load
    from regard.models.checkpoint import load_classifier as load_classifier
    from regard.models.checkpoint import load_model as load_model
    from regard.models.ngram.model import NgramConfig as NgramConfig
    from regard.noise import *  # noqa: F403
    from regard.studies.attention.key_files import read_keys as read_keys
    from regard.studies.claims import check_document as check_document
    from regard.studies.head_bits import plan_bits as plan_bits
    from regard.studies.heads import heads as heads
    from regard.studies.model_measures import evaluate as evaluate
    from regard.studies.training.averaging import train_averaging as train_averaging
    from regard.studies.training.bigram import train_bigram as train_bigram
    from regard.studies.training.glove import train_glove as train_glove
    from regard.studies.training.mixture import train_mixture as train_mixture
    from regard.studies.training.network import train_recurrent as train_recurrent
    from regard.studies.training.network import train_transformer as train_transformer
    from regard.studies.training.ngram import train_ngram as train_ngram
    from regard.studies.training.run import split_text as split_text
    from regard.text.corpora.corpus import find_corpus as find_corpus
    from regard.training.averaging.config import AveragingConfig as AveragingConfig
    from regard.training.bigram.train import BigramConfig as BigramConfig
    from regard.training.bigram.train import bigram_task as bigram_task
    from regard.training.bigram.train import train_by_counts as train_by_counts
    from regard.training.bigram.train import train_by_sgd as train_by_sgd
    from regard.training.mixture import MixtureConfig as MixtureConfig

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
    "models.checkpoint": "load load_classifier load_model",
    "noise": """
        Cotangents Covariance DensityCurve Estimate GaussianKeys LogitGradient LogitLaw Moments OutputLaw
        WeightCovariance diagonal full head_moments isotropic logit_law low_rank moment_gradient moments output_law
        radial
    """,
    "studies.attention.key_files": "read_keys",
    "claims.check": "check",
    "studies.claims": "check_document",
    "studies.model_measures": "evaluate",
    "studies.head_bits": "plan_bits",
    "studies.heads": "heads",
    "studies.training.averaging": "train_averaging",
    "studies.training.bigram": "train_bigram",
    "studies.training.glove": "train_glove",
    "studies.training.mixture": "train_mixture",
    "studies.training.network": "train_recurrent train_transformer",
    "studies.training.ngram": "train_ngram",
    "studies.training.run": "split_text",
    "text.corpora.corpus": "find_corpus",
    "training.averaging.config": "AveragingConfig",
    "training.bigram.train": "BigramConfig bigram_task train_by_counts train_by_sgd",
    "training.mixture": "MixtureConfig",
    "models.ngram.model": "NgramConfig",
}
"""Each module and the public names in it."""
_HOMES = {name: home for home, names in _NAMES.items() for name in names.split()}
_PACKAGES = (
    *("arrays", "claims", "design", "errors", "evaluation", "lab", "models", "noise", "pretrained"),
    *("progress", "records", "report", "studies", "study", "text", "training"),
)
_SHADOWS = frozenset({"average", "copy", "diagonal", "extract", "full", "load"})
"""Names that NumPy or PyTorch have too."""

__all__ = sorted(_HOMES.keys() - _SHADOWS)  # noqa: PLE0605


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
    return sorted([*_HOMES, *_PACKAGES, "__version__"])
