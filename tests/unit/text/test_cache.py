"""The cache: where it is, and that what is in it is whole."""

import errno
import hashlib
import sys
from pathlib import Path

import pytest

from regard.errors import CorpusError, InputFileError
from regard.text.cache import cache_folder, file_sha256, obtain

DATA = b"whole\n"
SHA256 = hashlib.sha256(DATA).hexdigest()


def test_the_folder_that_the_user_chooses():
    assert cache_folder({"REGARD_CACHE": "/big/disk", "XDG_CACHE_HOME": "/x"}) == Path("/big/disk")
    assert cache_folder({"XDG_CACHE_HOME": "/x"}) == Path("/x/regard")


@pytest.mark.parametrize("xdg", [{}, {"XDG_CACHE_HOME": ""}, {"XDG_CACHE_HOME": "relative"}])
@pytest.mark.parametrize(("system", "folder"), [("linux", ".cache"), ("darwin", "Library/Caches")])
def test_the_folder_of_the_platform(monkeypatch, xdg, system, folder):
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setenv("HOME", "/home/me")
    assert cache_folder(xdg) == Path("/home/me") / folder / "regard"


def test_the_folder_on_windows(monkeypatch):
    monkeypatch.setattr(sys, "platform", "win32")
    assert cache_folder({"LOCALAPPDATA": "/local"}) == Path("/local/regard/cache")


def test_nobody_has_no_home(monkeypatch):
    def homeless():
        raise RuntimeError

    monkeypatch.setattr(Path, "home", homeless)
    with pytest.raises(CorpusError, match=r"set REGARD_CACHE to a folder"):
        cache_folder({})


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


def test_no_file_has_no_checksum(tmp_path):
    assert file_sha256(tmp_path / "none") is None
    (tmp_path / "a").write_bytes(DATA)
    assert file_sha256(tmp_path / "a" / "b") is None
    assert file_sha256(tmp_path / "a") == SHA256
