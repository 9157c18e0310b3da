"""What makes a folder a model of ours: config.json with an entry "regard", and nothing beside the files listed there.

    {"regard": {"format": 1, "kind": "ngram", …,
                "complete": true,                                      trained to its end
                "files": {"model.safetensors": {"bytes": 42, "sha256": "…"}, …},
                "sha256": "…"},                                        of all of config.json but this entry
     …}                                                                what other programs want to find

A reader compares every file with this list. What does not fit is read again for as long as somebody is writing, and is
damaged otherwise. Earlier versions wrote no list: their folders are read unchecked, and are ours if they hold nothing
but the names that those versions wrote.
"""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from regard.errors import CheckpointError, MissingExtraError
from regard.files import file_sha256, sha256
from regard.folders import AtomicFolder

FORMAT = 1
CONFIG = "config.json"
MODEL_FILES = TENSORS, BACKGROUND, TOKENISER = "model.safetensors", "background.safetensors", "tokeniser.json"
"""What a model is read from, beside config.json."""
EARLIER_NAMES = frozenset(
    {
        CONFIG,
        "model.safetensors",
        "background.safetensors",
        "tokeniser.json",
        "tokenizer.json",
        "tokenizer_config.json",
        "generation_config.json",
        "training.json",
        "training.safetensors",
        "history.jsonl",
        "history.json",
    }
)
"""All that versions without a list ever wrote."""
IGNORED_NAMES = frozenset({".DS_Store", "Thumbs.db", "desktop.ini"})
"""What file managers leave in any folder; neither in the way nor ever removed."""
MAX_SECONDS_READING = 30.0
"""How long a folder may go on changing before reading it is given up."""
MAX_NUMBER = 1e15
"""Beyond any learnt number; the product of two still fits into float32."""
EXPECTED = "expected a folder that 'regard train … --out FOLDER' wrote"
TRAIN_AGAIN = "train the model again, or copy the folder again"


@dataclass(frozen=True)
class Snapshot:
    """Files of a single save: config.json as an object, and those other files that were asked for and exist."""

    folder: Path
    config: dict[str, Any]
    files: dict[str, bytes]

    @property
    def ours(self) -> dict[str, Any]:
        """Our part of config.json."""
        return self.config["regard"]

    def need(self, name: str) -> bytes:
        """The content of a file; CheckpointError where it is not part of the save."""
        if name not in self.files:
            raise CheckpointError(f"{self.folder} is incomplete: {name} is missing; train the model again")
        return self.files[name]

    def json(self, name: str) -> dict[str, Any]:
        """The object in a JSON file."""
        return parse_json(self.need(name), self.folder / name)

    def tensors(self, name: str) -> dict[str, np.ndarray]:
        """The arrays in a file of safetensors; CheckpointError where a number is NaN or infinite.

        No model of ours has infinite numbers: a probability of zero is saved as a count of zero.
        """
        arrays = parse_tensors(self.need(name), self.folder / name)
        require_finite(arrays, self.folder / name)
        return arrays


def read_snapshot(folder: Path, names: Collection[str], *, place: AtomicFolder | None = None) -> Snapshot:
    """Read config.json and those of `names` that the save has, all of one save, each compared with its checksum."""
    if "\0" in str(folder):  # the system refuses even to look for such a name
        raise CheckpointError(f"there is no model folder {str(folder)!r}; make one with 'regard train'")
    place = place or AtomicFolder(readable_place(folder), shown=folder)
    wanted, deadline = {CONFIG, *names}, time.monotonic() + MAX_SECONDS_READING
    while True:
        before = place.fingerprint(wanted)
        try:
            return _read_once(place, folder, names)
        except CheckpointError:
            # If nothing moved while it was read, it is damaged; else somebody is replacing it.
            if place.fingerprint(wanted) == before or time.monotonic() > deadline:
                raise


def readable_place(folder: Path) -> Path:
    """The folder; or what it was renamed to, where an earlier version was ended between its two renames."""
    aside = folder.with_name(f".{folder.name}.old") if folder.name not in ("", "..") else folder
    return aside if not folder.exists() and (aside / CONFIG).is_file() else folder


def _read_once(place: AtomicFolder, folder: Path, names: Collection[str]) -> Snapshot:
    config = _read_config(place, folder)
    listed, files = listed_files(config), {}
    for name in names:
        if listed is not None and name not in listed:
            continue
        try:
            content = place.read(name)
        except FileNotFoundError:
            if listed is None:
                continue
            raise CheckpointError(f"{folder} is incomplete: {name} is missing; train the model again") from None
        if listed is not None:
            require_content(folder / name, content, listed[name])
        files[name] = content
    return Snapshot(folder, config, files)


