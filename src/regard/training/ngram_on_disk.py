"""From a text of any length to a counting model, in at most a gibibyte of memory.

    text ─chunks→ tokeniser ─ids→ sorted runs ─merge→ tables of all orders ─look-ups→ suffixes, gates → model

Everything that grows with the text stands in files of a work folder (`sorted_runs`, `disk_counts`). What stays in
memory: the vocabulary, the different words of the text with their counts, the digest, and a few blocks of numbers. The
model is the one that `fit_ngram` makes of the same text in memory, to the last bit.

A count that was killed goes on from the sorted runs, or the tables, that it had finished (`journal`).
"""

from __future__ import annotations

import itertools
import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from regard.cluster import map_batches
from regard.errors import MethodError, NothingScoredError, ValueRangeError
from regard.files import sha256
from regard.models.background import (
    MAX_READ,
    Background,
    GrowingDigest,
    TextDigest,
    assemble_background,
    opening_line,
    words_to_learn,
)
from regard.models.base import LanguageModel, Reader
from regard.models.folder import TensorOnDisk, write_tensors
from regard.models.ngram.context_mixing import MAX_VALIDATION, VALIDATION_SHARE, Gate, fit_gates
from regard.models.ngram.disk_array import MAX_SHORT, DiskArray
from regard.models.ngram.disk_counts import DiskCounts
from regard.models.ngram.kneser_ney import interpolate
from regard.models.ngram.model import HIGHEST_ORDER, NgramConfig, start_mark, with_marks
from regard.models.ngram.sorted_runs import PIECE_POSITIONS, Packing, SortedRuns, pack_ngrams, sort_rows
from regard.progress import Progress, silent
from regard.records import ALONE, Workers
from regard.shapes import Float, Int
from regard.text.tokenise.layout import text_pieces
from regard.text.tokenise.tokenisers import (
    AnyTokeniser,
    CourseWordTokeniser,
    fit_to_chunks,
    normal_form,
    restore_from_json,
)
from regard.text.tokenise.tokens import WordCounts

PIECE_CHARACTERS = 1 << 22
"""What a worker sorts at once."""
LAYOUT = 2
"""Of the files of a count, which the next process goes on from: those of another layout it does not read."""

Chunks = Callable[[], Iterator[str]]
"""The text in pieces, from its beginning at every call."""


@dataclass(frozen=True, repr=False)
class DiskNgramModel(LanguageModel):
    """A counting model whose tables are on a disk: it scores a text; for everything else it is to be loaded."""

    kind: ClassVar[str] = "ngram"
    counts: DiskCounts
    gates: dict[str, Gate]
    background: Background

    @property
    def order(self) -> int:
        """The longest n-gram, its last symbol included."""
        return self.counts.order

    def token_log_probs(self, ids: Int[np.ndarray, " position"]) -> Float[np.ndarray, " position"]:
        """ln p(idᵢ | the ids before it on its line) for each i."""
        marked, is_id = with_marks(ids, self.tokeniser)
        uniform, pieces = self.counts.in_short.uniform.max(), [np.zeros(0)]
        for absolute in self.counts.pieces(marked):
            levels, seen = self.counts.levels_at(absolute)
            lowest = np.full(seen.ngrams.shape[1], uniform)
            if self.gates:
                pieces.append(np.log(levels.along(seen).mix(self.gates["gate"], lowest)))
                continue
            orders = (*levels.continued, levels.plain[-1])
            estimates = (level.at(*ranks) for level, *ranks in zip(orders, seen.ngrams, seen.contexts, strict=True))
            pieces.append(np.log(interpolate(lowest, estimates)))
        return np.concatenate(pieces)[is_id]

    def reader(self) -> Reader:
        """None: the model is to be loaded."""
        raise MethodError("this model's tables are on the disk; load it from its folder to draw from it")

    def config(self) -> dict[str, Any]:
        """Which estimator it is."""
        return {"method": "mixing" if self.gates else "kneser-ney", "order": self.order}

    def arrays(self) -> dict[str, np.ndarray]:
        """None: they are in a file."""
        raise MethodError("this model's tables are on the disk; load it from its folder to have them in memory")

    @classmethod
    def restore(cls, config: dict[str, Any], arrays: dict[str, np.ndarray], background: Background) -> LanguageModel:
        """None: `NgramModel` does it."""
        raise MethodError("a model is loaded as an NgramModel")

    def write_tensors(self, path: Path) -> None:
        """Write what `NgramModel.arrays` would have to a file of safetensors."""
        counts = self.counts
        header = [counts.vocab_size, counts.order, -1 if counts.start_id is None else counts.start_id]
        tensors: dict[str, np.ndarray | TensorOnDisk] = {"ngram.header": np.array(header, dtype=np.int64)}
        for n, table in enumerate(counts.tables, start=1):
            tensors[f"ngram.{n}.keys"] = _tensor(table.keys, may_be_short=False)
            tensors[f"ngram.{n}.counts"] = _tensor(table.counts)
            tensors[f"ngram.{n}.suffixes"] = _tensor(table.suffixes)
        write_tensors(path, tensors | {name: gate.matrix for name, gate in self.gates.items()})


