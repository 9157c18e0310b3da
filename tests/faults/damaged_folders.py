"""Damaged and forged model folders: each is refused in one line, or answers with finite numbers.

    python -m tests.faults.damaged_folders --cases 2500 --seed 0

Some are damaged as disks and copies do it: a bit flipped, a file cut short, missing or longer. Others are forged by
somebody who knows the format: a setting, a tensor or a word is replaced, and all checksums are made to fit again.
"""

from __future__ import annotations

import copy
import json
import shutil
import tempfile
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from regard.models.base import LanguageModel
from regard.models.checkpoint import load
from regard.models.folder import CONFIG, json_bytes, parse_tensors, seal, stamps, tensor_bytes
from regard.models.folder_writer import save
from tests.faults.harness import Outcome, search, try_use
from tests.support.averaging import trained
from tests.support.models import MODELS

KINDS = (
    "ngram-kneser-ney-word",
    "ngram-mixing-char",
    "bigram-word",
    "bigram-beside-counts-char",
    "recurrent-lstm-contexts-char",
    "transformer-char",
    "mixture-geometric-char",
)
"""One of each family, with what only it has."""
SECONDS = 20.0
NUMBERS = (-1, 0, 1, 2, 3, 7, 10**4, 10**9, 10**18, 10**30, 0.5, -0.5, 1e308, 1e-320, float("nan"), float("inf"))
OTHERS = (None, True, "", "x", [], {}, [1], ["x"], {"x": 1}, "9" * 5000, [[[[]]]])


def save_models(folder: Path) -> list[Path]:
    """Train and save one small model of each kind."""
    made = {kind: MODELS[kind]() for kind in KINDS} | {make: trained(make) for make in ("strong", "attention")}
    for kind, model in made.items():
        save(model, folder / kind)
    return [folder / kind for kind in made]


def damage(folder: Path, rng: np.random.Generator) -> str:
    """Damage or forge the model in a folder, and say how."""
    ways = (_flip, _truncate, _remove, _extend, *[_forge_setting] * 3, *[_forge_tensor] * 2)
    return ways[rng.integers(len(ways))](folder, rng)


def _some_file(folder: Path, rng: np.random.Generator) -> Path:
    files = sorted(path for path in folder.iterdir() if path.is_file())
    return files[rng.integers(len(files))]


def _flip(folder: Path, rng: np.random.Generator) -> str:
    file = _some_file(folder, rng)
    content = bytearray(file.read_bytes())
    place = int(rng.integers(len(content)))
    content[place] ^= 1 << int(rng.integers(8))
    file.write_bytes(content)
    return f"{file.name}: a bit of byte {place} flipped"


def _truncate(folder: Path, rng: np.random.Generator) -> str:
    file = _some_file(folder, rng)
    content = file.read_bytes()
    length = int(rng.integers(len(content)))
    file.write_bytes(content[:length])
    return f"{file.name}: cut to {length} bytes"


def _remove(folder: Path, rng: np.random.Generator) -> str:
    file = _some_file(folder, rng)
    file.unlink()
    return f"{file.name}: removed"


def _extend(folder: Path, rng: np.random.Generator) -> str:
    file = _some_file(folder, rng)
    file.write_bytes(file.read_bytes() + rng.bytes(8))
    return f"{file.name}: eight bytes appended"


def _forge_setting(folder: Path, rng: np.random.Generator) -> str:
    """Replace or remove a value somewhere in a JSON file."""
    names = [path.name for path in sorted(folder.glob("*.json"))]
    name = CONFIG if rng.random() < 0.7 else names[rng.integers(len(names))]
    value = json.loads((folder / name).read_text("utf-8"))
    places = [place for place in places_in(value) if place[:2] not in (("regard", "files"), ("regard", "sha256"))]
    place = places[rng.integers(len(places))]
    *way, last = place
    holder = value
    for step in way:
        holder = holder[step]
    if rng.random() < 0.1:
        del holder[last]
        put = "removed"
    else:
        choices = NUMBERS if rng.random() < 0.6 else OTHERS
        holder[last] = copy.deepcopy(choices[rng.integers(len(choices))])
        put = repr(holder[last])[:40]
    return f"{name} {'.'.join(map(str, place))}: {put}" + _write_sealed(folder, {name: json_bytes(value)})


