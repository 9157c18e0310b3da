"""Averaging classifiers of every make, trained on a few lines in a moment."""

from functools import cache

import numpy as np

from regard.models.classifier.averaging import AveragingClassifier
from regard.records import LabelledTexts
from regard.text.vectors.word_vectors import WordVectors
from regard.training.averaging.train import AveragingConfig, train_averaging

LIKED = ("a good film, great fun", "superb! not bad at all", "i like it: a fine cast", "great acting and a good end")
HATED = ("bad, dull and boring", "an awful mess of a film", "poor acting, not good at all", "i hate the end: so dull")
SEEN = ("we saw it on a monday", "the film is two hours long", "it was made in 1950", "the cast is from france")
TWO = LabelledTexts((LIKED + HATED) * 4, np.array(([1] * 4 + [0] * 4) * 4), ("negative", "positive"))
THREE = LabelledTexts((LIKED + HATED + SEEN) * 4, np.array(([0] * 4 + [1] * 4 + [2] * 4) * 4), ("good", "bad", "fact"))
VECTORS = WordVectors(["good", "bad", "film", "dull"], np.eye(4, 5, dtype=np.float32))

MAKES = {
    "linear": {"form": "classic", "layers": 0},
    "one-layer": {"form": "classic", "layers": 1},
    "three-layers-tanh": {"form": "classic", "layers": 3, "activation": "tanh", "hidden": 5},
    "gelu": {"form": "classic", "layers": 2, "activation": "gelu", "hidden": 6},
    "attention": {"form": "classic", "layers": 1, "attention": True},
    "linear-strong": {"form": "strong", "layers": 0},
    "strong": {"form": "strong"},
}

SMALL = {"epochs": 8, "width": 6, "folds": 4, "parts": 2, "batch_size": 8, "learning_rate": 0.02, "vector_rate": 0.05}


@cache
def trained(make: str, n_labels: int = 2, *, given: bool = False) -> AveragingClassifier:
    data = TWO if n_labels == 2 else THREE
    config = AveragingConfig(**MAKES[make], **SMALL)
    return train_averaging(data, config, vectors=VECTORS if given else None)
