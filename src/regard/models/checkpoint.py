"""A language model as a folder, of JSON and tensors; never pickle.

config.json              "regard": format, kind, settings, digest, notes, and the list of files with their checksums;
                         the rest is for other programs
model.safetensors        the learnt numbers, under the model's own names and no others
background.safetensors   speller.*: how unknown words are spelled; digest.hashes: what the training text was
tokeniser.json           from text to ids and back
…                        what other programs want to find beside them, if they can open this kind of model

What makes a folder ours, and how it is read, stands in `folder`; who may replace it and when, in `folder_writer`.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from regard.errors import CheckpointError, MissingExtraError
from regard.models.base import Background, LanguageModel
from regard.models.folder import FORMAT, Snapshot, json_bytes, read_snapshot
from regard.models.folder_writer import ModelFolder, writing
from regard.models.speller import Speller
from regard.text.digest import TextDigest
from regard.text.tokenise.tokenisers import tokeniser_from

KINDS = {
    "ngram": "regard.models.ngram.model:NgramModel",
    "bigram": "regard.models.bigram.model:BigramModel",
    "recurrent": "regard.models.recurrent.network:RecurrentModel",
    "transformer": "regard.models.transformer.model:TransformerModel",
    "mixture": "regard.models.mixture.model:MixtureModel",
}
"""Each kind of model, and the class that restores it."""


MODEL_FILES = TENSORS, BACKGROUND, TOKENISER = "model.safetensors", "background.safetensors", "tokeniser.json"
"""What a model is read from, beside config.json."""


def save_model(
    model: LanguageModel,
    folder: Path | str | ModelFolder,
    *,
    beside: Mapping[str, bytes] | None = None,
    force: bool = False,
    is_complete: bool = True,
) -> None:
    """Write `model` to `folder`, with further files `beside` it; in the place of an older model only by `force`.

    A folder that is being written already (see `writing`) has been asked for that before.
    """
    require_safetensors()
    if not isinstance(folder, ModelFolder):
        with writing(folder, kind=model.kind, force=force) as place:
            save_model(model, place, beside=beside, is_complete=is_complete)
        return
    config, files = model_content(model)
    folder.save(config, {**files, **(beside or {})}, is_complete=is_complete)


def model_content(model: LanguageModel) -> tuple[dict[str, Any], dict[str, bytes]]:
    """What config.json is to say, and the files of a model, by name."""
    background, foreign = model.background, model.for_other_tools()
    settings, arrays = model_parts(model)
    digest = {name: getattr(background.digest, name) for name in ("n_characters", "sha256", "stride")}
    ours = {"format": FORMAT, **settings, "digest": digest, "notes": background.notes}
    known = {f"speller.{name}": array for name, array in background.speller.arrays().items()}
    known["digest.hashes"] = background.digest.hashes
    files = {
        TENSORS: tensor_bytes(arrays),
        BACKGROUND: tensor_bytes(known),
        TOKENISER: json_bytes(background.tokeniser.settings()),
    }
    return {**foreign.config, "regard": ours}, {**foreign.files, **files}


def load_model(folder: Path | str) -> LanguageModel:
    """The model in `folder`, of whatever kind it is."""
    return model_in(read_snapshot(Path(folder), MODEL_FILES))


def model_in(snapshot: Snapshot) -> LanguageModel:
    """The model that these files are."""
    folder, ours = snapshot.folder, require_language_model(snapshot)
    arrays, known = snapshot_tensors(snapshot, TENSORS), snapshot_tensors(snapshot, BACKGROUND)
    try:
        background = Background(
            tokeniser=tokeniser_from(snapshot.json(TOKENISER)),
            speller=Speller.restore(under("speller.", known)),
            digest=TextDigest(**ours["digest"], hashes=known["digest.hashes"]),
            notes=ours["notes"],
        )
        return model_from_parts(ours, arrays, background)
    except KeyError as error:
        raise CheckpointError(f"{folder} is damaged: {error} is missing from it; train the model again") from error


def model_parts(model: LanguageModel) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """A model apart from its background: its kind and settings as plain JSON, its learnt numbers by name."""
    return {"kind": model.kind, "config": model.config()}, model.arrays()


def model_from_parts(
    settings: Mapping[str, Any], arrays: dict[str, np.ndarray], background: Background
) -> LanguageModel:
    """The model that `model_parts` took apart."""
    if settings["kind"] not in KINDS:
        expected = f"expected a language model: {', '.join(KINDS)}"
        raise CheckpointError(f"there is a model of kind {settings['kind']!r}; {expected}")
    module, name = KINDS[settings["kind"]].split(":")
    family: type[LanguageModel] = getattr(import_module(module), name)
    return family.restore(settings["config"], arrays, background)


def require_language_model(snapshot: Snapshot) -> dict[str, Any]:
    """Our part of config.json, once it is sure that it is a language model's."""
    ours = snapshot.ours
    if ours.get("kind") not in list(KINDS):  # a list, for a damaged file may hold what cannot be a key
        hint = "; 'regard classify' reads it" if ours.get("kind") == "averaging" else ""
        expected = f"expected a language model: {', '.join(KINDS)}{hint}"
        raise CheckpointError(f"{snapshot.folder} is a model of kind {ours.get('kind')!r}; {expected}")
    return ours


