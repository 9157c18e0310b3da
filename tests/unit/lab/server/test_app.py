"""The lab's pages, its address, and the folder that it works in."""

import asyncio
import logging
import os
import re
import socket
import sys
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from regard.errors import AddressError
from regard.lab.server.app import (
    _WebFiles,
    address_of,
    create_app,
    fit_open_files,
    is_first_failure,
    is_local,
    lab_settings,
    listen,
)
from regard.lab.server.guard import Limits


@pytest.fixture(scope="module")
def client():
    return TestClient(create_app(), base_url="http://127.0.0.1:8642", follow_redirects=False)


def test_the_start_page_leads_to_the_chapters(client):
    page = client.get("/")
    assert (page.status_code, page.headers["cache-control"]) == (200, "no-cache")
    assert 'href="chapter/look-up/"' in page.text


def test_a_plain_chapter_needs_nothing_inline(client):
    page = client.get("/chapter/look-up/")
    assert (page.status_code, page.headers["cache-control"]) == (200, "no-cache")
    assert "unsafe" not in page.headers["content-security-policy"]
    assert "script-src 'self';" in page.headers["content-security-policy"]
    assert client.get("/web/parts/page.js").headers["cache-control"] == "no-cache"
    assert client.get("/web/parts/page.js").headers["content-type"].startswith("text/javascript")


