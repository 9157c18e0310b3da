"""Text files read as a whole or in pieces: plain or gzip, in UTF-8.

A byte order mark is dropped, and all line ends become "\\n", so that a text reads the same wherever it was written.
A byte that is no UTF-8 is an error that says where it stands.
"""

from __future__ import annotations

import codecs
import gzip
import io
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, NoReturn, cast

from regard.errors import InputFileError

BLOCK_BYTES = 1 << 20
CHUNK_CHARACTERS = 1 << 20
MAX_BYTES = 1 << 28  # of text at once: 268 MB, which Python holds as 0.3 to 1 GB


def read_text(path: Path | str, *, limit: int = MAX_BYTES) -> str:
    """Read the text in a file; InputFileError where it has more than `limit` bytes."""
    path, pieces, n_bytes = Path(path), [], 0
    if path.is_file() and path.stat().st_size > limit:
        raise _refuse_size(path, limit)
    for piece, size in _decode(str(path), _file_blocks(path)):
        n_bytes += size
        if n_bytes > limit:  # a packed file, which grows while it is read
            raise _refuse_size(path, limit)
        pieces.append(piece)
    return "".join(pieces)


def decode_text(content: bytes, *, name: str, limit: int = MAX_BYTES) -> str:
    """Decode the bytes of a file, at most `limit` of them; messages call the file `name`."""
    if len(content) > limit:
        raise _refuse_size(name, limit)
    return "".join(piece for piece, _ in _decode(name, _blocks(io.BufferedReader(io.BytesIO(content)), name)))


def _refuse_size(name: Path | str, limit: int) -> InputFileError:
    return InputFileError(
        f"{name} holds more than {limit:,} bytes, the most that is read at once; "
        "give a smaller file, or read it piece by piece with read_chunks"
    )


def read_chunks(path: Path | str, size: int = CHUNK_CHARACTERS) -> Iterator[str]:
    """Read a file in pieces of at most `size` characters; joined they are the text."""
    return cut((piece for piece, _ in _decode(str(path), _file_blocks(Path(path)))), size)


def cut(pieces: Iterator[str], size: int = CHUNK_CHARACTERS) -> Iterator[str]:
    """Cut a text into other pieces, of at most `size` characters, that end after white space.

    Only a run of more than `size` characters without white space is cut elsewhere.

    >>> list(cut(iter(["to be ", "or not"]), 8))
    ['to be ', 'or not']
    """
    if size < 1:
        raise ValueError(f"a piece needs at least one character; got size {size}")
    rest = ""
    for piece in pieces:
        text, start = rest + piece, 0
        while len(text) - start > size:
            end = _last_break(text, start, start + size)
            yield text[start:end]
            start = end
        rest = text[start:]
    if rest:
        yield rest


def _last_break(text: str, start: int, end: int) -> int:
    """The place after the last white space of text[start:end]; `end` if there is none."""
    last_word = "" if text[end - 1].isspace() else text[start:end].rsplit(None, 1)[-1]
    return end if len(last_word) == end - start else end - len(last_word)


def _decode(name: str, blocks: Iterator[bytes]) -> Iterator[tuple[str, int]]:
    """Decode blocks into pieces of text, each with its number of bytes; InputFileError if there is no text at all."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    newlines = io.IncrementalNewlineDecoder(None, translate=True)
    place = _Place(name)
    is_empty = True
    for block in blocks:
        waiting = decoder.getstate()[0]
        try:
            text = newlines.decode(decoder.decode(block, final=not block), final=not block)
        except UnicodeDecodeError as error:
            place.complain(waiting + block, error, newlines)
        text = place.without_mark(text)
        place.advance(text, len(waiting) + len(block) - len(decoder.getstate()[0]))
        if text:
            is_empty = False
            yield text, len(block)
    if is_empty:
        raise InputFileError(f"{name} is empty; expected text")


class _Place:
    """How far a file has been read: bytes, lines, and characters of the line begun."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.n_bytes, self.line, self.column = 0, 1, 1

    def advance(self, text: str, n_bytes: int) -> None:
        self.n_bytes += n_bytes
        n_lines = text.count("\n")
        self.line += n_lines
        self.column = len(text) - text.rindex("\n") if n_lines else self.column + len(text)

    def without_mark(self, text: str) -> str:
        return text.removeprefix("\ufeff") if self.n_bytes == 0 else text

    def complain(self, data: bytes, error: UnicodeDecodeError, newlines: io.IncrementalNewlineDecoder) -> NoReturn:
        if self.n_bytes == 0 and data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            raise InputFileError(f"{self.name} begins with the byte order mark of UTF-16; save it as UTF-8") from None
        good = newlines.decode(data[: error.start].decode("utf-8"), final=True)
        self.advance(self.without_mark(good), error.start)
        raise InputFileError(
            f"{self.name} is not UTF-8: byte 0x{data[error.start]:02x} at offset {self.n_bytes} "
            f"(line {self.line}, column {self.column}): {error.reason}; save it as UTF-8"
        ) from None


def _file_blocks(path: Path) -> Iterator[bytes]:
    """The bytes of a file, a block at a time."""
    try:
        with path.open("rb") as file:
            yield from _blocks(file, str(path))
    except OSError as error:
        raise InputFileError(f"cannot read {path}: {error.strerror}") from error


def _blocks(file: io.BufferedReader, name: str) -> Iterator[bytes]:
    """The bytes of an open file, unpacked where it is gzip, a block at a time; the last block is empty."""
    is_gzip = file.peek(2).startswith(b"\x1f\x8b")
    source = cast(BinaryIO, gzip.GzipFile(fileobj=file)) if is_gzip else file
    try:
        while block := source.read(BLOCK_BYTES):
            yield block
        yield b""
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InputFileError(f"{name} is a damaged gzip file: {error}; fetch it again") from error
