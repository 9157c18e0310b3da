"""Small networks with random weights."""

from __future__ import annotations

import numpy as np

from regard.models.bigram import BigramNetwork


def random_network(seed=0, *, width=3, hidden=4, vocab=5, activation="sigmoid") -> BigramNetwork:
    rng = np.random.default_rng(seed)
    shapes = [(vocab + 1, width), (width, hidden), (hidden,), (hidden, vocab), (vocab,)]
    vectors, w1, b1, w2, b2 = (rng.standard_normal(shape) for shape in shapes)
    return BigramNetwork(vectors, w1, b1, w2, b2, activation=activation)
