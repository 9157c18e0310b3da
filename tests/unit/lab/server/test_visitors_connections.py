"""Slow senders: whoever sends half a request neither keeps its place nor takes those of others."""

import asyncio
import contextlib
import socket
import sys
import threading
import time

import pytest
import uvicorn

from regard.lab.server.guard import Guard, Limits
from regard.lab.server.visitors import connection_class

HEAD = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
POST = b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\n\r\n"


async def answer(scope, receive, send):
    if scope["path"] == "/slow":
        await asyncio.sleep(0.6)
    body = (await receive())["body"]
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(body))]})
    await send({"type": "http.response.body", "body": body})


@contextlib.contextmanager
def served(limits):
    """The port of a server with these limits, and the connections that it knows."""
    kind = connection_class(limits)
    config = uvicorn.Config(
        Guard(answer, limits=limits), http=kind, lifespan="off", log_level="error", timeout_graceful_shutdown=1
    )
    server = uvicorn.Server(config)
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(128)
        thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[listening])), daemon=True)
        thread.start()
        try:
            yield listening.getsockname()[1], kind.peers
        finally:
            server.should_exit = True
            thread.join(20)


@pytest.fixture
def visitors():
    opened = []

    def connect(port, sent=b"", *, source="127.0.0.1"):
        sock = socket.create_connection(("127.0.0.1", port), timeout=20, source_address=(source, 0))
        opened.append(sock)
        sock.sendall(sent)
        return sock

    yield connect
    for sock in opened:
        sock.close()


def status(sock):
    """The status that is answered; None where the connection was closed without a word."""
    with contextlib.suppress(ConnectionError):
        first = sock.recv(1000)
        return int(first.split()[1]) if first else None
    return None


def is_closed(sock):
    with contextlib.suppress(ConnectionError):
        return sock.recv(1) == b""
    return True


def until(condition):
    for _ in range(400):
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError("it never came")


@pytest.mark.parametrize("sent", [b"", b"GET / HT", HEAD[:-2], POST + b"abc", HEAD + b"GET"])
def test_a_request_that_does_not_come_to_its_end_is_given_up(visitors, sent):
    with served(Limits(head_seconds=0.3, body_seconds=0.3)) as (port, peers):
        sock = visitors(port, sent)
        if sent.startswith(HEAD):
            assert status(sock) == 200
        began = time.monotonic()
        assert is_closed(sock)
        assert time.monotonic() - began < 10
        until(lambda: not peers.n_open)
        assert not peers.waiting


def test_bytes_that_trickle_win_no_time(visitors):
    with served(Limits(head_seconds=0.5)) as (port, _):
        sock = visitors(port)
        began = time.monotonic()
        with contextlib.suppress(ConnectionError):
            while time.monotonic() - began < 10:
                sock.sendall(b"X")
                time.sleep(0.1)
        assert 0.3 < time.monotonic() - began < 9


def test_who_keeps_many_waiting_loses_the_first_of_them_and_others_are_served(visitors):
    with served(Limits(waiting_each=5)) as (port, peers):
        half = [visitors(port, b"GET / HT") for _ in range(12)]
        until(lambda: len(peers.waiting["127.0.0.1"]) == 5)
        assert all(is_closed(sock) for sock in half[:7])
        assert status(visitors(port, HEAD)) == 200
        half[-1].sendall(HEAD[8:])
        assert status(half[-1]) == 200  # and the latest may still go on


def test_unfinished_bodies_are_bounded_too(visitors):
    with served(Limits(waiting_each=5)) as (port, peers):
        for _ in range(12):
            visitors(port, POST + b"abc")
        until(lambda: peers.n_open["127.0.0.1"] == 5)
        assert status(visitors(port, POST + b"abcde")) == 200


def test_an_answer_may_take_longer_than_a_request(visitors):
    with served(Limits(head_seconds=0.2, body_seconds=0.2)) as (port, _):
        assert status(visitors(port, HEAD.replace(b"GET /", b"GET /slow"))) == 200


def test_a_peer_has_only_so_many_connections_and_the_idle_ones_go_first(visitors):
    with served(Limits(connections_each=3)) as (port, peers):
        idle = visitors(port, HEAD)
        assert status(idle) == 200
        busy = [visitors(port, HEAD.replace(b"GET /", b"GET /slow")) for _ in range(2)]
        until(lambda: peers.n_open["127.0.0.1"] == 3 and len(peers.waiting["127.0.0.1"]) == 1)
        assert status(visitors(port, HEAD)) == 200
        assert is_closed(idle)
        assert [status(sock) for sock in busy] == [200, 200]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux answers at all of 127.0.0.0/8")
def test_who_comes_from_many_addresses_meets_a_limit_for_all_of_them(visitors):
    with served(Limits(waiting=5)) as (port, peers):
        half = [visitors(port, b"GET / HT", source=f"127.0.0.{number}") for number in range(2, 14)]
        until(lambda: len(peers.all_waiting) == 5)
        assert all(is_closed(sock) for sock in half[:7])
        assert status(visitors(port, HEAD)) == 200
        half[-1].sendall(HEAD[8:])
        assert status(half[-1]) == 200


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux answers at all of 127.0.0.0/8")
def test_all_peers_together_have_only_so_many_connections_and_the_idle_ones_go_first(visitors):
    with served(Limits(requests=3)) as (port, peers):
        idle = visitors(port, HEAD)
        assert status(idle) == 200
        busy = [visitors(port, HEAD.replace(b"GET /", b"GET /slow"), source=f"127.0.0.{n}") for n in (2, 3)]
        until(lambda: peers.n_open.total() == 3 and len(peers.all_waiting) == 1)
        assert status(visitors(port, HEAD, source="127.0.0.4")) == 200
        assert is_closed(idle)
        assert [status(sock) for sock in busy] == [200, 200]
