"""What can be chosen when an averaging classifier is trained."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from regard.errors import ValueRangeError
from regard.models.classifier.words import ACTIVATIONS


@dataclass(frozen=True)
class AveragingConfig:
    """`form` classic reads words alone; strong reads n-grams beside them.

    Words: a word needs `min_count` occurrences to get a vector, of `width` numbers unless vectors are given; these
    learn along if `fine_tune`. `layers` hidden layers of `hidden` units; without any, the read-out of the mean is
    linear. In training each word is left out with probability `word_dropout`, each unit with `dropout`. `attention`:
    one learnt query in the place of equal weights.
    Training: `epochs` rounds at most, with rates that fall to zero, of vectors and of all else; `patience` rounds
    without a better result on the validation share `valid` end it.
    N-grams: up to `order` words that at least `min_texts` texts have, in a table of 2^`bits` rows. `smoothing` is added
    to every count of the naive-Bayes ratios, each of which leaves one of the `folds` out; the regression leaves one of
    the `parts` out. It takes at most `iterations` steps, and `penalty` pulls its numbers to the ratios.
    """

    form: Literal["classic", "strong"] = "strong"
    seed: int = 0
    valid: float = 0.05
    min_count: int = 2
    width: int = 100
    fine_tune: bool = True
    layers: int = 1
    hidden: int = 32
    activation: str = "relu"
    dropout: float = 0.2
    word_dropout: float = 0.5
    attention: bool = False
    epochs: int = 6
    patience: int = 3
    batch_size: int = 128
    learning_rate: float = 1e-3
    vector_rate: float = 3e-3
    order: int = 3
    bits: int = 24
    min_texts: int = 2
    folds: int = 20
    parts: int = 5
    smoothing: float = 1.0
    penalty: float = 5e-7
    iterations: int = 20

    def __post_init__(self) -> None:
        if self.form not in ("classic", "strong"):
            raise ValueRangeError(f"form must be classic or strong; got {self.form!r}")
        if self.activation not in ACTIVATIONS:
            raise ValueRangeError(f"there is no activation {self.activation!r}; choose from {', '.join(ACTIVATIONS)}")
        for name, least, most in RANGES:
            if not least <= getattr(self, name) <= most:
                raise ValueRangeError(f"{name} must be from {least} to {most}; got {getattr(self, name)}")
        if self.parts > self.folds:
            raise ValueRangeError(f"parts must be at most folds, {self.folds}; got {self.parts}")


RANGES = (
    ("valid", 0.01, 0.5),
    ("min_count", 1, 10**9),
    ("width", 1, 10_000),
    ("layers", 0, 3),
    ("hidden", 1, 10_000),
    ("dropout", 0.0, 0.95),
    ("word_dropout", 0.0, 0.95),
    ("epochs", 1, 10_000),
    ("patience", 1, 10_000),
    ("batch_size", 1, 10**6),
    ("learning_rate", 1e-8, 10.0),
    ("vector_rate", 1e-8, 10.0),
    ("order", 1, 5),
    ("bits", 8, 26),
    ("min_texts", 1, 10**9),
    ("folds", 2, 100),
    ("parts", 2, 100),
    ("smoothing", 1e-6, 1e6),
    ("penalty", 0.0, 1e6),
    ("iterations", 1, 10_000),
)
"""Name, least and largest value."""
