"""Two classifiers made by hand, whose answers can be worked out on paper."""

import re

import numpy as np

from regard.models.classifier.base import Classifier, Words

WORD = re.compile(r"[a-z0-9]+(?:'[a-z0-9]+)*|[^\sa-z0-9]")
LIKED = {
    "good": 2.0,
    "great": 3.0,
    "superb": 4.0,
    "like": 1.0,
    "bad": -2.0,
    "awful": -4.0,
    "dull": -1.5,
    "boring": -3.0,
    "the": 0.0,
    "film": 0.0,
    "is": 0.0,
    "not": -0.5,
    "but": 0.0,
}


class MeanClassifier(Classifier):
    """Word vectors, their mean, and something that makes logits of it; words without a vector count as zero."""

    kind = "by-hand"

    def __init__(self, vectors, labels):
        self.vectors = {word: np.asarray(vector, dtype=float) for word, vector in vectors.items()}
        self.labels = labels
        self.notes = {}
        self.width = len(next(iter(self.vectors.values())))

    def logits(self, means):
        raise NotImplementedError

    def words(self, text):
        spans = [match.span() for match in WORD.finditer(text.lower())]
        starts, ends = np.array(spans, dtype=np.int64).reshape(-1, 2).T
        known = [text[start:end].lower() in self.vectors for start, end in spans]
        return Words(text, starts, ends, np.array(known, dtype=bool))

    def table(self, text):
        words = self.words(text)
        rows = [self.vectors.get(words.word(i).lower(), np.zeros(self.width)) for i in range(len(words))]
        return np.array(rows).reshape(len(words), self.width)

    def log_probs(self, texts):
        rows = [self.log_probs_of_parts(text, np.ones((1, len(self.words(text))), dtype=bool)) for text in texts]
        return np.concatenate(rows) if rows else np.zeros((0, len(self.labels)))

    def log_probs_of_parts(self, text, kept):
        counts = np.maximum(kept.sum(axis=1, keepdims=True), 1)
        logits = self.logits(kept @ self.table(text) / counts)
        return logits - np.logaddexp.reduce(logits, axis=1, keepdims=True)

    def config(self):
        return {}

    def arrays(self):
        return {}

    @classmethod
    def restore(cls, config, arrays, *, labels, notes):
        raise NotImplementedError


class LinearClassifier(MeanClassifier):
    """logits = bias + mean of the word vectors, which are the logits' own."""

    def __init__(self, vectors, labels, bias=None):
        super().__init__(vectors, labels)
        self.bias = np.zeros(len(labels)) if bias is None else np.asarray(bias, dtype=float)

    def logits(self, means):
        return self.bias + means

    def exact_shares(self, text):
        table = self.table(text)
        return table / max(len(table), 1)


class DeepClassifier(MeanClassifier):
    """logits = tanh(mean · inner) · outer + bias."""

    def __init__(self, vectors, labels, inner, outer, bias):
        super().__init__(vectors, labels)
        self.inner, self.outer, self.bias = inner, outer, bias

    def logits(self, means):
        return np.tanh(means @ self.inner) @ self.outer + self.bias

    def gradient_shares(self, text):
        table = self.table(text)
        if not len(table):
            return np.zeros((0, len(self.labels)))
        mean = table.mean(axis=0)
        slopes = [1 - np.tanh((k + 0.5) / 500 * mean @ self.inner) ** 2 for k in range(500)]
        gradient = (self.inner * np.mean(slopes, axis=0)) @ self.outer
        return table @ gradient / len(table)


def film_critic(scale=6.0):
    """Negative against positive by a list of words: each moves the log-odds by its score times scale / length."""
    return LinearClassifier(
        {word: [-score * scale / 2, score * scale / 2] for word, score in LIKED.items()}, ("neg", "pos"), bias=[0.1, 0]
    )


def deep_critic(n_labels=3, seed=0):
    rng = np.random.default_rng(seed)
    vectors = {word: rng.standard_normal(4) for word in LIKED}
    labels = tuple(f"label {i}" for i in range(n_labels))
    return DeepClassifier(
        vectors,
        labels,
        rng.standard_normal((4, 5)),
        2 * rng.standard_normal((5, n_labels)),
        rng.standard_normal(n_labels),
    )
