"""The smallest language model: words or characters, each as likely as it was in training, whatever came before."""

from typing import Any

import numpy as np

from regard.models.background import Background, Speller, count_unknown_words, digest
from regard.models.base import LanguageModel
from regard.text.tokenise.tokens import Tokeniser


class Constant:
    """Says the same whatever it has read."""

    def __init__(self, log_probs):
        self.log_probs = log_probs

    def next_log_probs(self):
        return self.log_probs

    def read(self, token):
        pass


class Unigram(LanguageModel):
    """p(id) = (count + 1) / (total + vocabulary)."""

    kind = "unigram"

    def __init__(self, counts, background):
        self.counts = counts
        self.background = background

    @classmethod
    def fit(cls, text: str, tokeniser: Tokeniser):
        tokens = tokeniser.encode(text)
        background = Background(
            tokeniser=tokeniser,
            speller=Speller.fit(sorted(count_unknown_words(text, tokens, tokeniser).elements())),
            digest=digest(text),
            notes={},
        )
        return cls(np.bincount(tokens.ids, minlength=len(tokeniser.vocabulary)), background)

    def log_probs(self):
        return np.log((self.counts + 1) / (self.counts.sum() + len(self.counts)))

    def token_log_probs(self, ids):
        return self.log_probs()[ids]

    def reader(self):
        return Constant(self.log_probs())

    def config(self) -> dict[str, Any]:
        return {}

    def arrays(self):
        return {"counts": self.counts}

    @classmethod
    def restore(cls, config, arrays, background):
        return cls(arrays["counts"], background)


class Learning(Unigram):
    """A unigram model that can learn from what it scores."""

    kind = "learning"

    def adaptive_log_probs(self, ids):
        counts = self.counts + 1.0
        log_probs = []
        for i in ids.tolist():
            log_probs.append(np.log(counts[i] / counts.sum()))
            counts[i] += 1
        return np.array(log_probs)
