"""Who may ask, how much, and what every answer says about itself."""

import asyncio
import threading
import time

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from regard.lab.server.guard import HEADERS, Guard, Limits

LOCAL = {"host": "127.0.0.1:8642"}


async def answer(request: Request):
    return PlainTextResponse(f"{len(await request.body())} bytes", headers={"Access-Control-Allow-Origin": "*"})


def client(**settings):
    app = Starlette(routes=[Route("/", answer, methods=["GET", "POST"])])
    return TestClient(Guard(app, **settings), base_url="http://127.0.0.1:8642", follow_redirects=False)


def test_every_answer_has_the_headers_and_is_not_shared():
    for response in (client().get("/"), client().get("/nowhere"), client().get("/", headers={"host": "evil.example"})):
        assert {name: response.headers[name] for name in HEADERS} == HEADERS
        assert "frame-ancestors 'none'" in response.headers["content-security-policy"]
        assert "access-control-allow-origin" not in response.headers


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "", "[::1", "192.168.0.4:8642"])
def test_another_name_is_refused(host):
    response = client().get("/", headers={"host": host})
    assert (response.status_code, response.text) == (400, "The lab answers to localhost alone.\n")


@pytest.mark.parametrize("host", ["localhost", "localhost:1", "127.0.0.1:8642", "[::1]:8642"])
def test_names_of_this_machine_are_taken(host):
    assert client().get("/", headers={"host": host}).status_code == 200


def test_other_pages_write_nothing():
    foreign = {"origin": "http://evil.example"}
    assert client().post("/", headers=foreign).status_code == 403
    assert client().post("/", headers={"origin": "null"}).status_code == 403
    assert client().post("/", headers={"origin": "http://127.0.0.1:9999"}).status_code == 403
    assert client().post("/", headers={"origin": "http://127.0.0.1:8642"}).status_code == 200


def test_bodies_are_bounded_whether_or_not_they_say_how_long_they_are():
    small = client(limits=Limits(body_bytes=10))
    assert small.post("/", content=b"x" * 10).text == "10 bytes"
    assert small.post("/", content=b"x" * 11).status_code == 413
    assert small.post("/", content=iter([b"x" * 6, b"x" * 6])).status_code == 413
    assert small.post("/", headers={"content-length": "many"}, content=b"x").status_code == 400


def test_a_peer_holds_only_so_much_at_once_and_gets_it_back():
    small = client(limits=Limits(body_bytes=10, body_bytes_each=8))
    for _ in range(3):
        assert small.post("/", content=b"x" * 8).text == "8 bytes"
        assert small.post("/", content=b"x" * 9).status_code == 503


@pytest.mark.parametrize(
    "origin", ["http://[::1", "http://[", "\\", "//", "http://", "file://", "http://127.0.0.1:8642]"]
)
def test_an_origin_that_is_none_is_refused(origin):
    assert client().post("/", headers={"origin": origin}).status_code == 403


def test_a_ticket_opens_the_lab_once():
    locked = client(token="secret", ticket="once")
    first = locked.get("/?token=once")
    assert first.status_code == 303
    assert "regard_lab_8642=secret" in first.headers["set-cookie"]
    locked.cookies.clear()
    assert locked.get("/?token=once").status_code == 401
    assert locked.get("/?token=secret").status_code == 303
    assert client(token="secret").get("/?token=None").status_code == 401


def test_a_token_and_names_are_asked_for_together():
    locked = client(token="secret", names=frozenset({"127.0.0.2"}))
    assert locked.get("/?token=secret", headers={"host": "evil.example"}).status_code == 400
    assert locked.get("/?token=secret", headers={"host": "127.0.0.2:8642"}).status_code == 303


def test_who_leaves_before_the_body_is_whole_gets_no_answer_and_leaves_no_trace():
    coming = [{"type": "http.request", "body": b"x", "more_body": True}] * 2 + [{"type": "http.disconnect"}]
    asked = []

    async def app(scope, receive, send):
        asked.append(scope)

    async def receive():
        return coming.pop(0)

    async def send(message):
        asked.append(message)

    guard = Guard(app)
    scope = {"type": "http", "method": "POST", "path": "/", "query_string": b"", "headers": [(b"host", b"localhost")]}
    thread = threading.Thread(target=lambda: asyncio.run(guard({**scope, "client": ("10.0.0.9", 1)}, receive, send)))
    thread.start()  # the browser's tests have a loop in this one
    thread.join()
    assert coming == []
    assert asked == []
    assert guard.body_bytes == {}


def test_addresses_are_bounded():
    assert client(limits=Limits(address_bytes=20)).get("/?a=" + "x" * 30).status_code == 414


def test_no_websocket_is_opened():
    with pytest.raises(WebSocketDisconnect) as refused, client().websocket_connect("/", headers=LOCAL):
        pass
    assert refused.value.code == 1008


def test_without_the_token_nothing_is_answered():
    locked = client(token="secret")
    assert locked.get("/").status_code == 401
    assert locked.get("/?token=wrong").status_code == 401
    assert locked.get("/", headers={"cookie": "regard_lab_8642=wrong"}).status_code == 401
    assert locked.get("/", headers={"cookie": "regard_lab_9000=secret"}).status_code == 401  # another lab's


def test_the_token_becomes_a_cookie_and_leaves_the_address():
    locked = client(token="secret")
    first = locked.get("/?a=1&token=secret&b=")
    assert (first.status_code, first.headers["location"]) == (303, "?a=1&b=")
    assert "HttpOnly" in first.headers["set-cookie"]
    assert "SameSite=lax" in first.headers["set-cookie"]
    assert locked.get("/").status_code == 200
    assert locked.get("/", headers={"host": "lab.example"}).status_code != 400  # the token stands for the name


def test_a_long_cookie_is_read_at_once_and_ours_is_found_in_it():
    began = time.perf_counter()
    locked = client(token="secret")
    assert locked.get("/", headers={"cookie": "a=" + '"\\' * 20_000 + "; regard_lab_8642=secret"}).status_code == 200
    assert locked.get("/", headers={"cookie": "a=1; xregard_lab_8642=secret; regard_lab_8642"}).status_code == 401
    assert time.perf_counter() - began < 1


def test_a_length_in_other_digits_is_refused():
    raw = {"content-length": "²".encode("latin-1")}
    assert client().post("/", headers=raw, content=b"").status_code == 400
