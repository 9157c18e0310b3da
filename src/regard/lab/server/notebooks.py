"""The chapters as marimo apps, behind a list of what a visitor may ask of them.

Of marimo's many routes a chapter needs six; every other one, such as those that edit, run or export code, read files
or install packages, is not found. What comes out is marimo's page without its service worker, with inline
scripts allowed one by one.
"""

from __future__ import annotations

import ast
import asyncio
import importlib
import re
import secrets
import threading
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from regard.lab.contents import Chapter

ASSETS = "/marimo"
"""Where the files of marimo's page are, once for all chapters, so that the browser keeps them."""

ROUTES = frozenset(
    {
        ("GET", "/"),  # the page
        ("GET", "/ws"),  # what the notebook shows
        ("GET", "/health"),  # whether the server is there
        ("POST", "/api/kernel/set_ui_element_value"),  # a control was moved
        ("POST", "/api/kernel/set_model_value"),  # a widget was moved
        ("POST", "/api/kernel/function_call"),  # a control asks for its next page
    }
)
MEMORY_FILES = re.compile(r"/@file/\d+-[\w.-]+")
"""Images and modules that a notebook has made, in memory."""

# marimo would take `file` as the notebook to open.
REFUSED_PARAMETERS = frozenset({"file", "access_token", "kiosk", "show-code", "include-code", "view-as"})

POLICY = (
    "default-src 'none'; script-src 'self' 'nonce-{nonce}'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self' data: blob:; media-src 'self' data: blob:; "
    "worker-src 'self' blob:; base-uri 'self'; form-action 'none'; frame-ancestors 'none'"
)

HEAD = """\
<link rel="icon" href="/web/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/web/notebook.css">
"""


REHEARSAL = "rehearsal"
LOADED_LATE = (
    "PIL.BmpImagePlugin",
    "PIL.GifImagePlugin",
    "PIL.JpegImagePlugin",
    "PIL.PpmImagePlugin",
    "array_api_compat.numpy",
    "importlib.readers",
    "matplotlib.backends.backend_svg",
    "matplotlib.pyplot",
    "pydoc_data.topics",
    "pygments.lexers.python",
    "pygments.styles.default",
    "regard.models.bigram",
    "regard.models.classifier.averaging",
    "regard.models.ngram.model",
    "safetensors.numpy",
)
"""What chapters load when they first compute or show something, or open a model that an earlier visitor has trained."""


class Notebooks:
    """An ASGI app of all chapters, each under its slug; marimo is imported when the first is wanted, or by `warm`."""

    def __init__(self, chapters: tuple[Chapter, ...]) -> None:
        self.chapters = {chapter.slug: chapter for chapter in chapters}
        self.apps: dict[str, ASGIApp] = {}
        self.building = asyncio.Lock()
        self.is_closed = False

    async def build(self) -> None:
        """Build everything, so that the first visitor does not wait for it."""
        async with self.building:
            if not self.apps:
                self.apps = await asyncio.to_thread(_build_apps, tuple(self.chapters.values()))

    async def rehearse(self) -> None:
        """Build all, then run each chapter for nobody, so that what it imports and draws at first is there already."""
        await self.build()
        threading.Thread(target=self._run_each, name=REHEARSAL, daemon=True).start()

    def _run_each(self) -> None:
        for chapter in self.chapters.values():
            if self.is_closed:
                return
            _run_once(chapter)

    async def close(self) -> None:
        """End every visitor's notebook."""
        self.is_closed = True
        for app in self.apps.values():
            await app.state.session_manager.shutdown()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer what a chapter needs, and nothing else."""
        slug, rest = _parts(scope)
        method = "GET" if scope["type"] == "websocket" else scope["method"]
        if slug not in self.chapters or not is_allowed(method, rest):
            await _not_found(scope, receive, send)
            return
        await self.build()
        inner = {
            **scope,
            "path": rest,
            "root_path": "",
            "query_string": _query(scope),
            "headers": _unconditional_headers(scope),
        }
        nonce = secrets.token_urlsafe(16)
        await self.apps[slug](inner, receive, _Page(send, nonce) if rest == "/" else send)


def is_allowed(method: str, path: str) -> bool:
    """Whether a chapter needs this.

    >>> is_allowed("GET", "/"), is_allowed("POST", "/api/kernel/run"), is_allowed("GET", "/@file/9-../../etc/passwd")
    (True, False, False)
    """
    return (method, path) in ROUTES or (method == "GET" and MEMORY_FILES.fullmatch(path) is not None)


def adapt_page(page: str, *, nonce: str) -> str:
    """marimo's page without the service worker and the icons, its remaining inline scripts marked with the nonce."""
    page = re.sub(r"<script>(?:(?!</script>).)*serviceWorker(?:(?!</script>).)*</script>", "", page, flags=re.S)
    page = re.sub(r'<link rel="(?:icon|apple-touch-icon|manifest)"[^>]*>', "", page)
    page = page.replace("</head>", f"{HEAD}</head>", 1)
    page = re.sub(r'<meta (?:property="og:image"|name="twitter:card")[^>]*>', "", page)
    return re.sub(r"<script(?=[ >])(?![^>]*\bsrc=)", f'<script nonce="{nonce}"', page)


