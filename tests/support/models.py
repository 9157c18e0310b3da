"""Every kind of language model, trained on a small text in a moment."""

from regard.models.bigram import BigramModel
from regard.training.bigram import BigramConfig, bigram_task, train_by_counts
from regard.training.ngram import NgramConfig, train_ngram
from tests.support.texts import VERSE

MODELS = {
    f"ngram-{method}-{unit}": lambda method=method, unit=unit: train_ngram(VERSE, NgramConfig(unit=unit, method=method))
    for method in ("kneser-ney", "mixing")
    for unit in ("char", "byte", "word", "course")
}


def _bigram(**settings: object) -> BigramModel:
    return train_by_counts(bigram_task(VERSE, BigramConfig(hidden=8, width=6, iterations=20, **settings)))


MODELS |= {
    "bigram-word": _bigram,
    "bigram-char": lambda: _bigram(unit="char", activation="sigmoid"),
    "bigram-beside-counts-word": lambda: _bigram(beside_counts=True, vocabulary=20),
    "bigram-beside-counts-char": lambda: _bigram(beside_counts=True, unit="char"),
    "bigram-stopped-early-course": lambda: _bigram(stop_early=True, unit="course"),
}
