"""The numbers that a classifier has for the words of one review, as JSON: with them the page judges by itself.

A visitor leaves words out or shuffles them, and `web/engine/averaging.js` says what the classifier would. Only the
words' part is sent, not the table of n-grams, which may have a million rows: with one, order matters and Python is
asked.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from regard.errors import MethodError, ValueRangeError
from regard.models.classifier.averaging import AveragingClassifier
from regard.models.classifier.base import Classifier
from regard.models.classifier.words import UNKNOWN
from regard.shapes import Float
from regard.text.bags.word_bags import word_bags

MAX_WORDS = 1_000


def page_classifier(classifier: Classifier, text: str) -> dict[str, Any]:
    """What `averaging.js` needs to judge any selection of the words of a text.

    The factor is that of the whole text: what changes is what the words say, not how long the text is.
    """
    if not isinstance(classifier, AveragingClassifier) or classifier.words_part is None:
        raise MethodError("the page judges by averages of words; this classifier has none")
    if classifier.ngrams_part is not None or classifier.rare_words_part is not None:
        raise MethodError("this classifier reads n-grams too, and the page has words alone: ask Python")
    words, bags, part = classifier.words(text), word_bags([text]), classifier.words_part
    if len(words) > MAX_WORDS:
        raise ValueRangeError(f"the page takes reviews of at most {MAX_WORDS:,} words; this one has {len(words):,}")
    rows = part.vocabulary.rows(bags.hashes)
    used, place = np.unique(rows, return_inverse=True)
    offset = int(used[0] == UNKNOWN) if len(used) else 0
    return {
        "labels": list(classifier.labels),
        "words": [{"text": words.word(i), "row": int(place[i]) - offset} for i in range(len(words))],
        "rows": _short_numbers(part.rows[used[offset:]]),
        "scores": None if part.scores is None else _short_numbers(part.scores[used[offset:]]),
        "bias": _short_numbers(part.bias),
        "layers": [{"matrix": _short_numbers(matrix), "bias": _short_numbers(bias)} for matrix, bias in part.layers],
        "activation": part.activation,
        "factor": float(classifier.factors.at(classifier.n_known(bags))[0, 0]),
        "labelBias": _short_numbers(classifier.bias),
    }


def _short_numbers(array: Float[np.ndarray, "*axes"]) -> Any:
    """Nested lists of numbers with as many digits as a float32 has: half the length of all digits of a float64."""
    shown = [float(f"{value:.9g}") for value in array.astype(np.float64).flatten().tolist()]
    return np.array(shown).reshape(array.shape).tolist()
