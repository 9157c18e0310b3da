"""A hostile visitor of the lab: whatever is sent, the lab refuses or answers it, tells nothing and serves the others.

    python -m tests.faults.hostile_visitors [--cases N]

The real command serves on this machine. Tried are other names and origins, every route with every method, paths that
lead out of the lab, wrong values in every field of every question (N of each question at most), senders that stop
halfway, connections that come and go, one machine under a hundred names, and links that are too long.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import http.client
import itertools
import json
import random
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import regard
from regard.errors import ValueRangeError
from regard.lab.contents import CHAPTERS
from regard.lab.inputs import read_input
from regard.lab.server.api import Api
from tests.support.lab import served_lab

Finding = tuple[str, str]
"""What was tried, and what was wrong with the answer; nothing if all is well."""
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "NONSENSE")
SECRETS = (
    str(Path.home()) + "/",
    str(Path(regard.__file__).resolve().parents[2]),
    "site-packages",
    "Traceback",
    "root:",
)
HOSTS = (
    "evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "evil.example:80", "[::1", "[::ffff:1.2.3.4]",
    "0.0.0.0", "127.0.0.2", "localhost@evil.example", "evil.example#localhost", "localhost\\evil.example", "",
)  # fmt: skip
ORIGINS = (
    "http://evil.example",
    "null",
    "https://127.0.0.1",
    "http://localhost.evil.example",
    "http://[",
    "//",
    "\\",
    "file://",
)
FILES = ("etc/passwd", "contents.py", "server/app.py", "widgets/head_map.py", "proc/self/environ")
STEPS = (
    "..",
    "%2e%2e",
    "..%2f",
    "%2e%2e%2f",
    "%252e%252e",
    "..%5c",
    "..\\",
    ".%2e",
    "....//",
    "..;",
    "%c0%ae%c0%ae",
    "..%00",
)
VALUES: tuple[Any, ...] = (
    None, True, False, -1, 0, 1e308, -1e308, 5e-324, 10**30, 2**63, 0.5, 7, "", "a", "0", "x" * 50_000, "\x00",
    "\ud800", "é" * 99, "../../etc/passwd", "<script>alert(1)</script>", "__import__('os')", [], {}, [[]], [0] * 9_000,
    [[0.1] * 9_000], [None], ["a"], [[[[1]]]], {"a": {"b": []}}, [1e308] * 3, [[1e308, 1e308]] * 3, [[0, 0]] * 3,
    [[float(n), 0] for n in range(60)], "not " * 999,
)  # fmt: skip
BODIES = (
    b"", b"{", b"null", b"NaN", b"[]", b'"a"', b"\xff\xfe", b"[" * 60_000, b'{"a":' * 9_000, b'{"x": 1}', b"9" * 20_000,
    b"\x00" * 99, b'{"' + b"a" * 60_000 + b'": 1}', b"x" * 1_000_000, "\ufeff{}".encode(), b'{"scale": Infinity}',
    b'{"a": 1, "a": 2}',
)  # fmt: skip
LONG_QUESTION = {"keys": [[1, 0], [0, 1], [-1, 0]], "lengths": [1, 1, 1], "spread": 0.5, "n_heads": 3}
"""Of the noisy keys' search."""


class Target:
    """A running lab."""

    def __init__(self, address: str, pid: int = 0) -> None:
        parts = urlsplit(address)
        self.host, self.port, self.pid = str(parts.hostname), int(parts.port or 80), pid

    def ask(self, method: str, path: str, *, body: bytes | None = None, **headers: str) -> tuple[int, str]:
        """The status and the text of an answer, of a long one the first line; 0 where the connection was closed."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=120)
        try:
            connection.putrequest(method, path, skip_host="Host" in headers)
            for name, value in headers.items():
                connection.putheader(name, value)
            if body is not None:
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders()
            with contextlib.suppress(ConnectionError):  # refused before all of it was sent
                connection.send(body or b"")
            response = connection.getresponse()
            is_long = response.getheader("content-type", "").startswith("application/x-ndjson")
            text = (response.readline() if is_long else response.read()).decode("utf-8", "replace")
            return response.status, text + str(response.headers)
        except (ConnectionError, http.client.HTTPException):
            return 0, ""
        finally:
            connection.close()

    def connect(self, sent: bytes, *, source: str = "127.0.0.1") -> socket.socket:
        """A connection on which this was sent, from one of this machine's addresses."""
        sock = socket.create_connection((self.host, self.port), timeout=120, source_address=(source, 0))
        sock.sendall(sent)
        return sock

    def memory_mb(self) -> float:
        """What the lab's process holds."""
        return int(Path(f"/proc/{self.pid}/status").read_text("utf-8").split("VmRSS:")[1].split()[0]) / 1024

    def n_threads(self) -> int:
        """How many threads it has."""
        return len(list(Path(f"/proc/{self.pid}/task").iterdir()))


