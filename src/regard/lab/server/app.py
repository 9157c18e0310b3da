"""The lab's server: start page and chapters, what chapters ask of Python, and nothing else of this machine."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import ipaddress
import logging
import mimetypes
import os
import re
import socket
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from regard.errors import AddressError
from regard.files import sha256
from regard.lab.contents import CHAPTERS, WEB, Chapter
from regard.lab.html_pages import chapter_page, start_page
from regard.lab.jobs import is_new_failure
from regard.lab.server.api import Api
from regard.lab.server.guard import LOCAL_NAMES, SAFE_METHODS, Guard, Limits, NoPaths
from regard.lab.server.visitors import Visitors, cookie_name
from regard.lab.static_pages import static_chapter


@contextmanager
def lab_settings() -> Iterator[None]:
    """Work in a fresh, empty folder, so that no name in a question is a file; afterwards be where we were."""
    before = Path.cwd()
    kept = {name: os.environ.get(name) for name in ("REGARD_DATA", "REGARD_CACHE")}
    for name in ("REGARD_DATA", "REGARD_CACHE"):
        if chosen := kept[name]:
            os.environ[name] = str(Path(chosen).expanduser().resolve())
    with tempfile.TemporaryDirectory(prefix="regard-lab-") as folder:
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)
            _restore(kept)


def _restore(kept: dict[str, str | None]) -> None:
    for name, value in kept.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


FILE_ADDRESS = re.compile(r'(?<=="web/)|(?<=="\.\./\.\./web/)')
VERSION = re.compile(r"^v[0-9a-f]{12}/")
DEFAULT_PORT = 8642
N_TRIED_PORTS = 40


def create_app(
    *,
    token: str | None = None,
    ticket: str | None = None,
    names: frozenset[str] | None = None,
    limits: Limits | None = None,
) -> ASGIApp:
    """The whole lab as one ASGI app; with a token, every request must bring it. `Guard` tells of the other settings."""
    visitors = Visitors()
    files = _WebFiles(WEB)
    api = Api(CHAPTERS, visitors=visitors)
    questions = Starlette(routes=[Route("/{chapter}/{question}", api.answer, methods=["POST"])])

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        warming = asyncio.create_task(api.warm())
        yield
        warming.cancel()
        api.close()

    app = Starlette(
        routes=[
            Route("/", _Page(_start_page_text(), files), methods=["GET"]),
            Route("/favicon.ico", _icon),  # which browsers ask for whatever the page says
            *(
                Route(f"/chapter/{each.slug}/", _Page(chapter_page(each), files, visitors), methods=["GET"])
                for each in CHAPTERS
            ),
            *(Route(f"/chapter/{each.slug}", _add_slash) for each in CHAPTERS),
            Mount("/api", app=NoPaths(questions)),
            Route("/page/{slug}.html", _page_file),
            Mount("/web", app=files),
        ],
        middleware=[Middleware(Guard, token=token, ticket=ticket, names=names, limits=limits)],
        exception_handlers={404: _nothing_here, 405: _nothing_here, 500: _show_failure},
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False  # an address that is none is not found, with or without a slash
    return app


def serve(
    sockets: list[socket.socket],
    *,
    token: str | None = None,
    ticket: str | None = None,
    names: frozenset[str] | None = None,
    limits: Limits | None = None,
    ready: Callable[[], None] = lambda: None,
) -> None:
    """Serve the lab until it is interrupted; `ready` is called when it can be reached."""
    import uvicorn

    from regard.lab.server.visitors import connection_class

    limits = fit_open_files(limits or Limits())
    with lab_settings():
        config = uvicorn.Config(
            create_app(token=token, ticket=ticket, names=names, limits=limits),
            access_log=False,
            backlog=min(128, limits.requests // 4),  # so many are taken before the first of them can be closed
            date_header=False,
            limit_concurrency=limits.requests,
            http=connection_class(limits),
            log_level="error",
            server_header=False,
            timeout_graceful_shutdown=1,
            ws="none",
        )
        for name in ("uvicorn.error", "asyncio"):
            logging.getLogger(name).addFilter(is_first_failure)
        server = uvicorn.Server(config)
        ready()  # the sockets listen already: what asks now is answered as soon as the server runs
        with quick_switches(), contextlib.suppress(KeyboardInterrupt):  # which uvicorn raises again after a clean end
            server.run(sockets=sockets)


def fit_open_files(limits: Limits) -> Limits:
    """Have the system allow as many open files as there may be connections, or else allow fewer connections.

    A server without a file for the next connection answers nobody, and says so in the terminal thousands of times.
    """
    if sys.platform == "win32":
        return limits
    import resource

    wanted = 2 * limits.requests
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    allowed, possible = (wanted if n == resource.RLIM_INFINITY else n for n in (now, most))
    if allowed < wanted:
        allowed = min(wanted, possible)
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, most))
    requests = min(limits.requests, allowed // 2)
    return replace(limits, requests=requests, waiting=min(limits.waiting, requests // 2))


@contextmanager
def quick_switches() -> Iterator[None]:
    """Let a thread that computes hand Python over within a millisecond.

    A request takes Python up several times, each time from a thread that may keep it for 5 ms by default: beside a long
    computation forty requests in a second would be all that can be served.
    """
    before = sys.getswitchinterval()
    sys.setswitchinterval(0.001)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def listen(host: str, port: int | None) -> socket.socket:
    """A socket bound to this address; without a port, to the first free one from the default upwards.

    Raises AddressError where that cannot be.
    """
    if not host.strip():
        raise AddressError(
            "--host needs an address of this machine, such as 127.0.0.1; an empty one would be all of them"
        )
    tried = range(DEFAULT_PORT, DEFAULT_PORT + N_TRIED_PORTS) if port is None else [port]
    for number in tried:
        try:
            return _bind(host, number)
        except OSError as error:
            reason = error
            if error.errno != errno.EADDRINUSE:
                break
    if reason.errno in (errno.EADDRINUSE, errno.EACCES):
        where = f", port {tried[-1]}" if port is not None else f", any of the ports {tried[0]} to {tried[-1]}"
        advice = "choose another with --port" + ("" if port is None else ", or leave it out")
    else:
        where, advice = "", "--host takes an address of this machine, such as 127.0.0.1 or 0.0.0.0"
    raise AddressError(f"cannot serve at {host}{where}: {reason.strerror or reason}; {advice}") from reason


def is_local(host: str) -> bool:
    """Whether only this machine reaches the address.

    >>> is_local("localhost"), is_local("127.0.0.1"), is_local("0.0.0.0")
    (True, True, False)
    """
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def names_of(host: str) -> frozenset[str] | None:
    """The names by which a lab that listens there may be called; None where other machines may know it by any.

    >>> sorted(names_of("127.0.0.2")), names_of("0.0.0.0")
    (['127.0.0.1', '127.0.0.2', '::1', 'localhost'], None)
    """
    return LOCAL_NAMES | {host.lower()} if is_local(host) else None


def is_first_failure(record: logging.LogRecord) -> bool:
    """Whether an error of the server is to be shown: each place in the code that fails is shown once.

    What is still being answered when the lab ends is cancelled, which is no failure.
    """
    if record.getMessage().startswith("Cancel "):
        return False
    error = record.exc_info[1] if record.exc_info else None
    return error is None or (not isinstance(error, asyncio.CancelledError) and is_new_failure(error))


def address_of(sock: socket.socket, host: str) -> str:
    """What to open in a browser; an address that stands for all of this machine's becomes its own name."""
    name = socket.gethostname() if host in ("0.0.0.0", "::") else host
    return f"http://{f'[{name}]' if ':' in name else name}:{sock.getsockname()[1]}/"