def _tensor(numbers: DiskArray, *, may_be_short: bool = True) -> TensorOnDisk:
    kind = "I32" if may_be_short and numbers.max <= MAX_SHORT else "I64"
    return TensorOnDisk(kind, len(numbers), lambda: (block for _, block in numbers.blocks()))


def train_on_disk(
    chunks: Chunks,
    config: NgramConfig,
    work: Path,
    *,
    measured: bool = True,
    workers: Workers = ALONE,
    progress: Progress = silent,
) -> DiskNgramModel:
    """The counting model of a text, with its tables in the folder `work`; `measured` if it is to score a text.

    `workers` cut the text into tokens and sort its n-grams, a piece each; this process merges what they return.
    """
    order = config.chosen_order
    if not 1 <= order <= HIGHEST_ORDER:
        raise ValueRangeError(f"the order lies between 1 and {HIGHEST_ORDER}; got {order}")
    progress(None, "reading the vocabulary")
    growing = GrowingDigest()
    followed = growing.follow(chunks())
    tokeniser, words = fit_to_chunks(followed, unit=config.unit, vocabulary=config.vocabulary)
    deque(followed, maxlen=0)  # where the vocabulary does not depend on the text, nothing has been read yet
    text = growing.finish()
    require_frequent_words(tokeniser, words)
    size, mark = len(tokeniser.vocabulary), start_mark(tokeniser)
    packing = Packing(size + (mark is not None), order)
    tail = Tail(MAX_VALIDATION + order - 1)
    runs = SortedRuns(work, packing, key=_key(text, tokeniser, packing, workers))
    if n_done := len(runs.pieces):
        progress(None, f"going on from {n_done:,} sorted pieces of a run that was killed")
    for n_read in _sort(chunks, tokeniser, runs, tail, workers):
        progress(None, f"counted {n_read:,} {tokeniser.unit}s")
    if tail.n_read == 0:
        raise NothingScoredError("there is nothing to learn from: the training text is empty")
    sizes = {"vocab_size": size, "start_id": mark, "n_positions": tail.n_read}
    counts = _build(runs, sizes, progress)
    counts.find_suffixes(continuations=measured or config.method == "mixing", progress=progress)
    gates: dict[str, Gate] = {}
    if config.method == "mixing":
        progress(None, "weighing the orders")
        gates = dict(zip(("gate", "adaptive_gate"), _fit_gates(counts, tail), strict=True))
    return DiskNgramModel(counts, gates, _background(chunks, tokeniser, words, counts, config, text))


def _key(text: TextDigest, tokeniser: AnyTokeniser, packing: Packing, workers: Workers) -> str:
    """All that sorted runs depend on: the text, how it is cut into symbols and pieces, and the version."""
    piece = ("positions", PIECE_POSITIONS) if workers.are_here else ("characters", PIECE_CHARACTERS)
    settings = json.dumps(tokeniser.settings(), sort_keys=True)
    return sha256(repr((version("regard"), LAYOUT, text.sha256, text.n_characters, settings, packing, piece)))


def _build(runs: SortedRuns, sizes: dict[str, Any], progress: Progress) -> DiskCounts:
    """The tables of all orders: those that were finished before, or new ones of the sorted runs."""
    if noted := runs.journal.found.tables:
        return DiskCounts.restore(noted, runs.folder, packing=runs.packing, **sizes)
    progress(None, "merging")
    counts = DiskCounts.build(runs.merge(), runs.folder, packing=runs.packing, **sizes)
    runs.remove(counts.notes())
    return counts


def require_frequent_words(tokeniser: AnyTokeniser, words: WordCounts) -> None:
    """ValueRangeError where the vocabulary has a word that the text has once: it would have to count as unknown too."""
    counted = words.merge_by(normal_form) if isinstance(tokeniser, CourseWordTokeniser) else words
    last = tokeniser.vocabulary[-1]
    if counted.counts.get(last) == 1:
        n_frequent = sum(counted.counts.get(word, 0) > 1 for word in tokeniser.vocabulary)
        raise ValueRangeError(
            f"a text that is counted on the disk needs a vocabulary of words that it has at least twice; "
            f"of {len(tokeniser.vocabulary):,} only {n_frequent + 2:,} are: give --vocabulary {n_frequent + 2} or less"
        )


def mark_lines(chunks: Iterable[str], tokeniser: AnyTokeniser) -> Iterator[Int[np.ndarray, " _"]]:
    """The ids of a text that comes in chunks, with a mark before each line."""
    opens_line = True
    for ids in tokeniser.stream(chunks):
        if len(ids):
            yield with_marks(ids, tokeniser, opens_line=opens_line)[0]
            opens_line = bool(ids[-1] == tokeniser.line_end)


