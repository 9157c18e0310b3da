"""No path of this machine in any answer.

Error messages may name files and folders, such as the one that REGARD_DATA is set to. So whatever leaves as text is
searched for the folders that say where and whose this machine is, in each spelling of a path: plain, in JSON, in HTML,
in an address. An answer that comes line by line is searched line by line.
"""

from __future__ import annotations

import html
import json
import os
import re
import site
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import quote

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from regard.files import cache_folder
from regard.lab.contents import FOLDER

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