@cache
def _start_page_text() -> str:
    return start_page(CHAPTERS)


async def _page_file(request: Request) -> Response:
    """A chapter as one file, for the page to save with its view."""
    slug = request.path_params["slug"]
    chapter = next((chapter for chapter in CHAPTERS if chapter.slug == slug), None)
    if chapter is None:
        return await _nothing_here(request, KeyError(slug))
    text = await asyncio.to_thread(_page_text, chapter)
    return HTMLResponse(text, headers={"Content-Disposition": f'attachment; filename="{slug}.html"'})


@cache
def _page_text(chapter: Chapter) -> str:
    return static_chapter(chapter)


async def _icon(request: Request) -> Response:
    return FileResponse(WEB / "icon.svg")


async def _add_slash(request: Request) -> Response:
    query = f"?{request.url.query}" if request.url.query else ""
    return RedirectResponse(f"{request.url.path}/{query}", 307)


async def _nothing_here(request: Request, error: Exception) -> Response:
    return PlainTextResponse("There is nothing here.\n", 404)


async def _show_failure(request: Request, error: Exception) -> Response:
    return PlainTextResponse("Something went wrong in the lab; its terminal says what.\n", 500)


class _Page:
    """Answers with a page that is the same for everybody; a chapter names a visitor who has no name yet."""

    def __init__(self, text: str, files: _WebFiles, visitors: Visitors | None = None) -> None:
        self.parts = FILE_ADDRESS.split(text)
        self.files = files
        self.visitors = visitors

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the page, its files at addresses of their present version."""
        response = HTMLResponse(self.files.present_version().join(self.parts), headers={"Cache-Control": "no-cache"})
        if self.visitors is not None and self.visitors.known_name(scope) is None:
            response.set_cookie(cookie_name(scope), self.visitors.new_cookie(), httponly=True, samesite="strict")
        await response(scope, receive, send)


class _WebFiles:
    """The files of the pages, from memory: a page asks for some thirty, and a class for all of them at once.

    A page names them as web/v0123456789ab/parts/page.js, and the browser asks for a version once; imports are relative
    and follow. At web/parts/page.js it asks whether the file has changed.
    """

    def __init__(self, folder: Path) -> None:
        self.paths = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
        self.kept: dict[str, tuple[tuple[int, int], bytes, dict[str, str]]] = {}
        self.version = self.present_version()

    def present_version(self) -> str:
        """The folder of the version that all files have now: another one once any of them has changed."""
        states = {name: _state(path) for name, path in self.paths.items()}
        self.version = f"v{sha256(repr(sorted(states.items())).encode())[:12]}/"
        return self.version

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send a file, or say that the browser has it already."""
        request = Request(scope)
        path = scope["path"].removeprefix(scope.get("root_path", "")).removeprefix("/")
        name = VERSION.sub("", path)
        if name not in self.paths or request.method not in SAFE_METHODS:
            raise HTTPException(404)
        content, headers = self._read(name)
        if path == self.version + name:
            headers = headers | {"Cache-Control": "private, max-age=31536000, immutable"}
        is_known = request.headers.get("if-none-match") == headers["ETag"]
        await (Response(None, 304, headers) if is_known else Response(content, 200, headers))(scope, receive, send)

    def _read(self, name: str) -> tuple[bytes, dict[str, str]]:
        """The content and headers of a file, read again if it has changed, as it does while somebody writes it."""
        version = _state(self.paths[name])
        if name not in self.kept or self.kept[name][0] != version:
            content = self.paths[name].read_bytes()
            kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
            charset = "; charset=utf-8" if kind.startswith("text/") else ""
            headers = {"Cache-Control": "no-cache", "Content-Type": kind + charset, "ETag": f'"{sha256(content)[:32]}"'}
            self.kept[name] = (version, content, headers)
        return self.kept[name][1:]


def _state(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_mtime_ns, found.st_size


def _bind(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sends at once (TCP_NODELAY) where the protocol is named; else an answer waits 40 ms to be acknowledged.
    sock = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind((host, port))
        sock.listen(128)
    except OSError:
        sock.close()
        raise
    return sock
