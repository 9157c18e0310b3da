"""Models read from folders of JSON and tensors, never pickle: `load` reads any kind that `folder_writer.save` wrote.

config.json              "regard": format, kind, settings, notes, and the list of files with their checksums;
                         for a language model, the digest of its training text; for a classifier, its labels;
                         the other entries are for other programs
model.safetensors        the learnt numbers, under the model's own names and no others

A language model has two more files, and those that other programs look for if they can open this kind of model:

background.safetensors   speller.*: how unknown words are spelled; digest.hashes: what the training text was
tokeniser.json           from text to ids and back

What makes a folder ours stands in `folder`; how it is written, who may replace it and when, in `folder_writer`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from regard.display import one_line
from regard.errors import CheckpointError, RegardError
from regard.models.background import Background, Speller, TextDigest
from regard.models.base import LanguageModel
from regard.models.classifier.base import Classifier
from regard.models.folder import (
    BACKGROUND,
    MODEL_FILES,
    TENSORS,
    TOKENISER,
    TRAIN_AGAIN,
    Snapshot,
    read_snapshot,
    under,
)
from regard.shapes import Float
from regard.text.tokenise.tokenisers import restore_tokeniser

LANGUAGE_MODELS = {
    "ngram": "regard.models.ngram.model:NgramModel",
    "bigram": "regard.models.bigram:BigramModel",
    "recurrent": "regard.models.recurrent.network:RecurrentModel",
    "transformer": "regard.models.transformer.model:TransformerModel",
    "mixture": "regard.models.mixture.model:MixtureModel",
}
"""Each kind of language model, and the class that restores it."""
CLASSIFIERS = {"averaging": "regard.models.classifier.averaging:AveragingClassifier"}
"""Each kind of classifier, and the class that restores it."""


def load(folder: Path | str) -> LanguageModel | Classifier:
    """Read the model in `folder`: a language model or a classifier, as its config.json says."""
    snapshot = read_snapshot(Path(folder), MODEL_FILES)
    kind = snapshot.ours.get("kind")
    if kind in list(LANGUAGE_MODELS):  # a list, for a damaged file may hold what cannot be a key
        return restore_language_model(snapshot)
    if kind in list(CLASSIFIERS):
        return restore_classifier(snapshot)
    expected = f"expected {', '.join(LANGUAGE_MODELS)} or {', '.join(CLASSIFIERS)}"
    raise CheckpointError(f"{snapshot.folder} is a model of kind {kind!r}; {expected}")


def load_model(folder: Path | str) -> LanguageModel:
    """Read the language model in `folder`; CheckpointError where it is a classifier."""
    return restore_language_model(read_snapshot(Path(folder), MODEL_FILES))


def load_classifier(folder: Path | str) -> Classifier:
    """Read the classifier in `folder`; CheckpointError where it is a language model."""
    return restore_classifier(read_snapshot(Path(folder), MODEL_FILES))


def restore_language_model(snapshot: Snapshot) -> LanguageModel:
    """The language model that these files are, once it has answered a first question."""
    ours = require_language_model(snapshot)
    arrays, learnt = snapshot.tensors(TENSORS), snapshot.tensors(BACKGROUND)
    with _explain_damage(snapshot.folder):
        background = Background(
            tokeniser=restore_tokeniser(snapshot.json(TOKENISER)),
            speller=Speller.restore(under("speller.", learnt)),
            digest=TextDigest(**ours["digest"], hashes=learnt["digest.hashes"]),
            notes=dict(ours["notes"]),
        )
        model = model_from_parts(ours, arrays, background)
        n_tokens = len(background.tokeniser.vocabulary)
        first = np.arange(min(3, n_tokens))
        _require_scores(model.token_log_probs(first), first.shape)
        _require_scores(np.exp(model.reader().next_log_probs()), (n_tokens,))
        _require_scores(background.speller.nats(["a"]), (1,))
    return model


def restore_classifier(snapshot: Snapshot) -> Classifier:
    """The classifier that these files are, once it has answered a first question."""
    ours = require_classifier(snapshot)
    arrays = snapshot.tensors(TENSORS)
    with _explain_damage(snapshot.folder):
        labels = [label for label in ours["labels"] if isinstance(label, str)]
        if len(set(labels)) != len(ours["labels"]) or len(labels) < 2:
            raise CheckpointError(f"the labels in {snapshot.folder} are not two or more different words; {TRAIN_AGAIN}")
        classifier = classifier_from_parts(ours, arrays)
        _require_scores(classifier.log_probs(["a word", ""]), (2, len(labels)))
    return classifier


@contextmanager
def _explain_damage(folder: Path) -> Iterator[None]:
    """Within it, whatever goes wrong because parts do not fit together is a CheckpointError.

    Checksums tell damage by disks and copies, before this. A folder that somebody has made or changed by hand may fit
    them and be nonsense: settings of other types, tensors of other shapes, numbers that overflow.
    """
    try:
        with np.errstate(over="raise", invalid="raise"):
            yield
    except RegardError:
        raise
    except KeyError as error:
        raise CheckpointError(f"{folder} is damaged: {error} is missing from it; train the model again") from error
    except (TypeError, ValueError, LookupError, ArithmeticError, AttributeError, RuntimeError) as error:
        reason = one_line(str(error), max_length=100)
        raise CheckpointError(f"{folder} is damaged, its parts do not fit together: {reason}; {TRAIN_AGAIN}") from error


def _require_scores(scores: Float[np.ndarray, "*score"], shape: tuple[int, ...]) -> None:
    """ValueError where what a model answers is of another shape, or NaN or infinite."""
    if scores.shape != shape:
        raise ValueError(f"it gives {scores.shape} numbers in place of {shape}")
    if not np.isfinite(scores).all():
        raise ValueError("its probabilities are not finite")


def model_from_parts(
    settings: Mapping[str, Any], arrays: dict[str, np.ndarray], background: Background
) -> LanguageModel:
    """The model that `model_parts` took apart."""
    if settings["kind"] not in LANGUAGE_MODELS:
        expected = f"expected a language model: {', '.join(LANGUAGE_MODELS)}"
        raise CheckpointError(f"there is a model of kind {settings['kind']!r}; {expected}")
    family: type[LanguageModel] = _import_class(LANGUAGE_MODELS[settings["kind"]])
    return family.restore(settings["config"], arrays, background)


def classifier_from_parts(settings: Mapping[str, Any], arrays: dict[str, np.ndarray]) -> Classifier:
    """The classifier that `classifier_parts` took apart."""
    family: type[Classifier] = _import_class(CLASSIFIERS[settings["kind"]])
    notes, labels = dict(settings["notes"]), tuple(settings["labels"])
    return family.restore(settings["config"], arrays, labels=labels, notes=notes)


def require_language_model(snapshot: Snapshot) -> dict[str, Any]:
    """Our part of config.json; CheckpointError where it is not a language model's."""
    ours, folder = snapshot.ours, snapshot.folder
    kind = ours.get("kind")
    if kind not in list(LANGUAGE_MODELS):
        hint = "; 'regard classify' reads it" if kind in list(CLASSIFIERS) else ""
        expected = f"expected a language model: {', '.join(LANGUAGE_MODELS)}{hint}"
        raise CheckpointError(f"{folder} is a model of kind {kind!r}; {expected}")
    return ours


def require_classifier(snapshot: Snapshot) -> dict[str, Any]:
    """Our part of config.json; CheckpointError where it is not a classifier's."""
    ours, folder = snapshot.ours, snapshot.folder
    kind = ours.get("kind")
    if kind in list(LANGUAGE_MODELS):
        raise CheckpointError(
            f"{folder} is a language model of kind {kind!r}, which gives no labels; "
            "see 'regard sample' and 'regard perplexity', or make a classifier with 'regard train averaging'"
        )
    if kind not in list(CLASSIFIERS):
        raise CheckpointError(f"{folder} is a model of kind {kind!r}; expected a classifier: {', '.join(CLASSIFIERS)}")
    return ours


def _import_class(path: str) -> Any:
    """The class that a path such as `regard.models.ngram.model:NgramModel` names."""
    module, name = path.split(":")
    return getattr(import_module(module), name)
