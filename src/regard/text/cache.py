"""The folder of fetched files, and files in it that are whole or not there at all.

    archives/NAME              whole, its sha256 compared each time it is used
    archives/.NAME.part        what has come so far; the next attempt goes on from there
    archives/.NAME.lock        held by the one process that fetches; the system lets go of it when that process dies

A file gets its name by renaming, once it is whole, so that no reader ever meets half of one.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from regard.errors import CorpusError, InputFileError

_ELSEWHERE = "REGARD_CACHE may name another folder for the cache"


def cache_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """Where fetched files are kept: REGARD_CACHE, or `regard` in the user's folder for such things."""
    if chosen := environment.get("REGARD_CACHE"):
        return Path(chosen).expanduser()
    xdg = environment.get("XDG_CACHE_HOME", "")
    if Path(xdg).is_absolute():  # its specification says to ignore any other
        return Path(xdg) / "regard"
    if sys.platform == "win32" and (local := environment.get("LOCALAPPDATA")):
        return Path(local) / "regard" / "cache"
    folder = "Library/Caches" if sys.platform == "darwin" else ".cache"
    try:
        return Path.home() / folder / "regard"
    except RuntimeError:
        raise CorpusError("this user has no home folder for the cache; set REGARD_CACHE to a folder") from None


def file_sha256(path: Path) -> str | None:
    """The sha256 of a file in hexadecimal; None where there is no such file."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except (FileNotFoundError, NotADirectoryError):
        return None


def obtain(target: Path, *, sha256: str, fill: Callable[[Path], None]) -> Path:
    """`target`, a file with this sha256; where it is not there, `fill` writes or continues a partial file.

    Of several processes that ask at once, one fetches and the others wait for it.
    """
    if file_sha256(target) == sha256:
        return target
    with _locked(target):
        if file_sha256(target) != sha256:  # or another process has just been here
            part = target.with_name(f".{target.name}.part")
            try:
                fill(part)
                _refuse_other(part, sha256)
                part.replace(target)
            except OSError as error:  # a full disk, mostly
                raise CorpusError(f"cannot write {part}: {error.strerror}; {_ELSEWHERE}") from error
    return target


def _refuse_other(part: Path, sha256: str) -> None:
    came = file_sha256(part)
    if came != sha256:
        part.unlink(missing_ok=True)
        raise InputFileError(f"{part.name} is refused: expected sha256 {sha256}, got {came}")


@contextmanager
def _locked(target: Path) -> Iterator[None]:
    """Hold the lock that belongs to a file; wait for it where another process has it."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        lock = target.with_name(f".{target.name}.lock").open("ab")
    except OSError as error:
        raise CorpusError(f"cannot write to {target.parent}: {error.strerror}; {_ELSEWHERE}") from error
    with lock:
        _wait_for(lock)
        yield


if sys.platform == "win32":
    import msvcrt
    import time

    def _wait_for(lock: IO[bytes]) -> None:
        while True:
            try:
                lock.seek(0)
                return msvcrt.locking(lock.fileno(), msvcrt.LK_NBLCK, 1)
            except OSError:  # somebody else has it
                time.sleep(0.1)

else:
    import fcntl

    def _wait_for(lock: IO[bytes]) -> None:
        fcntl.flock(lock, fcntl.LOCK_EX)
