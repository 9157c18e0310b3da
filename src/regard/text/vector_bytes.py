"""The bytes of a file of word vectors, unpacked where it is gzip, in blocks that end where a line ends."""

from __future__ import annotations

import codecs
import gzip
import zlib
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import BinaryIO, cast

from regard.errors import InputFileError

BLOCK_BYTES = 1 << 18
LONGEST_LINE_BYTES = 1 << 24
EXPECTED = "expected word vectors, a word and its numbers on each line"

Progress = Callable[[int, int], None]
"""Called with the bytes of the file that have been read, and with all that it has."""


def whole_lines(path: Path, *, progress: Progress | None = None) -> Iterator[bytes]:
    """Blocks of whole lines; the last line gets a line end if it has none."""
    rest, n_bytes = b"", 0
    for block in _blocks(path, progress):
        cut = block.rfind(b"\n") + 1
        if cut:
            yield rest + block[:cut]
            rest = block[cut:]
        else:
            rest += block
        n_bytes += len(block)
        if len(rest) > LONGEST_LINE_BYTES:
            raise InputFileError(
                f"{path} has more than {LONGEST_LINE_BYTES:,} bytes without a line end from offset "
                f"{n_bytes - len(rest):,} on; {EXPECTED}"
            )
    if rest:
        yield rest + b"\n"


def _blocks(path: Path, progress: Progress | None) -> Iterator[bytes]:
    gzip_file, damage = _fastest_gzip()
    try:
        with path.open("rb") as file:
            size, start = path.stat().st_size, file.peek(4)
            _refuse_archive(start, path)
            source = cast(BinaryIO, gzip_file(fileobj=file)) if start.startswith(b"\x1f\x8b") else file
            block = _checked_start(source.read(BLOCK_BYTES), path)
            while block:
                yield block
                if progress is not None:
                    progress(file.tell(), size)
                block = source.read(BLOCK_BYTES)
    except (EOFError, zlib.error, gzip.BadGzipFile, damage) as error:
        raise InputFileError(f"{path} is a damaged gzip file: {error}; fetch it again") from error
    except OSError as error:
        raise InputFileError(f"cannot read {path}: {error.strerror}") from error


def _fastest_gzip() -> tuple[type[gzip.GzipFile], type[Exception]]:
    """A reader of gzip, and its own kind of error: three times as fast where the package isal is installed."""
    try:
        return import_module("isal.igzip").IGzipFile, import_module("isal.isal_zlib").error
    except ImportError:
        return gzip.GzipFile, zlib.error


def _refuse_archive(start: bytes, path: Path) -> None:
    if start.startswith(b"PK\x03\x04"):
        raise InputFileError(f"{path} is a zip archive; unpack it and give the file of vectors inside")


def _checked_start(block: bytes, path: Path) -> bytes:
    block = block.removeprefix(codecs.BOM_UTF8)
    if not block:
        raise InputFileError(f"{path} is empty; {EXPECTED}")
    if b"\0" in block:
        raise InputFileError(
            f"{path} is not text: byte 0x00 at offset {block.index(0):,}; {EXPECTED} "
            "(word2vec's binary form has to be converted first)"
        )
    return block
