"""Members of a tar.gz, read as data: nothing is unpacked to disk, nothing is run, nothing in it is trusted.

An archive is refused as a whole if any member has a path that leaves the archive's own folder, is a link or a
device, or is larger than expected; and if it unpacks to more than expected in all, whatever its headers say.
"""

from __future__ import annotations

import gzip
import io
import tarfile
import zlib
from collections.abc import Sequence
from pathlib import PurePosixPath, PureWindowsPath

from regard.errors import InputFileError

MOST_MEMBER_BYTES = 8 << 20
MOST_BYTES = 64 << 20


def read_members(
    data: bytes,
    names: Sequence[str],
    *,
    label: str,
    most_member_bytes: int = MOST_MEMBER_BYTES,
    most_bytes: int = MOST_BYTES,
) -> dict[str, bytes]:
    """The bytes of the named members, in the order of the names. `label` is what messages call the archive."""
    found: dict[str, bytes] = {}
    unpacked = io.BufferedReader(_Bounded(gzip.GzipFile(fileobj=io.BytesIO(data)), most_bytes, label))
    try:
        # As a stream: each member is met once, in order, and nothing can point backwards.
        with tarfile.open(fileobj=unpacked, mode="r|", errorlevel=2) as archive:
            for member in archive:
                _refuse_odd(member, label, most_member_bytes)
                if member.name in names and member.isreg():
                    if member.name in found:
                        raise InputFileError(f"{label} is refused: it holds {member.name!r} twice")
                    found[member.name] = _content(archive, member)
    except (tarfile.TarError, zlib.error, EOFError, OSError) as error:
        raise InputFileError(f"{label} is a damaged archive: {error}") from error
    missing = [name for name in names if name not in found]
    if missing:
        raise InputFileError(f"{label} lacks {missing[0]!r}" + (f" and {len(missing) - 1} more" * (len(missing) > 1)))
    return {name: found[name] for name in names}


def _refuse_odd(member: tarfile.TarInfo, label: str, most_bytes: int) -> None:
    name = member.name
    if _leaves_the_folder(name):
        raise InputFileError(f"{label} is refused: member {name!r} points outside of the archive")
    if not (member.isreg() or member.isdir()):
        raise InputFileError(f"{label} is refused: member {name!r} is a link or a device, expected files and folders")
    if not 0 <= member.size <= most_bytes:
        raise InputFileError(
            f"{label} is refused: member {name!r} claims {member.size:,} bytes, expected at most {most_bytes:,}"
        )


def _leaves_the_folder(name: str) -> bool:
    """True for /etc/x, ../x, a/../../x, and the same as Windows would read it: C:x, \\\\server\\x."""
    windows = PureWindowsPath(name)
    return bool(windows.anchor) or PurePosixPath(name).is_absolute() or ".." in windows.parts


def _content(archive: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    extracted = archive.extractfile(member)
    assert extracted is not None  # a regular file has content
    data = extracted.read()
    if len(data) != member.size:
        raise EOFError(f"member {member.name!r} ends after {len(data):,} of {member.size:,} bytes")
    return data


class _Bounded(io.RawIOBase):
    """A stream that ends in an error where it gives more than expected: a small file may unpack to terabytes."""

    def __init__(self, source: gzip.GzipFile, most_bytes: int, label: str) -> None:
        self.source, self.left = source, most_bytes
        self.message = f"{label} is refused: it unpacks to more than {most_bytes:,} bytes"

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        data = self.source.read(len(buffer))
        self.left -= len(data)
        if self.left < 0:
            raise InputFileError(self.message)
        buffer[: len(data)] = data
        return len(data)
