"""Word vectors converted once: text becomes arrays that are mapped into memory, so that opening them reads nothing.

    CACHE/vectors/PATH-FILE/      PATH: a digest of where the text is; FILE: one of its size and time of change
        vectors.npy               float32, a row a word
        words.txt                 UTF-8, a word a line
        about.json                what it was made from, how it was read; written last

A folder gets its name once it is whole. One that is damaged, or made from an older file, is made anew.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Collection
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from regard.errors import CorpusError, InputFileError
from regard.text.vector_bytes import Progress
from regard.text.vector_file import VectorText, read_vectors
from regard.text.vectors import ReadReport, SkippedLine, WordVectors

FORMAT = 1


def open_vectors(
    path: Path | str,
    *,
    cache: Path | None,
    wanted: Collection[str] | None = None,
    progress: Progress | None = None,
) -> WordVectors:
    """The vectors in a file of GloVe text, mapped into memory from `cache`, where they are put at first.

    With `wanted`, only these words, in memory. Without a cache, everything is read anew each time.
    """
    path = Path(path)
    if cache is None:
        return read_vectors(path, wanted=wanted, progress=progress)
    source = _source(path)
    folder = cache / "vectors" / f"{_digest(source['path'])}-{_digest(source)}"
    vectors = _load(folder, source)
    if vectors is None:
        _convert(path, source, folder, progress)
        vectors = _load(folder, source)
    if vectors is None:
        raise CorpusError(f"{path} was changed while it was read, or the cache {folder} cannot be used; try again")
    return vectors if wanted is None else _only(vectors, wanted)


def _only(vectors: WordVectors, wanted: Collection[str]) -> WordVectors:
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
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()[:16]


def _load(folder: Path, source: dict[str, Any]) -> WordVectors | None:
    """What the folder holds; None unless it is whole and was made from this very file."""
    try:
        about = json.loads((folder / "about.json").read_bytes())
        words = (folder / "words.txt").read_bytes()
        is_whole = about["format"] == FORMAT and about["source"] == source and about["words"] == _sha256(words)
        vectors = np.load(folder / "vectors.npy", mmap_mode="r", allow_pickle=False)
        if not is_whole or vectors.dtype != np.float32 or list(vectors.shape) != about["shape"]:
            return None
        listed = words.decode("utf-8").split("\n")[:-1]
        return WordVectors(listed, vectors.view(np.ndarray), _report(about["report"]))
    except (OSError, EOFError, ValueError, KeyError, TypeError):  # ShapeError and broken JSON or UTF-8 are ValueErrors
        return None


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _report(fields: dict[str, Any]) -> ReadReport:
    cases = {
        name: tuple(SkippedLine(**case) for case in fields[name]) for name in ("first_skipped", "first_duplicates")
    }
    return ReadReport(**{**fields, **cases})


def _convert(path: Path, source: dict[str, Any], folder: Path, progress: Progress | None) -> None:
    """Make the folder from the text, a block at a time: the whole is never in memory."""
    text = VectorText(path, progress=progress)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".", dir=folder.parent, ignore_cleanup_errors=True) as aside:
            made = Path(aside) / "made"
            made.mkdir()
            shape, words = _write_arrays(text, made)
            about = {"format": FORMAT, "source": source, "shape": shape, "words": words}
            (made / "about.json").write_text(json.dumps(about | {"report": asdict(text.report())}), encoding="utf-8")
            _put(made, folder, source)
    except OSError as error:
        reason = error.strerror
        raise CorpusError(f"cannot write {folder.parent}: {reason}; REGARD_CACHE may name another folder") from error


def _write_arrays(text: VectorText, folder: Path) -> tuple[list[int], str]:
    """Write vectors.npy and words.txt; the shape of the one and the digest of the other."""
    shape, digest = [0, 0], hashlib.sha256()
    with (folder / "vectors.npy").open("wb") as vectors, (folder / "words.txt").open("wb") as words:
        for block_words, rows in text:
            if shape[1] == 0:
                shape[1] = rows.shape[1]
                _write_header(vectors, shape)
            shape[0] += len(rows)
            vectors.write(np.ascontiguousarray(rows).data)
            lines = "".join(f"{word}\n" for word in block_words).encode()
            digest.update(lines)
            words.write(lines)
        vectors.seek(0)
        _write_header(vectors, shape)
        for file in (vectors, words):
            file.flush()
            os.fsync(file.fileno())
    return shape, digest.hexdigest()


def _write_header(file: Any, shape: list[int]) -> None:
    """NumPy leaves room for any number of rows, so that the header can be written again over itself."""
    description = {"descr": "<f4", "fortran_order": False, "shape": tuple(shape)}
    np.lib.format.write_array_header_1_0(file, description)


def _put(made: Path, folder: Path, source: dict[str, Any]) -> None:
    """Give the new folder its name; what was made from the same path before goes."""
    if _load(folder, source) is not None:  # another process was faster
        return
    for old in folder.parent.glob(f"{folder.name.partition('-')[0]}-*"):
        shutil.rmtree(old, ignore_errors=True)
    try:
        made.rename(folder)
    except OSError:
        if _load(folder, source) is None:
            raise