def test_a_file_of_a_page_is_sent_once_and_again_when_it_has_changed(client, tmp_path):
    first = client.get("/web/style.css")
    assert (first.status_code, first.headers["content-type"]) == (200, "text/css; charset=utf-8")
    again = client.get("/web/style.css", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert client.get("/web/nothing.css").status_code == client.post("/web/style.css").status_code == 404
    assert client.get("/web/models/shakespeare.safetensors").headers["content-type"] == "application/octet-stream"
    (tmp_path / "a.js").write_text("1")
    files = TestClient(_WebFiles(tmp_path))
    assert files.get("/a.js").text == "1"
    (tmp_path / "a.js").write_text("22")
    assert files.get("/a.js").text == "22"


def test_files_of_a_version_are_asked_for_once_and_another_version_has_other_addresses(client, tmp_path):
    for address in ("/", "/chapter/look-up/"):
        page = client.get(address).text
        named = re.findall(r'(?:href|src)="((?:../../)?web/[^"]+)"', page)
        assert len(named) >= 3
        versions = {re.fullmatch(r"(?:../../)?web/(v[0-9a-f]{12})/.+", name)[1] for name in named}
        assert len(versions) == 1
        for name in named:
            sent = client.get("/" + name.removeprefix("../../"))
            assert (sent.status_code, sent.headers["cache-control"]) == (200, "private, max-age=31536000, immutable")
    (tmp_path / "a.js").write_text("1")
    files = _WebFiles(tmp_path)
    old = files.present_version()
    assert files.present_version() == old
    (tmp_path / "a.js").write_text("22")
    new = files.present_version()
    assert new != old
    shown = {version: TestClient(files).get(f"/{version}a.js") for version in (old, new)}
    assert [sent.text for sent in shown.values()] == ["22", "22"]
    assert shown[old].headers["cache-control"] == "no-cache"  # a page from before: nothing new is kept for it
    assert shown[new].headers["cache-control"].endswith("immutable")
    assert client.get(f"/web/{new}{new}style.css").status_code == 404


def test_answers_are_sent_at_once():
    with listen("127.0.0.1", 0) as listening, socket.create_connection(listening.getsockname()):
        accepted, _ = listening.accept()
        with accepted:
            assert accepted.proto == socket.IPPROTO_TCP  # by which asyncio knows that it may switch waiting off


def test_a_question_is_answered_and_a_wrong_one_told(client):
    asked = {"keys": [[1, 0], [0, 1]], "values": [[1, 0, 0], [0, 0, 1]], "query": [0, 0], "scale": 1, "chosen": 0}
    assert client.post("/api/look-up/confirm", json=asked).json()["weights"] == [0.5, 0.5]
    wrong = client.post("/api/look-up/confirm", json=asked | {"scale": 0})
    assert (wrong.status_code, wrong.json()) == (400, {"error": "scale should be a number from 0.1 to 1000, not 0"})
    assert client.post("/api/look-up/confirm", json=asked, headers={"origin": "http://evil.example"}).status_code == 403
    assert client.get("/api/look-up/confirm").status_code in {404, 405}


def test_a_chapter_without_its_slash_is_led_on_with_its_query(client):
    found = client.get("/chapter/look-up?scale=2")
    assert (found.status_code, found.headers["location"]) == (307, "/chapter/look-up/?scale=2")
    assert client.get("/chapter/look-up").headers["location"] == "/chapter/look-up/"


def test_nothing_else_is_there(client):
    found = client.get("/nowhere")
    assert (found.status_code, found.text) == (404, "There is nothing here.\n")
    assert client.get("/favicon.ico").headers["content-type"] == "image/svg+xml"


def test_with_a_token_every_page_asks_for_it():
    guarded = TestClient(create_app(token="secret"), base_url="http://127.0.0.1:8642", follow_redirects=False)
    assert {guarded.get(path).status_code for path in ("/", "/web/style.css", "/nowhere")} == {401}
    assert guarded.get("/?token=secret").status_code == 303


def test_the_lab_works_in_a_fresh_folder_and_leaves_all_as_it_was(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REGARD_DATA", "data")
    monkeypatch.delenv("REGARD_CACHE", raising=False)
    with lab_settings():
        folder = Path.cwd()
        assert folder != tmp_path
        assert list(folder.iterdir()) == []
        assert os.environ["REGARD_DATA"] == str(tmp_path / "data")
        assert "REGARD_CACHE" not in os.environ
    assert Path.cwd() == tmp_path
    assert not folder.exists()
    assert os.environ["REGARD_DATA"] == "data"


def test_a_port_that_is_taken_is_told():
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        expected = f"cannot serve at 127.0.0.1, port {port}: .*; choose another with --port, or leave it out"
        with pytest.raises(AddressError, match=expected):
            listen("127.0.0.1", port)


def test_an_address_of_another_machine_is_told():
    with pytest.raises(AddressError, match=r"cannot serve at 192\.0\.2\.1: .*; --host takes an address of this"):
        listen("192.0.2.1", None)


@pytest.mark.parametrize("host", ["", " "])
def test_an_empty_address_is_refused_for_it_would_be_all_of_them(host):
    with pytest.raises(AddressError, match=r"--host needs an address of this machine, such as 127\.0\.0\.1"):
        listen(host, None)


def test_only_loopback_addresses_are_local():
    hosts = ("localhost", "127.0.0.1", "127.9.9.9", "::1", "0.0.0.0", "192.168.0.4", "example.org")
    assert [is_local(host) for host in hosts] == [True, True, True, True, False, False, False]


def test_the_address_to_open(monkeypatch):
    monkeypatch.setattr("socket.gethostname", lambda: "desk")
    with listen("127.0.0.1", 0) as sock:
        port = sock.getsockname()[1]
        assert address_of(sock, "127.0.0.1") == f"http://127.0.0.1:{port}/"
        assert address_of(sock, "0.0.0.0") == f"http://desk:{port}/"
        assert address_of(sock, "::1") == f"http://[::1]:{port}/"


def test_an_error_of_the_server_is_shown_once_and_what_is_cancelled_never():
    def record(error):
        try:
            raise error
        except BaseException as caught:
            info = (type(caught), caught, caught.__traceback__)
        return logging.LogRecord("uvicorn.error", logging.ERROR, "", 0, "Exception in ASGI application", (), info)

    assert [is_first_failure(record(KeyError("a"))) for _ in range(3)] == [True, False, False]
    assert not is_first_failure(record(asyncio.CancelledError()))
    assert is_first_failure(logging.LogRecord("uvicorn.error", logging.ERROR, "", 0, "something else", (), None))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
@pytest.mark.parametrize(
    ("now", "most", "set_to", "requests"),
    [
        (256, -1, (2048, -1), 1024),
        (1024, 1024, (1024, 1024), 512),
        (256, 1000, (1000, 1000), 500),
        (-1, -1, None, 1024),
    ],
)
def test_there_are_files_for_all_connections(monkeypatch, now, most, set_to, requests):
    import resource

    given = []
    monkeypatch.setattr(resource, "RLIM_INFINITY", -1)
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (now, most))
    monkeypatch.setattr(resource, "setrlimit", lambda kind, limits: given.append(limits))
    limits = fit_open_files(Limits())
    assert (given or [None]) == [set_to]
    assert limits.requests == requests
    assert limits.waiting == min(512, requests // 2)
