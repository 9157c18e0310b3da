"""A classifier as a folder, like that of a language model: config.json and model.safetensors, never pickle."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

from regard.errors import CheckpointError
from regard.models.checkpoint import KINDS as LANGUAGE_MODELS
from regard.models.checkpoint import TENSORS, require_safetensors, snapshot_tensors, tensor_bytes
from regard.models.classifier.base import Classifier
from regard.models.folder import FORMAT, Snapshot, read_snapshot
from regard.models.folder_writer import ModelFolder, writing

KINDS = {"averaging": "regard.models.classifier.averaging:AveragingClassifier"}
"""Each kind of classifier, and the class that restores it."""


def save_classifier(
    classifier: Classifier,
    folder: Path | str | ModelFolder,
    *,
    beside: Mapping[str, bytes] | None = None,
    force: bool = False,
) -> None:
    """Write a classifier to `folder`, with further files `beside` it; in the place of an older model only by `force`.

    A folder that is being written already (see `writing`) has been asked for that before.
    """
    require_safetensors()
    if not isinstance(folder, ModelFolder):
        with writing(folder, kind=classifier.kind, force=force) as place:
            save_classifier(classifier, place, beside=beside)
        return
    ours = {
        "format": FORMAT,
        "kind": classifier.kind,
        "config": classifier.config(),
        "labels": list(classifier.labels),
        "notes": classifier.notes,
    }
    folder.save({"regard": ours}, {TENSORS: tensor_bytes(classifier.arrays()), **(beside or {})})


def load_classifier(folder: Path | str) -> Classifier:
    """The classifier in `folder`, of whatever kind it is."""
    snapshot = read_snapshot(Path(folder), (TENSORS,))
    family, ours = _family(snapshot), snapshot.ours
    arrays = snapshot_tensors(snapshot, TENSORS)
    try:
        return family.restore(ours["config"], arrays, labels=tuple(ours["labels"]), notes=ours["notes"])
    except (KeyError, TypeError) as error:
        raise CheckpointError(f"{folder} is damaged: {error} is missing from it; train the model again") from error


def _family(snapshot: Snapshot) -> type[Classifier]:
    """The class that restores what is in a folder; CheckpointError where it is no classifier."""
    folder, kind = snapshot.folder, snapshot.ours.get("kind")
    if kind in list(LANGUAGE_MODELS):
        raise CheckpointError(
            f"{folder} is a language model of kind {kind!r}, which gives no labels; "
            "see 'regard sample' and 'regard perplexity', or make a classifier with 'regard train averaging'"
        )
    if kind not in list(KINDS):
        raise CheckpointError(f"{folder} is a model of kind {kind!r}; expected a classifier: {', '.join(KINDS)}")
    module, name = KINDS[kind].split(":")
    family: type[Classifier] = getattr(import_module(module), name)
    return family
