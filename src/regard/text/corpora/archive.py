"""Source archives: kept in a cache folder, where a file is whole or not there at all, and read as data.

    archives/NAME              whole; its sha256 is compared each time it is used
    archives/.NAME.part        what has come so far; the next attempt goes on from there
    archives/.NAME.lock        held by the one process that fetches; the system releases it when that process dies
    archives/NAME.other        a file of that name with another sha256: it may be the user's, so it is kept

A file gets its name by renaming, once it is whole, so that no reader ever meets half of one. Nothing else in the folder
is looked at, written or removed. `read_members` unpacks the wanted files of an archive into memory and refuses whatever
could do harm: paths out of the archive, links, devices, members or archives of unreasonable size.
"""

from __future__ import annotations

import gzip
import io
import itertools
import tarfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath, PureWindowsPath

from regard.errors import CorpusError, InputFileError
from regard.files import file_sha256, wait_for_lock

_ELSEWHERE = "REGARD_CACHE may name another folder for the cache"
MAX_MEMBER_BYTES = 8 << 20
MAX_BYTES = 64 << 20


def obtain(target: Path, *, sha256: str, fill: Callable[[Path], None]) -> Path:
    """Return `target`, once it is a file with this sha256; if it is not yet, `fill` writes or continues a partial file.

    Of several processes that ask at once, one fetches and the others wait for it.
    """
    part = target.with_name(f".{target.name}.part")
    if file_sha256(target) == sha256:
        if part.exists():  # left by a download that was killed before the file came from elsewhere
            with suppress(OSError, CorpusError), _hold_lock(target):
                part.unlink(missing_ok=True)
        return target
    with _hold_lock(target):
        if file_sha256(target) != sha256:  # or another process has just been here
            try:
                fill(part)
                _require_sha256(part, sha256)
                _keep_other(target)
                part.replace(target)
            except OSError as error:  # a full disk, mostly
                raise CorpusError(f"cannot write {part}: {error.strerror}; {_ELSEWHERE}") from error
    return target


def _keep_other(target: Path) -> None:
    """Rename a file with the wrong content to NAME.other instead of replacing it: it may be the user's."""
    if not target.exists():
        return
    names = (f"{target.name}.other{number or ''}" for number in itertools.count())
    target.rename(next(path for path in map(target.with_name, names) if not path.exists()))


def _require_sha256(part: Path, sha256: str) -> None:
    came = file_sha256(part)
    if came != sha256:
        part.unlink(missing_ok=True)
        raise InputFileError(f"{part.name} is refused: expected sha256 {sha256}, got {came}")


@contextmanager
def _hold_lock(target: Path) -> Iterator[None]:
    """Hold the lock that belongs to a file; wait for it where another process has it."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        lock = target.with_name(f".{target.name}.lock").open("ab")
    except OSError as error:
        raise CorpusError(f"cannot write to {target.parent}: {error.strerror}; {_ELSEWHERE}") from error
    with lock:
        wait_for_lock(lock)
        yield


def read_members(
    data: bytes,
    names: Sequence[str],
    *,
    label: str,
    max_member_bytes: int = MAX_MEMBER_BYTES,
    max_bytes: int = MAX_BYTES,
) -> dict[str, bytes]:
    """Read the bytes of the named members, in the order of the names. `label` is what messages call the archive."""
    found: dict[str, bytes] = {}
    unpacked = io.BufferedReader(_Bounded(gzip.GzipFile(fileobj=io.BytesIO(data)), max_bytes, label))
    try:
        # As a stream: each member is met once, in order, and nothing can point backwards.
        with tarfile.open(fileobj=unpacked, mode="r|", errorlevel=2) as archive:
            for member in archive:
                _refuse_harmful(member, label, max_member_bytes)
                if member.name in names and member.isreg():
                    if member.name in found:
                        raise InputFileError(f"{label} is refused: it holds {member.name!r} twice")
                    found[member.name] = _read_member(archive, member)
    except (tarfile.TarError, zlib.error, EOFError, OSError) as error:
        raise InputFileError(f"{label} is a damaged archive: {error}") from error
    missing = [name for name in names if name not in found]
    if missing:
        raise InputFileError(f"{label} lacks {missing[0]!r}" + (f" and {len(missing) - 1} more" * (len(missing) > 1)))
    return {name: found[name] for name in names}


def _refuse_harmful(member: tarfile.TarInfo, label: str, max_bytes: int) -> None:
    name = member.name
    if _leaves_the_folder(name):
        raise InputFileError(f"{label} is refused: member {name!r} points outside of the archive")
    if not (member.isreg() or member.isdir()):
        raise InputFileError(f"{label} is refused: member {name!r} is a link or a device, expected files and folders")
    if not 0 <= member.size <= max_bytes:
        raise InputFileError(
            f"{label} is refused: member {name!r} claims {member.size:,} bytes, expected at most {max_bytes:,}"
        )


def _leaves_the_folder(name: str) -> bool:
    """True for /etc/x, ../x, a/../../x, and for what leaves the folder on Windows: C:x, \\\\server\\x."""
    windows = PureWindowsPath(name)
    return bool(windows.anchor) or PurePosixPath(name).is_absolute() or ".." in windows.parts


def _read_member(archive: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    extracted = archive.extractfile(member)
    assert extracted is not None  # a regular file has content
    data = extracted.read()
    if len(data) != member.size:
        raise EOFError(f"member {member.name!r} ends after {len(data):,} of {member.size:,} bytes")
    return data


class _Bounded(io.RawIOBase):
    """A stream that raises an error once it has given `max_bytes`: a small file may unpack to terabytes."""

    def __init__(self, source: gzip.GzipFile, max_bytes: int, label: str) -> None:
        self.source, self.left = source, max_bytes
        self.message = f"{label} is refused: it unpacks to more than {max_bytes:,} bytes"

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        data = self.source.read(len(buffer))
        self.left -= len(data)
        if self.left < 0:
            raise InputFileError(self.message)
        buffer[: len(data)] = data
        return len(data)
