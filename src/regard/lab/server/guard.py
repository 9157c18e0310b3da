"""Who may ask, how much, and what every answer says about itself.

Refused before anything else looks at it:

    a name other than the lab's          400   else a page elsewhere could rebind its name to 127.0.0.1
    a write from elsewhere               403   else any page could talk to the lab
    no token                             401   other users of this machine are strangers too
    an address or body too long          414, 413
    too much at once                     503
    a websocket                          closed: no page has one

No path of this machine leaves in an answer. Error messages may name files and folders, such as the one that REGARD_DATA
is set to. So whatever leaves as text is searched for the folders that say where and whose this machine is, in each
spelling of a path: plain, in JSON, in HTML, in an address. An answer that comes line by line is searched line by line.
"""

from __future__ import annotations

import html
import json
import os
import re
import secrets
import site
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from regard.files import cache_folder
from regard.lab.contents import FOLDER

LOCAL_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
COOKIE = "regard_lab_{port}"
"""Browsers give a cookie to every port of a machine, and two labs may run there."""
SAFE_METHODS = frozenset({"GET", "HEAD"})

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


@dataclass(frozen=True)
class Limits:
    """How much is taken from a visitor and for how long, and how many at once; `_each` is for one peer.

    `waiting` connections have sent nothing or half a request. They must leave room among the `requests`: one machine
    may come from any address of its network.
    """

    address_bytes: int = 16_000
    body_bytes: int = 64_000
    body_bytes_each: int = 8_000_000
    requests: int = 1024
    waiting: int = 512
    head_seconds: int | float = 10
    body_seconds: int | float = 20
    waiting_each: int = 128
    connections_each: int = 512


