"""A model as a folder: config.json, model.safetensors, tokeniser.json; never pickle.

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
}
"""Each kind of model, and the class that restores it."""


def save_model(model: LanguageModel, folder: Path, *, beside: Mapping[str, bytes] | None = None) -> None:
    """Write `model` to `folder`, in the place of an older model if there is one; further files go `beside` it."""
    require_room(folder)
    background = model.background
    arrays = {f"model.{name}": array for name, array in model.arrays().items()}
    arrays |= {f"speller.{name}": array for name, array in background.speller.arrays().items()}
    arrays["digest.hashes"] = background.digest.hashes
    digest = {name: getattr(background.digest, name) for name in ("n_characters", "sha256", "stride")}
    config = {
        "regard": FORMAT,
        "kind": model.kind,
        "config": model.config(),
        "digest": digest,
        "notes": background.notes,
    }
    files = {
        "config.json": json_bytes(config),
        "model.safetensors": tensor_bytes(arrays),
        "tokeniser.json": json_bytes(background.tokeniser.settings()),
    }
    write_folder(folder, files | dict(beside or {}))


def require_room(folder: Path) -> None:
    """Refuse a place that a model cannot be written to; worth asking before the model is trained."""
    if folder.exists() and not (folder / "config.json").is_file():
        raise CheckpointError(f"{folder} exists and is not a model; choose another name, or remove it")
    _safetensors()


def load_model(folder: Path | str) -> LanguageModel:
    """The model in `folder`, of whatever kind it is."""
    folder = Path(folder)
    config = read_config(folder)
    arrays = read_tensors(folder / "model.safetensors")
    try:
        background = Background(
            tokeniser=tokeniser_from(read_json(folder / "tokeniser.json")),
            speller=Speller.restore(_under("speller.", arrays)),
            digest=TextDigest(**config["digest"], hashes=arrays["digest.hashes"]),
            notes=config["notes"],
        )
        module, name = KINDS[config["kind"]].split(":")
        family: type[LanguageModel] = getattr(import_module(module), name)
        return family.restore(config["config"], _under("model.", arrays), background)
    except KeyError as error:
        raise CheckpointError(f"{folder} is damaged: {error} is missing from it; train the model again") from error


def read_config(folder: Path) -> dict[str, Any]:
    """What config.json says, once it is sure that it is one of ours and of a kind that is known."""
    if not folder.is_dir():
        raise CheckpointError(f"there is no model folder {folder}; make one with 'regard train'")
    config = read_json(folder / "config.json")
    if "regard" not in config:
        raise CheckpointError(f"{folder} holds no model of Regard's: its config.json has no entry 'regard'")
    if config["regard"] != FORMAT:
        raise CheckpointError(f"{folder} has format {config['regard']}; this version reads format {FORMAT}")
    if config.get("kind") not in KINDS:
        raise CheckpointError(
            f"{folder} is a model of kind {config.get('kind')!r}; expected a language model: {', '.join(KINDS)}"
        )
    return config


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
    if not folder.exists():
        unfinished.rename(folder)
        return
    older = folder.with_name(f".{folder.name}.{os.getpid()}.old")
    folder.rename(older)
    unfinished.rename(folder)
    shutil.rmtree(older, ignore_errors=True)


def _safetensors() -> Any:
    try:
        return import_module("safetensors.numpy")
    except ImportError as error:
        raise MissingExtraError("saving and loading models needs safetensors: pip install 'regard[models]'") from error


def tensor_bytes(arrays: Mapping[str, np.ndarray]) -> bytes:
    """The arrays in the safetensors format."""
    content: bytes = _safetensors().save({name: np.ascontiguousarray(array) for name, array in arrays.items()})
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


def _under(prefix: str, arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}