def require_safetensors() -> None:
    """MissingExtraError where models cannot be saved; worth asking before one is trained."""
    _safetensors()


def _safetensors() -> Any:
    try:
        return import_module("safetensors.numpy")
    except ImportError as error:
        raise MissingExtraError("saving and loading models needs safetensors: pip install 'regard[models]'") from error


def tensor_bytes(arrays: Mapping[str, np.ndarray]) -> bytes:
    """The arrays in the safetensors format; `format: pt` is what Hugging Face's libraries look for in it."""
    rows = {name: np.asarray(array, order="C") for name, array in arrays.items()}
    content: bytes = _safetensors().save(rows, metadata={"format": "pt"})
    return content


def read_tensors(path: Path) -> dict[str, np.ndarray]:
    """The arrays in a file of safetensors; CheckpointError where it is missing or cut short."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise CheckpointError(f"{path.parent} is incomplete: {path.name} is missing; train the model again") from None
    return parse_tensors(content, path)


def snapshot_tensors(snapshot: Snapshot, name: str) -> dict[str, np.ndarray]:
    """The arrays in a file of a save; CheckpointError where there is none, or where a number is NaN or infinite.

    No model of ours has infinite numbers: a probability of zero is kept as a count of zero.
    """
    arrays = parse_tensors(snapshot.need(name), snapshot.folder / name)
    require_finite(arrays, snapshot.folder / name)
    return arrays


def parse_tensors(content: bytes, path: Path) -> dict[str, np.ndarray]:
    """The arrays in the content of a file of safetensors."""
    try:
        return _safetensors().load(content)
    except MissingExtraError:
        raise
    except Exception as error:  # the library's own error class is not part of its promise
        raise CheckpointError(
            f"{path} is cut short or damaged ({len(content):,} bytes): {error}; train the model again"
        ) from error


def require_finite(arrays: Mapping[str, np.ndarray], path: Path) -> None:
    """CheckpointError, which names the tensor, where a number is NaN or infinite."""
    for name, array in arrays.items():
        if array.dtype.kind != "f" or array.size == 0:
            continue
        with np.errstate(all="ignore"):
            if np.isfinite(array.sum()):  # fast, and not finite as soon as one number is not
                continue
        wrong = array[~np.isfinite(array)]
        if len(wrong):
            what = "NaN" if np.isnan(wrong).any() else "infinite"
            raise CheckpointError(
                f"{path}: {len(wrong):,} of {array.size:,} numbers of the tensor {name!r} are {what}; "
                "the model cannot predict anything, train it again"
            )


def under(prefix: str, arrays: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The arrays whose name begins with `prefix`, under the rest of it."""
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}
