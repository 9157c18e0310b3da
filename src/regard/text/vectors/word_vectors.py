"""Word vectors in memory: looked up by word, compared, written as GloVe text; and the report of reading them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np

from regard.errors import ShapeError, ValueRangeError, VocabularyError
from regard.files import open_packed
from regard.shapes import Bool, Float, Int
from regard.text.vectors.lines import BadLineError, parse_line


@dataclass(frozen=True)
class SkippedLine:
    """A line, counted from 1, that gave no vector, and the reason."""

    line: int
    reason: str


@dataclass(frozen=True)
class ReadReport:
    """What reading a file of vectors left out: how much, and the first few cases.

    `n_announced` is the number of words that the file's own header promises. Where only wanted words were read, the
    other lines were not looked at, and reading may have ended before the file did.
    """

    n_lines: int
    n_skipped: int = 0
    n_duplicates: int = 0
    first_skipped: tuple[SkippedLine, ...] = ()
    first_duplicates: tuple[SkippedLine, ...] = ()
    n_announced: int | None = None

    def __str__(self) -> str:
        shown = [f"{self.n_lines:,} lines"]
        for n, what, first in (
            (self.n_skipped, "skipped", self.first_skipped),
            (self.n_duplicates, "with a word met before", self.first_duplicates),
        ):
            if n:
                shown.append(f"{n:,} {what} (line {first[0].line:,}: {first[0].reason}{', …' if n > 1 else ''})")
        if self.n_announced is not None:
            shown.append(f"{self.n_announced:,} words announced")
        return ", ".join(shown)


@dataclass(frozen=True, eq=False)
class WordVectors:
    """Words and their vectors, row by row. `report` says how a file of them was read."""

    words: Sequence[str] = field(repr=False)
    vectors: Float[np.ndarray, "vocab width"] = field(repr=False)
    report: ReadReport | None = None

    def __post_init__(self) -> None:
        if len(self.words) != len(self.vectors):
            raise ShapeError(f"each word needs one vector; got {len(self.words)} words and {len(self.vectors)} vectors")

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, word: object) -> bool:
        return word in self._row_of

    @property
    def width(self) -> int:
        """How many numbers a word has."""
        return int(self.vectors.shape[1])

    @cached_property
    def _row_of(self) -> dict[str, int]:
        return dict(zip(self.words, range(len(self.words)), strict=True))

    def row(self, word: str) -> int | None:
        """The row of a word; None for a word without a vector.

        >>> WordVectors(["a", "b"], np.eye(2, dtype=np.float32)).row("b")
        1
        """
        return self._row_of.get(word)

    def rows(self, words: Sequence[str]) -> Int[np.ndarray, " position"]:
        """The row of each word; −1 for a word without a vector."""
        return np.fromiter((self._row_of.get(word, -1) for word in words), np.int64, len(words))

    def matrix_for(
        self, words: Sequence[str], *, fill: float = 0.0, rng: np.random.Generator | None = None
    ) -> tuple[Float[np.ndarray, "position width"], Bool[np.ndarray, " position"]]:
        """A vector for each of the words, and which of the words were found.

        The others get `fill` in each place or, with `rng`, normal numbers that have in each place the mean and the
        standard deviation of the vectors found.
        """
        rows = self.rows(words)
        is_found = rows >= 0
        matrix = np.full((len(words), self.width), fill, np.float32)
        matrix[is_found] = self.vectors[rows[is_found]]
        if rng is not None and is_found.any():
            mean, sd = matrix[is_found].mean(axis=0), matrix[is_found].std(axis=0)
            matrix[~is_found] = rng.normal(mean, sd, (int((~is_found).sum()), self.width))
        elif rng is not None:
            matrix[...] = rng.standard_normal(matrix.shape) / np.sqrt(self.width)
        return matrix, is_found

    def nearest(self, word: str, n: int = 10) -> list[tuple[str, float]]:
        """The `n` other words with the largest cosine to this one, the nearest first."""
        row = self.row(word)
        if row is None:
            raise VocabularyError(f"{word!r} has no vector among these {len(self):,} words")
        lengths = np.linalg.norm(self.vectors, axis=1)
        lengths[lengths == 0] = 1.0
        cosines = self.vectors @ self.vectors[row] / (lengths * lengths[row])
        cosines[row] = -np.inf
        order = np.argsort(-cosines, kind="stable")[: min(n, len(self) - 1)]
        return [(self.words[k], float(cosines[k])) for k in order]


def write_vectors(vectors: WordVectors, path: Path | str, *, digits: int = 9) -> None:
    """Write GloVe text, packed if the name ends in .gz: a word and its numbers a line.

    Nine digits give back every float32 exactly. The file gets its name once it is whole.
    """
    for word in vectors.words:
        _refuse_unreadable(word)
    if not np.isfinite(vectors.vectors).all():
        raise ValueRangeError("vectors to be written must be finite; these hold NaN or infinity")
    numbers = " ".join([f"%.{digits}g"] * vectors.width)
    with open_packed(path) as file:
        for word, vector in zip(vectors.words, vectors.vectors, strict=True):
            file.write(f"{word} {numbers % tuple(vector.tolist())}\n".encode())


def _refuse_unreadable(word: str) -> None:
    """Only what a reader takes for the same word may be written; most words need no closer look."""
    if word and word.isascii() and word.isprintable() and " " not in word:
        return
    try:
        is_same = parse_line(f"{word} 0".encode(), width=1)[0] == word
    except (BadLineError, UnicodeEncodeError):
        is_same = False
    if not is_same or word[0] == "\ufeff" or "\0" in word or "\n" in word:
        raise VocabularyError(
            f"{word!r} cannot be written as a word of GloVe text: it would be read back as another word"
        )