def _read_config(place: AtomicFolder, folder: Path) -> dict[str, Any]:
    try:
        content = place.read(CONFIG)
    except FileNotFoundError:
        raise CheckpointError(_no_model_message(place.path, folder)) from None
    config = parse_json(content, folder / CONFIG)
    if "regard" not in config:
        raise CheckpointError(f"{folder} holds no model of Regard's: its {CONFIG} has no entry 'regard'; {EXPECTED}")
    ours = config["regard"]
    if not isinstance(ours, dict) or "format" not in ours:
        raise CheckpointError(f"{folder} is damaged: 'format' is missing from it; train the model again")
    if ours["format"] != FORMAT:
        raise CheckpointError(f"{folder} has format {ours['format']}; this version reads format {FORMAT}")
    if not is_sealed(config):
        raise CheckpointError(f"{folder / CONFIG} does not match its checksum; {TRAIN_AGAIN}")
    return config


def _no_model_message(path: Path, folder: Path) -> str:
    """The complaint about a place without config.json: it is a file, a folder of other things, or nothing."""
    if path.is_dir():
        return f"{folder} is no model folder: {CONFIG} is missing; {EXPECTED}"
    if not path.exists():
        return f"there is no model folder {folder}; make one with 'regard train'"
    if (path.parent / CONFIG).is_file():
        return f"{folder} is a file; expected the folder it is in, {folder.parent}"
    return f"{folder} is a file, not a model folder; {EXPECTED}"


def require_content(path: Path, content: bytes, expected: Mapping[str, Any]) -> None:
    """Raise CheckpointError unless a file has the length and checksum that it was saved with."""
    if len(content) != expected.get("bytes"):
        raise CheckpointError(
            f"{path} is cut short or damaged ({len(content):,} bytes): expected {expected.get('bytes')}; {TRAIN_AGAIN}"
        )
    if sha256(content) != expected.get("sha256"):
        raise CheckpointError(f"{path} does not match its checksum; {TRAIN_AGAIN}")


