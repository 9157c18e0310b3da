"""Downloads: pip's settings, addresses that show no password, files that continue after a break."""

import os

import pytest
from tests.support.local_index import serving

from regard.errors import CorpusError
from regard.text.corpora.download import (
    HttpClient,
    PipSettings,
    download,
    public_address,
    read_pip_settings,
    strip_password,
)


def test_pip_is_asked_for_its_settings(tmp_path, monkeypatch):
    (tmp_path / "pip.conf").write_text(
        "[global]\nextra-index-url = file:///a\n  file:///b\ntimeout = 7\n[download]\nproxy = p:1\n"
    )
    monkeypatch.setenv("PIP_CONFIG_FILE", str(tmp_path / "pip.conf"))
    monkeypatch.setenv("PIP_INDEX_URL", "https://mirror/simple")
    monkeypatch.setenv("PIP_FIND_LINKS", "/wheels")
    monkeypatch.setenv("PIP_QUIET", "2")
    for name in ("PIP_EXTRA_INDEX_URL", "PIP_DEFAULT_TIMEOUT", "PIP_TIMEOUT", "PIP_NO_INDEX"):
        monkeypatch.delenv(name, raising=False)
    # What lies in the current folder is not pip.
    (tmp_path / "pip.py").write_text(f"open({str(tmp_path / 'was-run')!r}, 'w')")
    monkeypatch.chdir(tmp_path)
    settings = read_pip_settings()
    assert not (tmp_path / "was-run").exists()
    assert settings.indexes() == ("https://mirror/simple", "file:///a", "file:///b")
    assert settings.find_links == ("/wheels",)
    assert (settings.timeout, settings.proxy, settings.no_index) == (7.0, "p:1", False)


def test_pip_has_a_default_index(monkeypatch):
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    for name in ("PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_NO_INDEX"):
        monkeypatch.delenv(name, raising=False)
    (index,) = read_pip_settings().indexes()
    assert index.startswith("https://")


def test_pip_without_an_index_is_understood(monkeypatch):
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    assert read_pip_settings().no_index is True
    assert read_pip_settings().indexes() == ()


def test_other_kinds_of_address_are_not_opened():
    with pytest.raises(CorpusError, match=r"^ftp://host/x: expected an address of http, https or file$"):
        HttpClient(PipSettings()).open("ftp://me:secret@host/x")


def test_addresses_are_shown_without_password_and_query():
    address = "https://me:se%40cret@host:8000/simple/x?token=1#sha256=2"
    assert strip_password(address) == "https://host:8000/simple/x?token=1#sha256=2"
    assert public_address(address) == "https://host:8000/simple/x"
    assert public_address("file:///a/b") == "file:///a/b"


def test_a_small_answer_is_read_whole_and_a_large_one_refused():
    with serving(pages={"/page": ("text/html", b"12345")}) as (url, _):
        network = HttpClient(PipSettings())
        assert network.read(f"{url}/page", limit=5) == (b"12345", "text/html", f"{url}/page")
        with pytest.raises(CorpusError, match=f"^{url}/page: the answer has more than 4 bytes$"):
            network.read(f"{url}/page", limit=4)
        with pytest.raises(CorpusError, match=f"^{url}/none: the server says 404 Not Found$"):
            network.read(f"{url}/none", limit=4)


def test_a_download_goes_on_from_what_is_there_and_tells_how_far_it_is(tmp_path):
    data, part, seen = bytes(range(250)) * 400, tmp_path / "x.part", []
    part.write_bytes(data[:70_000])
    with serving(pages={"/x.tar.gz": ("application/gzip", data)}) as (url, behaviour):
        download(
            HttpClient(PipSettings()), f"{url}/x.tar.gz", part, size=len(data), progress=lambda *told: seen.append(told)
        )
        assert behaviour.archives() == ["bytes=70000-"]
    assert part.read_bytes() == data
    assert seen == [(1.0, "0.1 of 0.1 MB")]


def test_a_whole_file_is_not_asked_for_again(tmp_path):
    part = tmp_path / "x.part"
    part.write_bytes(b"whole")
    download(HttpClient(PipSettings()), "http://127.0.0.1:9/never-asked", part, size=5)
    assert part.read_bytes() == b"whole"
