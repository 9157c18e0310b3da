"""A classifier as a folder, like that of a language model: config.json and model.safetensors, never pickle."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

from regard.errors import CheckpointError
from regard.models.checkpoint import (
    FORMAT,
    json_bytes,
    read_folder,
    read_tensors,
    require_room,
    tensor_bytes,
    write_folder,
)
from regard.models.checkpoint import KINDS as LANGUAGE_MODELS
from regard.models.classifier import Classifier

KINDS = {"averaging": "regard.models.averaging:AveragingClassifier"}
"""Each kind of classifier, and the class that restores it."""


def save_classifier(classifier: Classifier, folder: Path | str, *, beside: Mapping[str, bytes] | None = None) -> None:
    """Write a classifier to `folder`, in the place of an older model if there is one; further files go `beside` it."""
    folder = Path(folder)
    require_room(folder)
    ours = {
        "format": FORMAT,
        "kind": classifier.kind,
        "config": classifier.config(),
        "labels": list(classifier.labels),
        "notes": classifier.notes,
    }
    files = {"config.json": json_bytes({"regard": ours}), "model.safetensors": tensor_bytes(classifier.arrays())}
    write_folder(folder, {**files, **(beside or {})})


def load_classifier(folder: Path | str) -> Classifier:
    """The classifier in `folder`, of whatever kind it is."""
    folder = Path(folder)
    ours = read_folder(folder)
    kind = ours.get("kind")
    if kind in list(LANGUAGE_MODELS):
        raise CheckpointError(
            f"{folder} is a language model of kind {kind!r}, which gives no labels; "
            "see 'regard sample' and 'regard perplexity', or make a classifier with 'regard train averaging'"
        )
    if kind not in list(KINDS):
        raise CheckpointError(f"{folder} is a model of kind {kind!r}; expected a classifier: {', '.join(KINDS)}")
    module, name = KINDS[kind].split(":")
    family: type[Classifier] = getattr(import_module(module), name)
    arrays = read_tensors(folder / "model.safetensors")
    try:
        return family.restore(ours["config"], arrays, labels=tuple(ours["labels"]), notes=ours["notes"])
    except (KeyError, TypeError) as error:
        raise CheckpointError(f"{folder} is damaged: {error} is missing from it; train the model again") from error