def import_ahead(chapters: tuple[Chapter, ...]) -> None:
    """Import what the chapters import, and what they load when they first run.

    Each visitor's notebook runs in a thread. Where two threads begin at once to import packages that import each other,
    Python breaks the deadlock by handing one of them a module that is half made, and its chapter stays an empty page.
    """
    for chapter in chapters:
        for module, names in notebook_imports(chapter.notebook):
            importlib.__import__(module, fromlist=names)
    for module in LOADED_LATE:
        importlib.import_module(module)
    for chapter in chapters[:1]:  # at the first run of any notebook, marimo loads what it shows things with
        _run_once(chapter)


def _run_once(chapter: Chapter) -> None:
    """Run a chapter for nobody."""
    importlib.import_module(f"regard.lab.chapters.{chapter.notebook.parent.name}.notebook").app.run()


def notebook_imports(notebook: Path) -> Iterator[tuple[str, list[str]]]:
    """The modules that a notebook's cells import, each with the names that are taken from it."""
    for node in ast.walk(ast.parse(notebook.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, []) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module, [alias.name for alias in node.names]


def _build_apps(chapters: tuple[Chapter, ...]) -> dict[str, ASGIApp]:
    import marimo

    import_ahead(chapters)
    apps: dict[str, ASGIApp] = {}
    for chapter in chapters:
        path = f"/chapter/{chapter.slug}"
        builder = marimo.create_asgi_app(quiet=True, include_code=False, asset_url=ASSETS, session_ttl=30)
        built = builder.with_app(path=path, root=str(chapter.notebook)).build()
        apps[chapter.slug] = next(route.app for route in built.routes if route.path == path)
    return apps


def _parts(scope: Scope) -> tuple[str, str]:
    """The slug and what follows it, of a path below the place where the chapters are mounted."""
    path = scope["path"].removeprefix(scope.get("root_path", ""))
    slug, slash, rest = path.removeprefix("/").partition("/")
    return slug, slash + rest


def _query(scope: Scope) -> bytes:
    asked = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
    return urlencode([pair for pair in asked if pair[0] not in REFUSED_PARAMETERS]).encode()


def _unconditional_headers(scope: Scope) -> list[tuple[bytes, bytes]]:
    """The headers without conditions: each page has scripts allowed anew, and an old copy would not run."""
    return [pair for pair in scope["headers"] if pair[0] not in (b"if-none-match", b"x-notebook-id")]


class _Page:
    """Stands before `send`: the page is kept until it is whole, then settled and sent with its policy."""

    def __init__(self, send: Send, nonce: str) -> None:
        self.send = send
        self.nonce = nonce
        self.start: Message = {}
        self.body = bytearray()

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.start = message
            return
        self.body += message.get("body", b"")
        if message.get("more_body"):
            return
        body = adapt_page(self.body.decode(), nonce=self.nonce).encode()
        headers = MutableHeaders(raw=list(self.start["headers"]))
        headers["content-length"] = str(len(body))
        headers["content-security-policy"] = POLICY.format(nonce=self.nonce)
        headers["cache-control"] = "no-store"
        del headers["etag"]
        await self.send({**self.start, "headers": headers.raw})
        await self.send({"type": "http.response.body", "body": body})


async def _not_found(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008})
    else:
        await PlainTextResponse("There is nothing here.\n", 404)(scope, receive, send)
