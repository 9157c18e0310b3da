"""A model as a folder, of JSON and tensors; never pickle.

config.json              "regard": format, kind, settings, digest and notes; the rest is for other programs
model.safetensors        the learnt numbers, under the model's own names and no others
background.safetensors   speller.*: how unknown words are spelled; digest.hashes: what the training text was
tokeniser.json           from text to ids and back
…                        what other programs want to find beside them, if they can open this kind of model

The folder is written under a temporary name, flushed to the disk and then renamed, so that what bears the model's name
is always whole. Only a folder that holds a model is ever replaced.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from regard.errors import CheckpointError, MissingExtraError
from regard.models.protocol import Background, LanguageModel
from regard.models.speller import Speller
from regard.text.digest import TextDigest
from regard.text.tokenisers import tokeniser_from

FORMAT = 1
KINDS = {
    "ngram": "regard.models.ngram:NgramModel",
    "bigram": "regard.models.bigram:BigramModel",
    "recurrent": "regard.models.recurrent:RecurrentModel",
    "transformer": "regard.models.transformer:TransformerModel",
    "mixture": "regard.models.mixture:MixtureModel",
}
"""Each kind of model, and the class that restores it."""


def save_model(model: LanguageModel, folder: Path, *, beside: Mapping[str, bytes] | None = None) -> None:
    """Write `model` to `folder`, in the place of an older model if there is one; further files go `beside` it."""
    require_room(folder)
    background, foreign = model.background, model.for_other_tools()
    settings, arrays = model_parts(model)
    digest = {name: getattr(background.digest, name) for name in ("n_characters", "sha256", "stride")}
    ours = {"format": FORMAT, **settings, "digest": digest, "notes": background.notes}
    known = {f"speller.{name}": array for name, array in background.speller.arrays().items()}
    known["digest.hashes"] = background.digest.hashes
    files = {
        "config.json": json_bytes({**foreign.config, "regard": ours}),
        "model.safetensors": tensor_bytes(arrays),
        "background.safetensors": tensor_bytes(known),
        "tokeniser.json": json_bytes(background.tokeniser.settings()),
    }
    write_folder(folder, {**foreign.files, **files, **(beside or {})})


def require_room(folder: Path) -> None:
    """Refuse a place that a model cannot be written to; worth asking before the model is trained."""
    recover(folder)
    if folder.exists() and not (folder / "config.json").is_file():
        raise CheckpointError(f"{folder} exists and is not a model; choose another name, or remove it")
    _safetensors()


def load_model(folder: Path | str) -> LanguageModel:
    """The model in `folder`, of whatever kind it is."""
    folder = Path(folder)
    ours = read_config(folder)
    arrays, known = read_tensors(folder / "model.safetensors"), read_tensors(folder / "background.safetensors")
    try:
        background = Background(
            tokeniser=tokeniser_from(read_json(folder / "tokeniser.json")),
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


def read_config(folder: Path) -> dict[str, Any]:
    """Our part of config.json, once it is sure that there is one and that it is a language model's."""
    ours = read_folder(folder)
    if ours.get("kind") not in list(KINDS):  # a list, for a damaged file may hold what cannot be a key
        hint = "; 'regard classify' reads it" if ours.get("kind") == "averaging" else ""
        raise CheckpointError(
            f"{folder} is a model of kind {ours.get('kind')!r}; expected a language model: {', '.join(KINDS)}{hint}"
        )
    return ours


def read_folder(folder: Path) -> dict[str, Any]:
    """Our part of config.json, once it is sure that there is one and that its format is known."""
    recover(folder)
    if not folder.is_dir():
        raise CheckpointError(f"there is no model folder {folder}; make one with 'regard train'")
    config = read_json(folder / "config.json")
    if "regard" not in config:
        raise CheckpointError(f"{folder} holds no model of Regard's: its config.json has no entry 'regard'")
    ours = config["regard"]
    if not isinstance(ours, dict) or "format" not in ours:
        raise CheckpointError(f"{folder} is damaged: 'format' is missing from it; train the model again")
    if ours["format"] != FORMAT:
        raise CheckpointError(f"{folder} has format {ours['format']}; this version reads format {FORMAT}")
    return ours


def write_folder(folder: Path, files: dict[str, bytes]) -> None:
    """A folder with these files, which takes its name only when all of them are on the disk."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    unfinished = folder.with_name(f".{folder.name}.{os.getpid()}")
    shutil.rmtree(unfinished, ignore_errors=True)
    try:
        unfinished.mkdir()
        for name, content in files.items():
            with (unfinished / name).open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
        _take_place_of(folder, unfinished)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _take_place_of(folder: Path, unfinished: Path) -> None:
    """Rename; a folder cannot be renamed onto a full one, so the older one steps aside first."""
    recover(folder)
    older = _aside(folder)
    shutil.rmtree(older, ignore_errors=True)
    if folder.exists():
        folder.rename(older)
    unfinished.rename(folder)
    shutil.rmtree(older, ignore_errors=True)


def recover(folder: Path) -> None:
    """Give a folder its name back, if whoever was to replace it was ended between the two renames."""
    if not folder.exists() and _aside(folder).is_dir():
        _aside(folder).rename(folder)


def _aside(folder: Path) -> Path:
    return folder.with_name(f".{folder.name}.old")


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
    library = _safetensors()
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise CheckpointError(f"{path.parent} is incomplete: {path.name} is missing; train the model again") from None
    try:
        return library.load(content)
    except Exception as error:  # the library's own error class is not part of its promise
        raise CheckpointError(
            f"{path} is cut short or damaged ({len(content):,} bytes): {error}; train the model again"
        ) from error


def read_json(path: Path) -> dict[str, Any]:
    """The object in a JSON file; CheckpointError where it is missing, cut short or something else."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise CheckpointError(
            f"{path.parent} is no model folder: {path.name} is missing; make one with 'regard train'"
        ) from None
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise CheckpointError(f"{path} is cut short or damaged: {error}; train the model again") from error
    if not isinstance(value, dict):
        raise CheckpointError(f"{path} should hold one JSON object; it holds a {type(value).__name__}")
    return value


def json_bytes(value: dict[str, Any]) -> bytes:
    """The object as a JSON file."""
    return json.dumps(value, ensure_ascii=False, indent=1).encode()


def under(prefix: str, arrays: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The arrays whose name begins with `prefix`, under the rest of it."""
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}
