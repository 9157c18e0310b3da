"""Text files: plain or packed, whole or in pieces; whatever is wrong with them is said with its place."""

import gzip
import os
import threading
import tracemalloc

import pytest

from regard.errors import InputFileError
from regard.text.corpora import reader
from regard.text.corpora.reader import cut, read_chunks, read_text


@pytest.fixture
def small_blocks(monkeypatch):
    """Blocks of three bytes, so that characters and line ends fall across them."""
    monkeypatch.setattr(reader, "BLOCK_BYTES", 3)


@pytest.fixture(params=["plain", "gzip"])
def write(request, tmp_path):
    """Writes bytes to a file, as they are or packed."""

    def writer(data):
        path = tmp_path / "text"  # packed files are known by their first bytes, not by their name
        path.write_bytes(gzip.compress(data) if request.param == "gzip" else data)
        return path

    return writer


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("Zoë — 𝄞\n".encode(), "Zoë — 𝄞\n"),
        (b"\xef\xbb\xbfmarked", "marked"),
        (b"one\r\ntwo\r\n", "one\ntwo\n"),
        (b"one\rtwo\n\rthree\r", "one\ntwo\n\nthree\n"),
        (b"a\x00b\xe2\x80\xa8c", "a\x00b\u2028c"),
        ("x\ufeffy".encode(), "x\ufeffy"),
    ],
)
@pytest.mark.usefixtures("small_blocks")
def test_what_is_read(write, data, text):
    path = write(data)
    assert read_text(path) == text
    assert "".join(read_chunks(path, 2)) == text


@pytest.mark.parametrize(
    ("data", "place"),
    [
        (b"\xff", "byte 0xff at offset 0 (line 1, column 1): invalid start byte"),
        (b"ab\ncd\xe9 ef", "byte 0xe9 at offset 5 (line 2, column 3): invalid continuation byte"),
        (b"ab\r\ncd\x80", "byte 0x80 at offset 6 (line 2, column 3): invalid start byte"),
        (b"\xef\xbb\xbfab\x80", "byte 0x80 at offset 5 (line 1, column 3): invalid start byte"),
        ("é\né".encode() + b"\xe2\x82", "byte 0xe2 at offset 5 (line 2, column 2): unexpected end of data"),
        (b"\r" * 5 + b"\xff", "byte 0xff at offset 5 (line 6, column 1): invalid start byte"),
    ],
)
@pytest.mark.parametrize("block_bytes", [1, 2, 3, 4, 1 << 20])
def test_broken_utf8_says_where(write, monkeypatch, data, place, block_bytes):
    monkeypatch.setattr(reader, "BLOCK_BYTES", block_bytes)
    path = write(data)
    with pytest.raises(InputFileError) as caught:
        read_text(path)
    assert str(caught.value) == f"{path} is not UTF-8: {place}; save it as UTF-8"


def test_utf16_is_named(write):
    with pytest.raises(InputFileError, match=r"begins with the byte order mark of UTF-16; save it as UTF-8$"):
        read_text(write("hello".encode("utf-16")))


@pytest.mark.parametrize("data", [b"", b"\xef\xbb\xbf"])
@pytest.mark.usefixtures("small_blocks")
def test_an_empty_file(write, data):
    path = write(data)
    with pytest.raises(InputFileError, match=rf"^{path} is empty; expected text$"):
        read_text(path)
    with pytest.raises(InputFileError, match="is empty"):
        list(read_chunks(path))


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (gzip.compress(b"hello" * 99)[:-10], "Compressed file ended before the end-of-stream marker was reached"),
        (gzip.compress(b"hello")[:-8] + bytes(8), "CRC check failed"),
        (gzip.compress(b"hello")[:10] + b"\xff" * 20, "Error -3 while decompressing data"),
    ],
    ids=["cut", "changed", "nonsense"],
)
def test_a_damaged_gzip_file(tmp_path, data, reason):
    (tmp_path / "a.gz").write_bytes(data)
    with pytest.raises(InputFileError, match=rf"a.gz is a damaged gzip file: {reason}.*; fetch it again$"):
        read_text(tmp_path / "a.gz")


def test_what_cannot_be_opened(tmp_path):
    with pytest.raises(InputFileError, match=r"^cannot read .*/none: No such file or directory$"):
        read_text(tmp_path / "none")
    with pytest.raises(InputFileError, match=r"^cannot read .*: Is a directory$"):
        read_text(tmp_path)


def test_too_much_for_memory_is_refused(write):
    path = write(b"x" * 1000)
    assert read_text(path, limit=1000) == "x" * 1000
    with pytest.raises(InputFileError) as caught:
        read_text(path, limit=999)
    assert str(caught.value) == (
        f"{path} holds more than 999 bytes, the most that is read at once; "
        "give a smaller file, or read it piece by piece with read_chunks"
    )


def test_a_pipe_can_be_read(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    thread = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=(b"from a pipe\n",))
    thread.start()
    assert read_text(tmp_path / "pipe") == "from a pipe\n"
    thread.join()


@pytest.mark.parametrize("word", ["word ", "w"], ids=["words", "no white space at all"])
def test_one_endless_line_is_never_whole_in_memory(tmp_path, monkeypatch, word):
    monkeypatch.setattr(reader, "BLOCK_BYTES", 1 << 15)
    n = 4_000_000 // len(word)
    (tmp_path / "line").write_text(word * n)
    tracemalloc.start()
    try:
        lengths = [len(piece) for piece in read_chunks(tmp_path / "line", 1 << 15)]
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert sum(lengths) == n * len(word)
    assert max(lengths) <= 1 << 15
    assert peak < 500_000


def test_pieces_end_after_white_space():
    assert list(cut(iter(["to be\nor no", "t to be"]), 6)) == ["to be\n", "or ", "not ", "to be"]
    assert list(cut(iter(["abcdefgh ij"]), 3)) == ["abc", "def", "gh ", "ij"]
    assert list(cut(iter([""]), 3)) == []
    with pytest.raises(ValueError, match="at least one character; got size 0"):
        list(cut(iter(["a"]), 0))
