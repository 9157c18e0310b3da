"""What a study sends to its workers and gets back: plain JSON and arrays, as bytes that are no pickles.

Texts, word vectors and classifiers are the same for many batches: each is packed once, and sent as `SharedBytes`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from regard.cluster import SharedBytes
from regard.models.checkpoint import classifier_from_parts
from regard.models.classifier.base import Classifier
from regard.models.folder import parse_tensors, tensor_bytes
from regard.models.folder_writer import classifier_parts
from regard.records import LabelledTexts
from regard.text.vectors.word_vectors import WordVectors

RECORD = "record"
"""The name under which the JSON stands among the arrays."""


def pack(record: Any, arrays: Mapping[str, np.ndarray]) -> bytes:
    """A record of plain JSON and arrays by name, as safetensors.

    >>> unpack(pack({"n": 0.1}, {"ids": np.arange(2)}))
    ({'n': 0.1}, {'ids': array([0, 1])})
    """
    return tensor_bytes({RECORD: np.frombuffer(json.dumps(record).encode(), np.uint8), **arrays})


def unpack(content: bytes) -> tuple[Any, dict[str, np.ndarray]]:
    """The record and the arrays again."""
    arrays = parse_tensors(content, Path("what a worker was sent"))
    return json.loads(arrays.pop(RECORD).tobytes()), arrays


def pack_texts(data: LabelledTexts) -> SharedBytes:
    """Labelled texts, for workers."""
    return SharedBytes.of(pack({"texts": data.texts, "labels": data.labels}, {"label_ids": data.label_ids}))


def unpack_texts(shared: SharedBytes) -> LabelledTexts:
    """The labelled texts again."""
    record, arrays = unpack(shared.content)
    return LabelledTexts(tuple(record["texts"]), arrays["label_ids"], tuple(record["labels"]))


def pack_vectors(vectors: WordVectors) -> SharedBytes:
    """Word vectors, for workers."""
    return SharedBytes.of(pack(list(vectors.words), {"vectors": np.asarray(vectors.vectors)}))


def unpack_vectors(shared: SharedBytes) -> WordVectors:
    """The word vectors again, without the report of their file."""
    words, arrays = unpack(shared.content)
    return WordVectors(words, arrays["vectors"])


def pack_classifier(classifier: Classifier) -> SharedBytes:
    """A classifier, for workers."""
    return SharedBytes.of(pack(*classifier_parts(classifier)))


def unpack_classifier(shared: SharedBytes) -> Classifier:
    """The classifier again; it answers every text as the one that was packed does, to the last bit."""
    return classifier_from_parts(*unpack(shared.content))
