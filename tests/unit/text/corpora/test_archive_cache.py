"""The cache: what is in it is whole, and what the user has there stays."""

import errno
import hashlib

import pytest

from regard.errors import CorpusError, InputFileError
from regard.text.corpora.archive import obtain

DATA = b"whole\n"
SHA256 = hashlib.sha256(DATA).hexdigest()


def test_a_file_is_fetched_once(tmp_path):
    calls = []

    def fill(part):
        calls.append(part)
        part.write_bytes(DATA)

    target = tmp_path / "new" / "a.bin"
    assert obtain(target, sha256=SHA256, fill=fill) == obtain(target, sha256=SHA256, fill=fill) == target
    assert target.read_bytes() == DATA
    assert calls == [target.with_name(".a.bin.part")]
    assert not calls[0].exists()


def test_a_damaged_file_is_fetched_again(tmp_path):
    target = tmp_path / "a.bin"
    target.write_bytes(DATA[:3])
    obtain(target, sha256=SHA256, fill=lambda part: part.write_bytes(DATA) and None)
    assert target.read_bytes() == DATA


def test_a_file_of_the_users_with_that_name_is_kept(tmp_path):
    target = tmp_path / "a.bin"
    for mine in (b"mine", b"mine too"):
        target.write_bytes(mine)
        obtain(target, sha256=SHA256, fill=lambda part: part.write_bytes(DATA) and None)
    found = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert found == {"a.bin": DATA, "a.bin.other": b"mine", "a.bin.other1": b"mine too", ".a.bin.lock": b""}


def test_a_failed_download_leaves_the_users_file_where_it_is(tmp_path):
    (tmp_path / "a.bin").write_bytes(b"mine")
    with pytest.raises(InputFileError):
        obtain(tmp_path / "a.bin", sha256=SHA256, fill=lambda part: part.write_bytes(b"other") and None)
    assert {path.name for path in tmp_path.iterdir()} == {"a.bin", ".a.bin.lock"}
    assert (tmp_path / "a.bin").read_bytes() == b"mine"


def test_what_a_killed_download_left_goes_when_the_file_is_there(tmp_path):
    (tmp_path / ".a.bin.part").write_bytes(DATA[:3])
    (tmp_path / "a.bin").write_bytes(DATA)
    obtain(tmp_path / "a.bin", sha256=SHA256, fill=lambda _: None)
    assert {path.name for path in tmp_path.iterdir()} == {"a.bin", ".a.bin.lock"}


def test_other_bytes_are_refused_and_nothing_is_kept(tmp_path):
    target = tmp_path / "a.bin"
    with pytest.raises(InputFileError, match=rf"expected sha256 {SHA256}, got "):
        obtain(target, sha256=SHA256, fill=lambda part: part.write_bytes(b"other") and None)
    assert [path.name for path in tmp_path.iterdir()] == [".a.bin.lock"]


def test_what_an_attempt_leaves_is_for_the_next_one(tmp_path):
    target = tmp_path / "a.bin"

    def breaks_off(part):
        part.write_bytes(DATA[:3])
        raise CorpusError("offline")

    def goes_on(part):
        part.write_bytes(part.read_bytes() + DATA[3:])

    with pytest.raises(CorpusError, match="offline"):
        obtain(target, sha256=SHA256, fill=breaks_off)
    assert not target.exists()
    assert obtain(target, sha256=SHA256, fill=goes_on).read_bytes() == DATA


def test_a_full_disk_is_one_line(tmp_path):
    def full(_):
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(
        CorpusError, match=r"^cannot write .*a.bin.part: No space left on device; REGARD_CACHE may name"
    ):
        obtain(tmp_path / "a.bin", sha256=SHA256, fill=full)


def test_a_folder_that_cannot_be(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(CorpusError, match=r"^cannot write to .*/file/archives: Not a directory; REGARD_CACHE may name"):
        obtain(tmp_path / "file" / "archives" / "a.bin", sha256=SHA256, fill=lambda _: None)


def test_a_whole_file_needs_no_lock(tmp_path):
    target = tmp_path / "a.bin"
    target.write_bytes(DATA)
    obtain(target, sha256=SHA256, fill=lambda _: None)
    assert list(tmp_path.iterdir()) == [target]  # so that a cache may be read-only
