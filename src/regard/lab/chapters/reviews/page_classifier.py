"""An averaging classifier as one file that a browser reads: words, their rows, layers and figures together.

The file is safetensors; what is no tensor stands in its header, as JSON under the key "regard":

    {"kind": "averaging", "labels": […], "words": "the\\na\\n…", "activation": "relu", "lengths": […], "factors": […],
     "measured": {…}, "facts": {…}}

Word i has row i. Rows are stored in half precision; `web/engine/averaging.js` reads the file and judges texts. The page
has words alone: a classifier that reads n-grams too has a table of a million rows, and Python is asked.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from importlib.resources import files
from typing import Any

import numpy as np

from regard.errors import CheckpointError, MethodError
from regard.models.classifier.averaging import AveragingClassifier, LengthFactors
from regard.models.classifier.base import Classifier
from regard.models.classifier.familiarity import MeasuredAccuracy
from regard.models.classifier.words import WordAverage
from regard.models.folder import under
from regard.text.word_bags import plain_bytes, word_hashes, word_spans

SHIPPED = "films.safetensors"
MAX_BYTES = 300_000
"""Of a file that ships with the package."""


def page_classifier_bytes(
    classifier: Classifier, texts: Iterable[str], *, facts: dict[str, Any] | None = None
) -> bytes:
    """The file of a classifier; the words that it knows are found in the `texts` that it was trained on."""
    from safetensors.numpy import save

    if not isinstance(classifier, AveragingClassifier) or classifier.words_part is None:
        raise MethodError("the page judges by averages of words; this classifier has none")
    if classifier.ngrams_part is not None or classifier.rare_words_part is not None:
        raise MethodError("this classifier reads n-grams too, and the page has words alone: ask Python")
    part, measured = classifier.words_part, classifier.measured
    words = known_words(part, texts)
    order = part.vocabulary.rows(word_hashes(words))
    about = {
        "kind": classifier.kind,
        "labels": list(classifier.labels),
        "words": "\n".join(words),
        "activation": part.activation,
        "lengths": list(classifier.factors.lengths),
        "factors": [factors[0] for factors in classifier.factors.factors],
        "measured": None if measured is None else measured.config(),
        "facts": facts or {},
    }
    arrays = {"bias": classifier.bias, "words.bias": part.bias}
    for i, (matrix, bias) in enumerate(part.layers):
        arrays |= {f"layers.{i}.matrix": matrix, f"layers.{i}.bias": bias}
    if part.scores is not None:
        arrays["scores"] = part.scores[order]
    if measured is not None:
        arrays |= {f"measured.{name}": table for name, table in measured.arrays().items()}
    numbers = {name: np.ascontiguousarray(array, np.float32) for name, array in sorted(arrays.items())}
    return save({**numbers, "rows": part.rows[order].astype(np.float16)}, {"regard": json.dumps(about)})


def known_words(part: WordAverage, texts: Iterable[str]) -> list[str]:
    """The words of a classifier in alphabetical order; of a vocabulary it has only the hashes."""
    found = {
        plain_bytes(text[start:end]).decode() for text in texts for start, end in zip(*word_spans(text), strict=True)
    }
    ordered = sorted(found)
    return [word for word, known in zip(ordered, part.is_known(word_hashes(ordered)), strict=True) if known]


def read_page_classifier(data: bytes) -> AveragingClassifier:
    """The classifier in such a file, with which Python gives the page's numbers."""
    from safetensors import SafetensorError
    from safetensors.numpy import load

    try:
        length = int.from_bytes(data[:8], "little")
        about = json.loads(json.loads(data[8 : 8 + length])["__metadata__"]["regard"])
        arrays = load(data)
        words = about["words"].split("\n")
        part = _read_words_part(words, arrays, about["activation"])
        factors = tuple((factor, 0.0, 0.0) for factor in about["factors"])
        measured = about["measured"]
        classifier = AveragingClassifier(
            tuple(about["labels"]), part, None, LengthFactors(tuple(about["lengths"]), factors),
            arrays["bias"].astype(np.float64), {"facts": about["facts"]},
        )  # fmt: skip
        if measured is None:
            return classifier
        return replace(classifier, measured=MeasuredAccuracy.restore(measured, under("measured.", arrays)))
    except (SafetensorError, KeyError, ValueError) as error:
        raise CheckpointError("this is no file of an averaging classifier for the page; write it again") from error


def _read_words_part(words: list[str], arrays: dict[str, np.ndarray], activation: str) -> WordAverage:
    """Rows in the order of the words' hashes, and all numbers in double precision, as in the page."""
    hashes = word_hashes(words)
    order = np.argsort(hashes)
    numbers = {name: array.astype(np.float64) for name, array in arrays.items()}
    n_layers = sum(name.endswith(".matrix") for name in numbers)
    layers = tuple((numbers[f"layers.{i}.matrix"], numbers[f"layers.{i}.bias"]) for i in range(n_layers))
    scores = numbers.get("scores")
    return WordAverage(
        hashes[order], numbers["rows"][order], numbers["words.bias"], layers, activation,
        None if scores is None else scores[order],
    )  # fmt: skip


@lru_cache(maxsize=1)
def shipped_classifier() -> AveragingClassifier:
    """The classifier that ships with the package: film reviews, sentence by sentence; kept in memory."""
    return read_page_classifier(files("regard.lab").joinpath("web", "models", SHIPPED).read_bytes())