def _forge_tensor(folder: Path, rng: np.random.Generator) -> str:
    """Replace one tensor by another of other numbers, shape or dtype, or by none."""
    files = [path.name for path in sorted(folder.glob("*.safetensors"))]
    name = files[rng.integers(len(files))]
    arrays = dict(parse_tensors((folder / name).read_bytes(), folder / name))
    which = sorted(arrays)[rng.integers(len(arrays))]
    array = np.array(arrays[which])
    ways = ("removed", "cut", "longer", "flat", "other dtype", "empty", "huge", "negative", "nan", "random", "renamed")
    way = ways[rng.integers(len(ways))]
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        changed = _change(array, way, rng)
    del arrays[which]
    if changed is not None:
        arrays[f"{which}x" if way == "renamed" else which] = changed
    return f"{name} {which}: {way}" + _write_sealed(folder, {name: tensor_bytes(arrays)})


def _change(array: np.ndarray, way: str, rng: np.random.Generator) -> np.ndarray | None:
    whole = array.dtype.kind != "f"
    huge = np.iinfo(array.dtype).max if whole else np.finfo(array.dtype).max
    return {
        "removed": lambda: None,
        "cut": lambda: array[:-1] if array.ndim else array,
        "longer": lambda: np.concatenate([array, array]) if array.ndim else array,
        "flat": lambda: array.reshape(-1),
        "other dtype": lambda: array.astype(("float16", "int8", "uint64", "float64", "bool")[rng.integers(5)]),
        "empty": lambda: array.reshape(-1)[:0],
        "huge": lambda: np.full_like(array, huge),
        "negative": lambda: np.full_like(array, -1 if array.dtype.kind != "u" else huge),
        "nan": lambda: np.full_like(array, 0 if whole else np.nan),
        "random": lambda: rng.integers(0, 2**8, array.nbytes, dtype=np.uint8).view(array.dtype).reshape(array.shape),
        "renamed": lambda: array,
    }[way]()


def places_in(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to each value of a JSON object, containers included; of long lists only the ends."""
    items = (
        list(value.items()) if isinstance(value, dict) else list(enumerate(value)) if isinstance(value, list) else []
    )
    for key, item in items if len(items) < 50 else [*items[:3], *items[-3:]]:
        yield (*place, key)
        yield from places_in(item, (*place, key))


def _write_sealed(folder: Path, files: dict[str, bytes]) -> str:
    """Write the files, and config.json with checksums that fit; says where that cannot be done."""
    for name, content in files.items():
        (folder / name).write_bytes(content)
    config = json.loads((folder / CONFIG).read_text("utf-8"))
    others = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file() and path.name != CONFIG}
    try:
        sealed = seal(config, stamps(others))
    except (KeyError, TypeError, AttributeError):
        return " (not sealed)"
    (folder / CONFIG).write_bytes(json_bytes(sealed))
    return ""


def use(folder: Path) -> Iterator[float]:
    """Load the model and ask it a little."""
    model = load(folder)
    if isinstance(model, LanguageModel):
        tokens = model.tokeniser.encode("The moon is up,\nand so am I.\n")
        yield from np.asarray(model.token_log_probs(tokens.ids)).tolist()
        reader = model.reader()
        for token in tokens.ids[:3]:
            yield from np.exp(reader.next_log_probs()).tolist()
            reader.read(int(token))
    else:
        yield from model.log_probs(["a superb plot", ""]).ravel().tolist()


def try_folder(folder: Path) -> Outcome:
    """Use the model, and say what it came to."""

    def judge(answers: Any) -> Outcome:
        return Outcome("not a number", str(answers)[:60]) if np.isnan(answers).any() else Outcome("answered")

    return try_use(lambda: np.array(list(use(folder))), seconds=SECONDS, judge=judge)


def run(models: list[Path], seeds: range) -> tuple[Counter[str], dict[tuple[str, str, str], list[str]]]:
    """How often each kind of outcome came, and for each fault what shows it."""
    kinds: Counter[str] = Counter()
    faults: dict[tuple[str, str, str], list[str]] = {}
    with tempfile.TemporaryDirectory() as place:
        for seed in seeds:
            rng = np.random.default_rng([seed, 11])
            model = models[rng.integers(len(models))]
            folder = Path(place, "model")
            shutil.copytree(model, folder)
            what = damage(folder, rng)
            outcome = try_folder(folder)
            shutil.rmtree(folder)
            kinds[outcome.kind] += 1
            if outcome.is_fault:
                faults.setdefault((model.name, outcome.kind, outcome.detail), []).append(f"{seed}: {what}")
    return kinds, faults


def run_all(seeds: range) -> tuple[Counter[str], dict[tuple[str, str, str], list[str]]]:
    """As `run`, with models that are trained now."""
    with tempfile.TemporaryDirectory() as place:
        return run(save_models(Path(place)), seeds)


if __name__ == "__main__":
    search(__doc__ or "", 2500, run_all)
