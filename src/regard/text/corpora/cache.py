"""The folder of fetched files, and files in it that are whole or not there at all.

    archives/NAME              whole, its sha256 compared each time it is used
    archives/.NAME.part        what has come so far; the next attempt goes on from there
    archives/.NAME.lock        held by the one process that fetches; the system lets go of it when that process dies
    archives/NAME.other        a file of that name with another sha256: it may be the user's, so it is kept

A file gets its name by renaming, once it is whole, so that no reader ever meets half of one. Nothing else in the folder
is looked at, written or removed.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from regard.errors import CorpusError, InputFileError
from regard.files import file_sha256

_ELSEWHERE = "REGARD_CACHE may name another folder for the cache"


def obtain(target: Path, *, sha256: str, fill: Callable[[Path], None]) -> Path:
    """`target`, a file with this sha256; where it is not there, `fill` writes or continues a partial file.

    Of several processes that ask at once, one fetches and the others wait for it.
    """
    part = target.with_name(f".{target.name}.part")
    if file_sha256(target) == sha256:
        if part.exists():  # left by a download that was killed before the file came from elsewhere
            with suppress(OSError, CorpusError), _locked(target):
                part.unlink(missing_ok=True)
        return target
    with _locked(target):
        if file_sha256(target) != sha256:  # or another process has just been here
            try:
                fill(part)
                _refuse_other(part, sha256)
                _set_aside(target)
                part.replace(target)
            except OSError as error:  # a full disk, mostly
                raise CorpusError(f"cannot write {part}: {error.strerror}; {_ELSEWHERE}") from error
    return target


def _set_aside(target: Path) -> None:
    """Give a file that has the wrong content another name, NAME.other: perhaps the user has put it there."""
    if not target.exists():
        return
    names = (f"{target.name}.other{number or ''}" for number in itertools.count())
    target.rename(next(path for path in map(target.with_name, names) if not path.exists()))


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
