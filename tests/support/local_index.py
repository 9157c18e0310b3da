"""A package index on this machine: hostile archives, and a web server that does as it is told."""

import base64
import hashlib
import io
import json
import tarfile
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from regard.text.corpora.sources import Sdist

TEXT = "to be or not to be\n" * 3000


def packed(members):
    """A tar.gz of names and contents; a TarInfo may stand for a name."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w:gz") as archive:
        for name, content in members:
            member = name if isinstance(name, tarfile.TarInfo) else tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return file.getvalue()


def booby_trapped(marker):
    """An sdist that leaves a file behind if anything of it runs, and the text that is wanted of it; incompressible."""
    trap = f"open({str(marker)!r}, 'w').close()\n".encode()
    noise = b"".join(hashlib.sha256(bytes([i % 256, i // 256])).digest() for i in range(8000))
    traps = [(f"play-1.0/{name}", trap) for name in ("setup.py", "play/__init__.py", "conftest.py", "play.pth")]
    project = b'[build-system]\nrequires = []\nbuild-backend = "setup"\nbackend-path = ["."]\n'
    rest = [("play-1.0/pyproject.toml", project), ("play-1.0/text.txt", TEXT.encode()), ("play-1.0/noise", noise)]
    return packed([*traps, *rest])


def pinned(data, **changes):
    """The row for an archive with these bytes."""
    settings = {"sha256": hashlib.sha256(data).hexdigest(), "size": len(data), "members": ("play-1.0/text.txt",)}
    return Sdist(**({"project": "play", "version": "1.0"} | settings | changes))


def file_index(folder, data, *, filename="play-1.0.tar.gz", fragment=""):
    """A file:// index that offers one archive; its address."""
    (folder / "files").mkdir(parents=True)
    (folder / "simple" / "play").mkdir(parents=True)
    (folder / "files" / filename).write_bytes(data)
    page = f'<!DOCTYPE html><html><body><a href="../../files/{filename}{fragment}">{filename}</a></body></html>'
    (folder / "simple" / "play" / "index.html").write_text(page)
    return (folder / "simple").as_uri()


@dataclass
class Behaviour:
    """What a server has, and how it misbehaves."""

    pages: dict = field(default_factory=dict)  # path: (type, bytes)
    knows_ranges: bool = True
    refuses_ranges: bool = False
    cut_after: list = field(default_factory=list)  # bytes of an archive, for each answer in turn
    stall_after: int | None = None
    login: str | None = None
    log: list = field(default_factory=list)  # (path, Range, Authorization)
    release: threading.Event = field(default_factory=threading.Event)

    def archives(self):
        """The ranges asked of archives."""
        return [asked for path, asked, _ in self.log if path.endswith(".tar.gz")]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.0"

    def do_GET(self):
        behaviour = self.server.behaviour
        asked = self.headers.get("Range")
        behaviour.log.append((self.path, asked, self.headers.get("Authorization")))
        if behaviour.login and self.headers.get("Authorization") != behaviour.login:
            self.send_error(401)
        elif self.path not in behaviour.pages:
            self.send_error(404)
        elif asked and behaviour.refuses_ranges:
            self.send_error(416)
        else:
            self.answer(*behaviour.pages[self.path], asked if behaviour.knows_ranges else None)

    def answer(self, kind, data, asked):
        start = int(asked.removeprefix("bytes=").rstrip("-")) if asked else 0
        self.send_response(206 if start else 200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data) - start))
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
        self.end_headers()
        self.send_body(data[start:])

    def send_body(self, body):
        behaviour = self.server.behaviour
        if self.path.endswith(".tar.gz") and behaviour.cut_after:
            body = body[: behaviour.cut_after.pop(0)]
        if self.path.endswith(".tar.gz") and behaviour.stall_after is not None and not behaviour.release.is_set():
            self.wfile.write(body[: behaviour.stall_after])
            self.wfile.flush()
            behaviour.release.wait(20)
            body = body[behaviour.stall_after :]
        try:
            self.wfile.write(body)
        except OSError:  # the other side was killed
            self.close_connection = True

    def log_message(self, *_):
        pass


@contextmanager
def serving(**behaviour):
    """A running server: its address, and its behaviour, which may change while it runs."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.behaviour = Behaviour(**behaviour)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", server.behaviour
    finally:
        server.behaviour.release.set()
        server.shutdown()
        thread.join()
        server.server_close()


def index_pages(data, *, kind="text/html", claimed=None, url="../../files/play-1.0.tar.gz"):
    """The pages of an index that offers one archive, by HTML or JSON."""
    claimed = claimed or hashlib.sha256(data).hexdigest()
    listing = {"files": [{"url": url, "filename": "play-1.0.tar.gz", "hashes": {"sha256": claimed}}]}
    page = json.dumps(listing) if kind.endswith("json") else f'<a href="{url}#sha256={claimed}">play-1.0.tar.gz</a>'
    archive = ("application/gzip", data)
    return {"/simple/play/": (kind, page.encode()), "/files/play-1.0.tar.gz": archive}


def basic(user, password):
    return "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()