def seal(config: Mapping[str, Any], files: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """The object of config.json with the list of its files, and a checksum of itself."""
    ours = {name: value for name, value in config["regard"].items() if name not in ("files", "sha256")}
    # as it will be read: keys that are numbers become strings, and sort in another order
    listed = json.loads(json_bytes({**config, "regard": {**ours, "files": dict(files)}}))
    return {**listed, "regard": {**listed["regard"], "sha256": _own_checksum(listed)}}


def is_sealed(config: Mapping[str, Any]) -> bool:
    """Whether the checksum of config.json is right; true for an earlier version's, which has neither it nor a list."""
    ours = config["regard"]
    if "files" not in ours and "sha256" not in ours:
        return True
    return ours.get("sha256") == _own_checksum(config) and listed_files(config) is not None


def _own_checksum(config: Mapping[str, Any]) -> str:
    ours = {name: value for name, value in config["regard"].items() if name != "sha256"}
    return sha256(json.dumps({**config, "regard": ours}, sort_keys=True).encode())


def stamps(files: Mapping[str, bytes | Path]) -> dict[str, dict[str, Any]]:
    """Length and checksum of each file, given by its content or where it stands, as config.json lists them."""
    return {
        name: {"bytes": content.stat().st_size, "sha256": file_sha256(content)}
        if isinstance(content, Path)
        else {"bytes": len(content), "sha256": sha256(content)}
        for name, content in files.items()
    }


def listed_files(config: Mapping[str, Any]) -> dict[str, dict[str, Any]] | None:
    """The list in config.json, apart from config.json itself; None where there is none, or it cannot be one of ours."""
    listed = config["regard"].get("files")
    if not isinstance(listed, dict) or not all(isinstance(entry, dict) for entry in listed.values()):
        return None
    # a name with a path in it would lead out of the folder
    return listed if all(os.path.basename(name) == name and name not in ("", ".", "..") for name in listed) else None


def our_names(place: AtomicFolder) -> set[str] | None:
    """The names in a folder that are ours by its config.json; None where that is not ours."""
    try:
        config = json.loads(place.read(CONFIG))
        if not isinstance(config["regard"], dict) or "format" not in config["regard"]:
            return None
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    listed = listed_files(config)
    return {CONFIG, *listed} if listed is not None else set(EARLIER_NAMES)


def strangers(place: AtomicFolder) -> list[str]:
    """The files in a folder that Regard did not write."""
    found = place.names() - IGNORED_NAMES - (our_names(place) or set())
    return sorted(found | place.unknown_hidden())


def require_ours(place: AtomicFolder) -> None:
    """CheckpointError, which names what stands in the way, unless a folder is empty or a model of ours."""
    if place.path.exists() and not place.path.is_dir():
        raise CheckpointError(f"{place.shown} is a file; a model needs a folder: choose another --out")
    found = strangers(place)
    if found:
        raise CheckpointError(
            f"{place.shown} holds {in_words(found)}, which Regard did not write; choose another --out"
        )


def in_words(names: list[str], *, most: int = 3) -> str:
    """The first few names.

    >>> in_words(["a"]), in_words(["a", "b"]), in_words(["a", "b", "c", "d", "e"])
    ('a', 'a and b', 'a, b, c and 2 more')
    """
    shown, rest = names[:most], len(names) - most
    if rest > 0:
        return f"{', '.join(shown)} and {rest} more"
    return " and ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else shown[0]


def owned_files(place: AtomicFolder) -> dict[str, str]:
    """The names in a folder that are ours, each with the sha256 of what was written there."""
    names = (our_names(place) or set()) & place.names()
    if CONFIG not in names:
        return {}
    listed = listed_files(json.loads(place.read(CONFIG))) or {}
    return {name: listed[name]["sha256"] if name in listed else sha256(place.read(name)) for name in names}


def parse_json(content: bytes, path: Path) -> dict[str, Any]:
    """The object in a JSON file; CheckpointError where it is cut short or something else."""
    try:
        value = json.loads(content.decode("utf-8"))
    except RecursionError:
        raise CheckpointError(f"{path} is damaged: it is nested too deeply; train the model again") from None
    except ValueError as error:  # not UTF-8, not JSON, or a number of more digits than Python reads
        raise CheckpointError(f"{path} is cut short or damaged: {error}; train the model again") from error
    if not isinstance(value, dict):
        raise CheckpointError(f"{path} should hold one JSON object; it holds a {type(value).__name__}")
    return value


def json_bytes(value: Mapping[str, Any]) -> bytes:
    """The object as a JSON file."""
    return json.dumps(value, ensure_ascii=False, indent=1).encode()


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


TENSOR_TYPES: dict[str, np.dtype[Any]] = {
    "I64": np.dtype(np.int64),
    "F64": np.dtype(np.float64),
    "I32": np.dtype(np.int32),
}
"""The types of numbers that `write_tensors` writes, by their names in the format, in the order of the files."""


@dataclass(frozen=True)
class TensorOnDisk:
    """A vector of this many numbers that comes in blocks, of one of the `TENSOR_TYPES`."""

    kind: str
    length: int
    blocks: Callable[[], Iterable[np.ndarray]]


def write_tensors(path: Path, tensors: Mapping[str, np.ndarray | TensorOnDisk]) -> None:
    """Write the very bytes that `tensor_bytes` would give, without having them in memory."""
    order = list(TENSOR_TYPES)
    kinds = {name: _kind_of(tensor) for name, tensor in tensors.items()}
    header: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    names, place = sorted(tensors, key=lambda name: (order.index(kinds[name]), name)), 0
    for name in names:
        tensor = tensors[name]
        shape = [tensor.length] if isinstance(tensor, TensorOnDisk) else list(tensor.shape)
        end = place + math.prod(shape) * TENSOR_TYPES[kinds[name]].itemsize
        header[name] = {"dtype": kinds[name], "shape": shape, "data_offsets": [place, end]}
        place = end
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with path.open("wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        for name in names:
            tensor = tensors[name]
            for block in tensor.blocks() if isinstance(tensor, TensorOnDisk) else [tensor]:
                file.write(np.ascontiguousarray(block, TENSOR_TYPES[kinds[name]]).tobytes())
        file.flush()
        os.fsync(file.fileno())


def _kind_of(tensor: np.ndarray | TensorOnDisk) -> str:
    if isinstance(tensor, TensorOnDisk):
        return tensor.kind
    return next(kind for kind, dtype in TENSOR_TYPES.items() if dtype == tensor.dtype)


def read_tensors(path: Path) -> dict[str, np.ndarray]:
    """The arrays in a file of safetensors; CheckpointError where it is missing or cut short."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise CheckpointError(f"{path.parent} is incomplete: {path.name} is missing; train the model again") from None
    return parse_tensors(content, path)


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
    """CheckpointError, which names the tensor, where a number is NaN, infinite, or so large that products overflow."""
    for name, array in arrays.items():
        if array.dtype.kind != "f" or array.size == 0:
            continue
        with np.errstate(all="ignore"):
            if max(abs(float(array.max())), abs(float(array.min()))) <= MAX_NUMBER:  # false for NaN
                continue
            wrong = array[~(np.abs(array) <= MAX_NUMBER)]
        what = "NaN" if np.isnan(wrong).any() else "infinite" if np.isinf(wrong).any() else f"above {MAX_NUMBER:g}"
        raise CheckpointError(
            f"{path}: {len(wrong):,} of {array.size:,} numbers of the tensor {name!r} are {what}; "
            "the model cannot predict anything, train it again"
        )


def under(prefix: str, arrays: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The arrays whose name begins with `prefix`, under the rest of it."""
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}