def _sort(chunks: Chunks, tokeniser: AnyTokeniser, runs: SortedRuns, tail: Tail, workers: Workers) -> Iterator[int]:
    """Sort the n-grams of a text into runs; how many ids have been read so far."""
    packing, mark, n_done = runs.packing, start_mark(tokeniser), len(runs.pieces)
    if workers.are_here:
        ids = tail.follow(mark_lines(chunks(), tokeniser))
        for columns in pack_ngrams(ids, packing=packing, start_id=mark, size=PIECE_POSITIONS, n_done=n_done):
            runs.add(columns)
            yield tail.n_read
        return
    has_lines, settings = tokeniser.line_end is not None, json.dumps(tokeniser.settings())
    pieces, handed_out = text_pieces(chunks(), size=PIECE_CHARACTERS, at_line_ends=has_lines), deque[str]()

    def batches() -> Iterator[tuple[str, str, str, int]]:
        for number, (text, following) in enumerate(itertools.pairwise(itertools.chain(pieces, [""]))):
            if number < n_done:
                tail.add(runs.pieces[number], partial(_add_marks, text, tokeniser))
                continue
            handed_out.append(text)
            yield text, "" if has_lines else following[: packing.order], settings, packing.order

    for result in map_batches(sort_piece, batches(), workers=workers):
        n_ids = int.from_bytes(result[:8], "little")
        runs.add_rows(result[8:], n_ids)
        tail.add(n_ids, partial(_add_marks, handed_out.popleft(), tokeniser))
        yield tail.n_read


def sort_piece(text: str, following: str, settings: str, order: int) -> bytes:
    """What a worker does: how many ids a piece of text has, in eight bytes, and its n-grams sorted and counted."""
    tokeniser = restore_from_json(settings)
    mark = start_mark(tokeniser)
    ids, ahead = _add_marks(text, tokeniser), tokeniser.encode(following).ids
    packing = Packing(len(tokeniser.vocabulary) + (mark is not None), order)
    if len(ids) == 0:
        return bytes(8)
    return len(ids).to_bytes(8, "little") + sort_rows(ids, ahead, packing=packing, start_id=mark)


def _add_marks(text: str, tokeniser: AnyTokeniser) -> Int[np.ndarray, " _"]:
    """The ids of a piece, with marks; none for one of empty lines alone."""
    if tokeniser.line_end is not None and not text.strip():
        return np.zeros(0, np.int64)
    return with_marks(tokeniser.encode(text).ids, tokeniser)[0]


class Tail:
    """The last ids of a sequence that is read once, and how many there were."""

    def __init__(self, size: int) -> None:
        self._size, self.n_read = size, 0
        self._parts: deque[tuple[int, Callable[[], np.ndarray]]] = deque()

    def add(self, n_ids: int, ids: Callable[[], np.ndarray]) -> None:
        """Remember `n_ids` more ids, which `ids` returns if they are among the last ones."""
        self.n_read += n_ids
        self._parts.append((n_ids, ids))
        while sum(n for n, _ in self._parts) - self._parts[0][0] >= self._size:
            self._parts.popleft()

    def follow(self, parts: Iterable[Int[np.ndarray, " _"]]) -> Iterator[Int[np.ndarray, " _"]]:
        """Hand the parts on, and remember the last of them."""
        for part in parts:
            self.add(len(part), partial(np.asarray, part))
            yield part

    def last(self, n: int) -> Int[np.ndarray, " _"]:
        """The last n ids, at most as many as there is room for."""
        ids = np.concatenate([np.zeros(0, np.int64), *(ids() for _, ids in self._parts)])
        return ids[len(ids) - n :]


def _fit_gates(counts: DiskCounts, tail: Tail) -> Iterator[Gate]:
    """The two gates of a mixture, fitted on the end of the text with its n-grams taken out of the counts."""
    n_validation = min(tail.n_read // VALIDATION_SHARE, MAX_VALIDATION)
    before = min(tail.n_read - n_validation, counts.order - 1)
    ids, in_short = tail.last(n_validation + before), counts.in_short
    scored = ~in_short.is_mark(ids[before:])
    levels, seen = counts.levels_at(counts.occurrences(ids).after(before), take_out=True)
    return fit_gates(levels, seen, scored, uniform=in_short.uniform.max())


def _background(
    chunks: Chunks,
    tokeniser: AnyTokeniser,
    words: WordCounts,
    counts: DiskCounts,
    config: NgramConfig,
    text: TextDigest,
) -> Background:
    """What `make_background` makes of the whole text."""
    names, unknown = list(words.counts), {}
    if names:
        ids = tokeniser.encode(" ".join(names)).ids[: len(names)]
        unknown = {word: words.counts[word] for word, i in zip(names, ids, strict=True) if i == tokeniser.unknown}
    was_seen = counts.tables[0].counts.read(0, counts.vocab_size) > 0
    marks = (tokeniser.unknown, tokeniser.line_end)
    seen = [tokeniser.vocabulary[i] for i in np.flatnonzero(was_seen).tolist() if i not in marks]
    notes = {"training": asdict(config) | {"order": config.chosen_order}, "opening": opening_line(_first(chunks()))}
    return assemble_background(tokeniser, words_to_learn(unknown, seen), text, notes)


def _first(chunks: Iterator[str]) -> str:
    """The beginning of a text, as far as it is looked at for its opening line."""
    pieces: list[str] = []
    for piece in chunks:
        pieces.append(piece)
        if sum(map(len, pieces)) >= MAX_READ:
            break
    return "".join(pieces)
