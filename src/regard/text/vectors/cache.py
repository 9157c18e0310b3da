"""A cache of word vectors: text is converted once, to arrays that are mapped into memory when their checksums fit.

    CACHE/vectors/PATH-FILE/      PATH: a digest of where the text is; FILE: one of its size and time of change
        vectors.npy               float32, a row a word
        words.txt                 UTF-8, a word a line
        about.json                what it was made from, how it was read, checksums of all three; written last
    CACHE/vectors/.unfinished-*/  being made; one in which nothing has changed for an hour was left by a killed process

A folder gets its name once it is whole. A damaged one, or one made from an older file, is made again. A folder is
removed only if its name has this form and it holds nothing but these three files.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import time
import tokenize
from collections.abc import Collection
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from regard.errors import CorpusError, InputFileError
from regard.files import remove_folder, sha256
from regard.progress import Progress, silent
from regard.text.vectors.glove_text import VectorText, read_vectors
from regard.text.vectors.word_vectors import ReadReport, SkippedLine, WordVectors

FORMAT = 2
FILES = ("about.json", "words.txt", "vectors.npy")
UNFINISHED = ".unfinished-"
MAX_SECONDS_UNCHANGED = 3600.0
"""A conversion writes all the time: a folder unchanged for longer than this was left by a killed process."""


def open_vectors(
    path: Path | str,
    *,
    cache: Path | None,
    wanted: Collection[str] | None = None,
    progress: Progress = silent,
) -> WordVectors:
    """Open the vectors in a file of GloVe text: converted to `cache` the first time, mapped into memory from there.

    With `wanted`, only these words are loaded. Without a cache, the text is read each time.
    """
    path = Path(path)
    if cache is None:
        return read_vectors(path, wanted=wanted, progress=progress)
    source = _source(path)
    folder = cache / "vectors" / f"{_digest(source['path'])}-{_digest(source)}"
    vectors = _load(folder, source)
    if vectors is None:
        if folder.exists():
            progress(None, f"the conversion kept in {folder} is damaged; it is made again")
        _convert(path, source, folder, progress)
        vectors = _load(folder, source)
    if vectors is None:
        raise CorpusError(f"{path} was changed while it was read, or the cache {folder} cannot be used; try again")
    return vectors if wanted is None else _select_words(vectors, wanted)


def _select_words(vectors: WordVectors, wanted: Collection[str]) -> WordVectors:
    wanted = frozenset(wanted)
    rows = [row for row, word in enumerate(vectors.words) if word in wanted]
    return WordVectors([vectors.words[row] for row in rows], vectors.vectors[rows], vectors.report)


def _source(path: Path) -> dict[str, Any]:
    try:
        state = path.stat()
    except OSError as error:
        raise InputFileError(f"cannot read {path}: {error.strerror}") from error
    return {"path": str(path.resolve()), "size": state.st_size, "mtime_ns": state.st_mtime_ns}


def _digest(value: Any) -> str:
    return sha256(json.dumps(value))[:16]


def _load(folder: Path, source: dict[str, Any]) -> WordVectors | None:
    """Load the vectors in a folder; None unless it is whole and was made from this very file."""
    try:
        about = json.loads((folder / "about.json").read_bytes())
        if about.pop("sha256") != sha256(json.dumps(about)) or about["format"] != FORMAT or about["source"] != source:
            return None
        words = (folder / "words.txt").read_bytes()
        vectors = np.load(folder / "vectors.npy", mmap_mode="r", allow_pickle=False)
        if vectors.dtype != np.float32 or list(vectors.shape) != about["shape"]:
            return None
        rows = hashlib.sha256(np.ascontiguousarray(vectors).data) if vectors.size else hashlib.sha256()
        if about["words"] != sha256(words) or about["rows"] != rows.hexdigest():
            return None
        listed = words.decode("utf-8").split("\n")[:-1]
        return WordVectors(listed, vectors.view(np.ndarray), _report(about["report"]))
    # ShapeError and broken JSON or UTF-8 are ValueErrors; NumPy's parser of headers lets an error of its own through.
    except (OSError, EOFError, ValueError, KeyError, TypeError, tokenize.TokenError):
        return None


def _report(fields: dict[str, Any]) -> ReadReport:
    cases = {
        name: tuple(SkippedLine(**case) for case in fields[name]) for name in ("first_skipped", "first_duplicates")
    }
    return ReadReport(**{**fields, **cases})


def _convert(path: Path, source: dict[str, Any], folder: Path, progress: Progress) -> None:
    """Convert the text into the folder, a block at a time, so that the whole is never in memory."""
    text = VectorText(path, progress=progress)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        _remove_leftovers(folder.parent)
        made = Path(tempfile.mkdtemp(prefix=UNFINISHED, dir=folder.parent))
        try:
            about = {"format": FORMAT, "source": source, **_write_arrays(text, made), "report": asdict(text.report())}
            sealed = json.dumps(about | {"sha256": sha256(json.dumps(about))})
            (made / "about.json").write_text(sealed, encoding="utf-8")
            _install(made, folder, source)
        finally:
            remove_folder(made, FILES)
    except OSError as error:
        reason = error.strerror
        raise CorpusError(f"cannot write {folder.parent}: {reason}; REGARD_CACHE may name another folder") from error


def _remove_leftovers(parent: Path) -> None:
    """Remove folders left by killed conversions, unless they hold anything else."""
    for left in parent.glob(f"{UNFINISHED}*"):
        try:
            changed = max(path.stat().st_mtime for path in (left, *left.iterdir()))
        except OSError:  # it has just gone, or it is no folder
            continue
        if time.time() - changed > MAX_SECONDS_UNCHANGED:
            remove_folder(left, FILES)


def _write_arrays(text: VectorText, folder: Path) -> dict[str, Any]:
    """Write vectors.npy and words.txt; the shape of the one, and the checksums of its rows and of the other."""
    shape, digest, rows_digest = [0, 0], hashlib.sha256(), hashlib.sha256()
    with (folder / "vectors.npy").open("wb") as vectors, (folder / "words.txt").open("wb") as words:
        for block_words, rows in text:
            if shape[1] == 0:
                shape[1] = rows.shape[1]
                _write_header(vectors, shape)
            shape[0] += len(rows)
            numbers = np.ascontiguousarray(rows)
            rows_digest.update(numbers.data)
            vectors.write(numbers.data)
            lines = "".join(f"{word}\n" for word in block_words).encode()
            digest.update(lines)
            words.write(lines)
        vectors.seek(0)
        _write_header(vectors, shape)
        for file in (vectors, words):
            file.flush()
            os.fsync(file.fileno())
    return {"shape": shape, "words": digest.hexdigest(), "rows": rows_digest.hexdigest()}


def _write_header(file: Any, shape: list[int]) -> None:
    """Write the header of an .npy file; NumPy leaves room in it, so that it can be overwritten with the final shape."""
    description = {"descr": "<f4", "fortran_order": False, "shape": tuple(shape)}
    np.lib.format.write_array_header_1_0(file, description)


def _install(made: Path, folder: Path, source: dict[str, Any]) -> None:
    """Give the new folder its name, and remove what was made from the same path before."""
    if _load(folder, source) is not None:  # another process was faster
        return
    for old in folder.parent.glob(f"{folder.name.partition('-')[0]}-{'[0-9a-f]' * 16}"):
        remove_folder(old, FILES)
    try:
        made.rename(folder)
    except OSError as error:
        if _load(folder, source) is None:
            raise CorpusError(
                f"cannot write {folder}: {error.strerror}; move what is there elsewhere, or set REGARD_CACHE"
            ) from error