def judge(status: int, text: str, allowed: set[int]) -> str:
    """What is wrong with an answer."""
    told = [secret for secret in SECRETS if secret in text or quote(secret, safe="") in text]
    return f"tells {told}" if told else "" if status in allowed else f"status {status}: {text[:80]!r}"


def names_and_origins(target: Target) -> Iterator[Finding]:
    """Other names for the lab, and pages elsewhere that write."""
    for host in HOSTS:
        yield f"Host: {host}", judge(*target.ask("GET", "/", Host=host), {0, 400})
    for origin in ORIGINS:
        yield f"Origin: {origin}", judge(*target.ask("POST", "/api/look-up/confirm", body=b"{}", Origin=origin), {403})


def routes_and_methods(target: Target) -> Iterator[Finding]:
    """Every route, and some that are none, with every method."""
    pages = [f"/chapter/{each.slug}/" for each in CHAPTERS]
    routes = [
        "/",
        "/favicon.ico",
        "/web/style.css",
        "/page/look-up.html",
        "/api/look-up/confirm",
        "/api",
        "/api/x/y",
        *pages,
    ]
    for path, method in itertools.product(routes, METHODS):
        yield f"{method} {path}", judge(*target.ask(method, path), {0, 200, 307, 400, 404, 405})


def traversal(target: Target) -> Iterator[Finding]:
    """Paths that would lead out of the lab."""
    for base, step, depth, file in itertools.product(("/web/", "/page/", "/chapter/", "/"), STEPS, (1, 3, 8), FILES):
        status, text = target.ask("GET", base + f"{step}/" * depth + file)
        yield f"GET {base}{step} x {depth} {file}", judge(status, text, {0, 400, 404})


def valid_value(field: dataclasses.Field[Any]) -> Any:
    """Some value that a field takes: the smallest text, number or list that passes its check."""
    words = field.metadata["expected"].removeprefix("one of ").split(", ")
    lists = [[value] * n for value in (1, 0.1, [1, 0], [1, 0, 0], [0.1] * 3, [[1, 0]]) for n in (1, 2, 3, 4, 5)]
    for value in [*words, *map(_number, words), *VALUES, *range(1, 50), *lists, "a = a", "abc def " * 30]:
        with contextlib.suppress(Exception):
            field.metadata["check"](value)
            return value
    raise LookupError(field.name)


def _number(word: str) -> Any:
    return int(word) if word.isdigit() else None


def hostile_questions(cases: int, *, is_brief: bool = False, seed: int = 0) -> Iterator[tuple[str, bytes]]:
    """A path and a body, for each question of each chapter: no JSON, and JSON with a field that is wrong or unusual.

    If brief, nothing that happens to be right, for its answer may take long.
    """
    chance = random.Random(seed)
    for slug, questions in Api(CHAPTERS)._import_questions().items():
        for name, question in questions.items():
            fields = {field.name: field for field in dataclasses.fields(question.kind)}
            right = {key: valid_value(field) for key, field in fields.items()}
            wrong = [{**right, key: value} for key in fields for value in VALUES]
            wrong += [dict(list(right.items())[1:]), {**right, "more": 1}]
            wrong = [each for each in wrong if each != right and not (is_brief and is_right(question.kind, each))]
            bodies = [*BODIES, *(json.dumps(each).encode() for each in wrong)]
            for body in chance.sample(bodies, min(cases, len(bodies))):
                yield f"/api/{slug}/{name}", body


def is_right(kind: type[Any], sent: Any) -> bool:
    """Whether this is a question after all."""
    with contextlib.suppress(ValueRangeError):
        read_input(kind, sent)
        return True
    return False


def ask_hostile_questions(target: Target, cases: int, *, is_brief: bool = False) -> Iterator[Finding]:
    """Wrong questions are refused in one line; what happens to be right is answered."""
    for path, body in hostile_questions(cases, is_brief=is_brief):
        status, text = target.ask("POST", path, body=body)
        yield (
            f"POST {path} {body[:60]!r}",
            judge(status, text, {0, 413} if len(body) > 64_000 else {200, 400, 413, 503}),
        )


def slow_senders(target: Target) -> Iterator[Finding]:
    """Requests that stop halfway, 300 from one address, 1,200 from forty: others are served, and memory stays."""
    before = target.memory_mb()
    head = f"POST /api/look-up/confirm HTTP/1.1\r\nHost: {target.host}\r\nContent-Length: 60000\r\n\r\n".encode()
    for label, sent in (("heads", b"GET / HTTP/1.1\r\nHost: 127"), ("bodies", head + b"x" * 50_000)):
        for n_addresses in (1, 40):
            with contextlib.ExitStack() as stack:
                for number in range(300 * min(n_addresses, 4)):
                    with contextlib.suppress(OSError):  # those that wait longest are closed
                        source = f"127.0.3.{number % n_addresses + 1}"
                        stack.enter_context(target.connect(sent, source=source))
                yield f"unfinished {label} from {n_addresses} addresses", judge(*target.ask("GET", "/"), {200})
    grown = target.memory_mb() - before
    yield "memory after unfinished requests", "" if grown < 100 else f"{grown:.0f} MB more"