class Guard:
    """An ASGI app that lets through what is allowed and adds the headers.

    `token` is asked for unless None; `ticket` is taken in its place once. `names` are those by which the lab may be
    called: by default this machine's own, or any where a token is asked for.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        token: str | None = None,
        ticket: str | None = None,
        names: frozenset[str] | None = None,
        limits: Limits | None = None,
    ) -> None:
        self.app = app
        self.token = token
        self.ticket = ticket
        self.names = LOCAL_NAMES if names is None and token is None else names
        self.limits = limits or Limits()
        self.body_bytes: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse, or pass on."""
        if scope["type"] == "http":
            await self._page(scope, receive, _add_headers(send))
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            await self.app(scope, receive, send)

    async def _page(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = self._refusal(scope)
        if refusal is not None:
            await refusal(scope, receive, send)
            return
        peer = scope["client"][0] if scope.get("client") else ""
        body = bytearray()
        try:
            wrong = await self._read_body(receive, body, peer)
            await (wrong or self.app)(scope, _replay(bytes(body), receive), send)
        except ClientDisconnect:
            return  # nobody is left to be answered
        finally:
            self.body_bytes[peer] -= len(body)
            if self.body_bytes[peer] <= 0:
                self.body_bytes.pop(peer)

    async def _read_body(self, receive: Receive, body: bytearray, peer: str) -> Response | None:
        """Read the whole body into `body`; a refusal where it is too much.

        A body need not say how long it is, so it is counted while it comes.
        """
        more = True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise ClientDisconnect
            chunk = message.get("body", b"")
            body += chunk
            self.body_bytes[peer] += len(chunk)
            more = message.get("more_body", False)
            if len(body) > self.limits.body_bytes:
                return _too_large(self.limits)
            if self.body_bytes[peer] > self.limits.body_bytes_each:
                return PlainTextResponse("Much is being sent at this moment; send it again later.\n", 503)
        return None

    def _refusal(self, scope: Scope) -> Response | None:
        """Why this request goes no further, as an answer; None where it may."""
        headers = Headers(scope=scope)
        if self.names is not None and _name(headers.get("host", "")) not in self.names:
            return PlainTextResponse("The lab answers to localhost alone.\n", 400)
        if len(scope["path"]) + len(scope["query_string"]) > self.limits.address_bytes:
            return PlainTextResponse("This address is too long.\n", 414)
        origin = headers.get("origin")
        if scope["method"] not in SAFE_METHODS and origin is not None and _origin_host(origin) != headers.get("host"):
            return PlainTextResponse("The lab takes nothing from other pages.\n", 403)
        if not re.fullmatch("[0-9]{1,15}", headers.get("content-length", "0")):
            return PlainTextResponse("The length of this request is no number.\n", 400)
        if int(headers.get("content-length", 0)) > self.limits.body_bytes:
            return _too_large(self.limits)
        return None if self.token is None else self._token_refusal(scope, headers, self.token)

    def _token_refusal(self, scope: Scope, headers: Headers, token: str) -> Response | None:
        cookie = COOKIE.format(port=scope["server"][1] if scope.get("server") else "")
        if secrets.compare_digest(_cookie(headers, cookie).encode(), token.encode()):
            return None
        asked = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        given = dict(asked).get("token", "")
        if self.ticket is not None and secrets.compare_digest(given.encode(), self.ticket.encode()):
            self.ticket = None
        elif not secrets.compare_digest(given.encode(), token.encode()):
            return PlainTextResponse("Open the address that `regard lab` printed: it ends in ?token=…\n", 401)
        rest = urlencode([(name, value) for name, value in asked if name != "token"])
        # Relative to the page itself, so that no path can send the visitor elsewhere.
        answer = RedirectResponse("?" + rest if rest else "./", 303)
        # Lax: a link on another page opens the lab; what another page loads or sends still comes without the cookie.
        answer.set_cookie(cookie, token, httponly=True, samesite="lax")
        return answer


def _replay(body: bytes, receive: Receive) -> Receive:
    """A `receive` that gives the body at once, then what comes after."""
    first: Message | None = {"type": "http.request", "body": body, "more_body": False}

    async def again() -> Message:
        nonlocal first
        given, first = first, None
        return given if given is not None else await receive()

    return again


def _add_headers(send: Send) -> Send:
    """`send`, with the headers on every answer; a chapter has a policy of its own."""

    async def with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(raw=[pair for pair in message["headers"] if not _is_sharing(pair[0])])
            headers.setdefault("Content-Security-Policy", POLICY)
            headers.update(HEADERS)
            message = {**message, "headers": headers.raw}
        await send(message)

    return with_headers


def _is_sharing(name: bytes) -> bool:
    """Headers by which marimo would let other pages read its answers."""
    return name.lower().startswith(b"access-control-")


def _name(host: str) -> str:
    """The name in a Host header, without its port.

    >>> _name("localhost:8642"), _name("[::1]:8642")
    ('localhost', '::1')
    """
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _origin_host(origin: str) -> str | None:
    """The name and port in an Origin header; None where it has none."""
    try:
        return urlsplit(origin).netloc or None
    except ValueError:
        return None


def _cookie(headers: Headers, wanted: str) -> str:
    """The lab's one cookie. Parsed here: http.cookies of older Pythons takes 15 s for a header of 60 kB."""
    for part in headers.get("cookie", "").split(";"):
        name, _, value = part.strip().partition("=")
        if name == wanted:
            return value
    return ""


def _too_large(limits: Limits) -> Response:
    return PlainTextResponse(f"No more than {limits.body_bytes} bytes are taken at once.\n", 413)


TEXT_TYPES = (b"text/", b"application/json", b"application/javascript")
LINES_TYPE = b"application/x-ndjson"


class NoPaths:
    """An ASGI app whose textual answers name none of these folders."""

    def __init__(self, app: ASGIApp, folders: Iterable[str] | None = None) -> None:
        self.app = app
        self.pattern = path_pattern(private_folders() if folders is None else folders)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as the app would, without the paths."""
        await self.app(scope, receive, _Filter(self.pattern, send) if scope["type"] == "http" else send)


def private_folders() -> list[str]:
    """The folders of this process that say where and whose it is; the bare root is none."""
    own = Path(__file__).resolve()
    own_places = [FOLDER, own.parents[2], own.parents[4], Path.home(), Path.cwd(), cache_folder()]
    python_places = [sys.prefix, sys.base_prefix, tempfile.gettempdir(), *site.getsitepackages()]
    places = [*own_places, *map(Path, python_places), Path(os.environ.get("REGARD_DATA", "/"))]
    found = {*places, *(place.resolve() for place in places)}
    return sorted((str(place) for place in found if place != Path(place.anchor)), key=len, reverse=True)


def path_pattern(folders: Iterable[str]) -> re.Pattern[str]:
    """What matches any of the folders, longest first, as a whole path and not as the middle of a word.

    >>> path_pattern(["/home/ada"]).sub("", "file:///home/ada/x.py, /home/adam")
    'file:///x.py, /home/adam'
    """
    spellings = {spelling for folder in folders for spelling in _spellings(folder)}
    longest_first = sorted(spellings, key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?![\w-])" if spellings else r"(?!)")


def _spellings(folder: str) -> set[str]:
    in_json = {json.dumps(folder)[1:-1], json.dumps(folder, ensure_ascii=False)[1:-1]}
    plain = {folder, *in_json}
    return plain | {html.escape(path) for path in plain} | {quote(folder), quote(folder, safe="")}


class _Filter:
    """Stands before `send`: a text is kept until it is whole, then sent without paths; a line is sent at once."""

    def __init__(self, pattern: re.Pattern[str], send: Send) -> None:
        self.pattern = pattern
        self.send = send
        self.start: Message | None = None
        self.has_lines = False
        self.body = bytearray()

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start" and _has_type(message, TEXT_TYPES):
            self.start = message
        elif message["type"] == "http.response.start":
            self.has_lines = _has_type(message, (LINES_TYPE,))
            await self.send(message)
        elif message["type"] == "http.response.body" and self.has_lines:
            line = self.pattern.sub("", message.get("body", b"").decode("utf-8", "replace"))
            await self.send({**message, "body": line.encode()})
        elif message["type"] == "http.response.body" and self.start is not None:
            await self._keep(message)
        else:
            await self.send(message)

    async def _keep(self, message: Message) -> None:
        self.body += message.get("body", b"")
        if message.get("more_body"):
            return
        body = self.pattern.sub("", self.body.decode("utf-8", "replace")).encode()
        assert self.start is not None
        headers = [(name, value) for name, value in self.start["headers"] if name.lower() != b"content-length"]
        await self.send({**self.start, "headers": [*headers, (b"content-length", str(len(body)).encode())]})
        await self.send({"type": "http.response.body", "body": body})


def _has_type(start: Message, types: tuple[bytes, ...]) -> bool:
    found = [value for name, value in start["headers"] if name.lower() == b"content-type"]
    return any(value.startswith(types) for value in found)
