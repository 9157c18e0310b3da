"""What each stage of counting a long text takes, on text that `make_text.py` makes: the constants of `regard scale`.

python benchmarks/scale_speed.py [SIZE]         100MB unless told, of words, order 3
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from make_text import write_text
from timing import timed

from regard.models.background import digest
from regard.models.ngram.disk_counts import DiskCounts
from regard.models.ngram.sorted_runs import Packing, SortedRuns
from regard.text.corpora.reader import read_chunks
from regard.text.tokenise.layout import text_pieces
from regard.text.tokenise.tokenisers import fit_to_chunks
from regard.training.ngram_on_disk import PIECE_CHARACTERS, sort_piece

Row = tuple[str, str, str]
ORDER = 3


def measure(size: int = 100_000_000) -> Iterator[Row]:
    """What was measured, the figure, and the goal."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_text(folder / "text", size, n_words=200_000, seed=0)
        yield from measure_stages(folder / "text", folder, size / 1e9)


def measure_stages(text: Path, work: Path, gigabytes: float) -> Iterator[Row]:
    def per_gigabyte(what: str, seconds: float, goal: str = "–") -> Row:
        return f"{what}, words of generated text", f"{seconds / gigabytes:.0f} s CPU a gigabyte", goal

    (tokeniser, _), seconds = timed(lambda: fit_to_chunks(read_chunks(text), unit="word"))
    yield per_gigabyte("counting words for the vocabulary", seconds)
    settings, packing = json.dumps(tokeniser.settings()), Packing(len(tokeniser.vocabulary) + 1, ORDER)
    pieces = list(text_pieces(read_chunks(text), size=PIECE_CHARACTERS, at_line_ends=True))
    results, seconds = timed(lambda: [sort_piece(piece, "", settings, ORDER) for piece in pieces])
    yield per_gigabyte(f"tokens, and n-grams of order {ORDER} sorted: what workers do", seconds)
    n_bytes = sum(map(len, results))
    yield "what workers send back", f"{n_bytes / gigabytes / 1e9:.2f} bytes a byte of text", "–"
    runs = SortedRuns(work, packing)
    _, sorting = timed(lambda: [runs.add_rows(result[8:]) for result in results])
    n_positions = sum(int.from_bytes(result[:8], "little") for result in results)
    n_words = len(tokeniser.vocabulary)
    size = {"vocab_size": n_words, "start_id": n_words, "n_positions": n_positions}
    counts, building = timed(lambda: DiskCounts.build(runs.merged(), work, packing=packing, **size))
    yield per_gigabyte("runs merged, tables of all orders written", sorting + building)
    yield (
        f"different n-grams of orders 1 to {ORDER}",
        f"{counts.n_ngrams / 1e6:.1f} million in {gigabytes:g} GB",
        "–",
    )
    _, seconds = timed(lambda: counts.find_suffixes(continuations=True))
    yield per_gigabyte("suffixes and continuations looked up", seconds)
    _, seconds = timed(lambda: digest(read_chunks(text)))
    yield per_gigabyte("digest", seconds)


if __name__ == "__main__":
    given = sys.argv[1] if len(sys.argv) > 1 else "100MB"
    for row in measure(int(float(given[:-2]) * {"MB": 10**6, "GB": 10**9}[given[-2:]])):
        print(" | ".join(row), flush=True)