def churn(target: Target) -> Iterator[Finding]:
    """Connections that ask for long answers and leave at once: nothing goes on for them."""
    before = target.n_threads()
    asked = json.dumps(LONG_QUESTION).encode()
    head = (
        f"POST /api/noisy-keys/search HTTP/1.1\r\nHost: {target.host}\r\nContent-Length: {len(asked)}\r\n\r\n".encode()
    )
    for _ in range(300):
        with contextlib.suppress(OSError):
            target.connect(head + asked).close()
    yield "300 long questions whose visitors left", judge(*target.ask("GET", "/"), {200})
    end = time.monotonic() + 120
    while target.n_threads() > before + 4 and time.monotonic() < end:
        time.sleep(0.5)
    yield "threads after them", "" if target.n_threads() <= before + 4 else f"{target.n_threads()} threads"


def many_names(target: Target) -> Iterator[Finding]:
    """One machine that takes a new name for each long question: it fills only its part of the queue."""
    body = json.dumps(LONG_QUESTION).encode()
    head = f"POST /api/noisy-keys/search HTTP/1.1\r\nHost: {target.host}\r\nContent-Length: {len(body)}\r\n"
    with contextlib.ExitStack() as stack:
        for number in range(100):
            status, text = target.ask("GET", "/chapter/look-up/")
            cookie = re.search(r"(?i)set-cookie: ([^;]+)", text)
            yield f"name {number}", judge(status, text, {200}) or ("" if cookie else "no cookie")
            name = cookie.group(1) if cookie else ""
            stack.enter_context(target.connect(f"{head}Cookie: {name}\r\n\r\n".encode() + body))
        other = socket.create_connection((target.host, target.port), 120, source_address=("127.0.0.7", 0))
        stack.enter_context(other).sendall(f"{head}\r\n".encode() + body)
        answer = b""
        while b"number" not in answer and b"working" not in answer and b"failed" not in answer:
            if not (received := other.recv(4096)):
                break
            answer += received
        is_taken = b"failed" not in answer and (b"number" in answer or b"working" in answer)
        yield "another address after a hundred names", "" if is_taken else f"{answer[-300:]!r}"


def long_links(target: Target) -> Iterator[Finding]:
    """Addresses up to 16 kB are opened, longer ones refused."""
    for size, allowed in ((15_000, {200}), (17_000, {414}), (60_000, {0, 400, 414, 431})):
        yield f"a link of {size} bytes", judge(*target.ask("GET", "/chapter/look-up/?keys=" + "1" * size), allowed)
        yield (
            f"a cookie of {size} bytes",
            judge(*target.ask("GET", "/", Cookie="a=" + '"\\' * (size // 2)), {0, 200, 400, 431}),
        )


def other_addresses() -> Iterator[Finding]:
    """`--host` that would listen everywhere, and one of this machine's other names."""
    command = [sys.executable, "-m", "regard", "lab", "--no-browser", "--host", ""]
    end = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    is_refused = end.returncode == 1 and len(end.stderr.splitlines()) == 1
    yield '--host ""', "" if is_refused else f"exit code {end.returncode}: {end.stderr[:80]}"
    with tempfile.TemporaryDirectory() as folder, served_lab(Path(folder), "--host", "127.0.0.2") as (address, process):
        query = urlsplit(address).query
        yield "--host 127.0.0.2", judge(*Target(address, process.pid).ask("GET", f"/?{query}"), {303})
        yield "127.0.0.2 without its token", judge(*Target(address, process.pid).ask("GET", "/"), {401})


def attack(target: Target, cases: int) -> Iterator[tuple[str, Finding]]:
    """Everything, with the name of the attack."""
    attacks: tuple[Callable[[Target], Iterator[Finding]], ...] = (
        names_and_origins,
        routes_and_methods,
        traversal,
        lambda target: ask_hostile_questions(target, cases),
        slow_senders,
        churn,
        many_names,
        long_links,
    )
    names = ("names", "methods", "traversal", "questions", "slow senders", "churn", "many names", "long links")
    for name, each in zip(names, attacks, strict=True):
        for finding in each(target):
            yield name, finding


def run(cases: int) -> int:
    """Attack a lab, print how many cases went well, and what did not."""
    found: dict[str, list[Finding]] = {}
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        with served_lab(folder, "--no-token") as (address, process):
            for name, finding in attack(Target(address, process.pid), cases):
                found.setdefault(name, []).append(finding)
        terminal = (folder / "errors.txt").read_text()
        found["terminal"] = [("what the terminal shows", terminal[-2000:])]
    found["addresses"] = list(other_addresses())
    for name, findings in found.items():
        wrong = [finding for finding in findings if finding[1]]
        print(f"{name:14}{len(findings):6} cases, {len(wrong)} wrong")
        for case, problem in wrong[:20]:
            print(f"    {case}: {problem}")
    return int(any(problem for findings in found.values() for _, problem in findings))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=1_000)
    sys.exit(run(parser.parse_args().cases))
