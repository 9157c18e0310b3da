"""Word vectors: reading GloVe text, the cache, and GloVe trained on the Penn Treebank.

    python benchmarks/vectors_speed.py

The large file is made here: 400,000 words with 100 numbers of six digits each, as GloVe prints them. Each reading is a
process of its own, whose peak memory counts everything, Python and NumPy included.
"""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import numpy as np

from regard.text.cooccurrence import count_cooccurrences
from regard.text.vectors.glove_text import fastest_gzip
from regard.text.vectors.word_vectors import WordVectors
from regard.training.glove import GloveConfig, train_glove

Row = tuple[str, str, str]
DATA = Path(os.environ.get("REGARD_DATA", Path(__file__).parents[2] / "shared" / "data"))
N_WORDS, WIDTH = 400_000, 100
DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday")


def measure() -> list[Row]:
    """What was measured, the figure, and the goal."""
    with tempfile.TemporaryDirectory() as folder:
        return [*reading(Path(folder)), *training()]


READ = """
import sys, time
from pathlib import Path
from regard.text.vectors.cache import open_vectors
path, cache, wanted = sys.argv[1:]
words = open(wanted, encoding="utf-8").read().split() if wanted else None
start = time.process_time()
vectors = open_vectors(path, cache=Path(cache) if cache else None, wanted=words)
used = time.process_time() - start
# VmHWM begins anew with each program, ru_maxrss does not
peak = next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(used, peak * 1024 / 1e6, len(vectors))
"""


def read(path: Path, *, cache: Path | str = "", wanted: Path | str = "", repeats: int = 3) -> str:
    """CPU time (the median) and peak memory (the largest) of opening vectors in a fresh process."""
    command = [sys.executable, "-c", READ, str(path), str(cache), str(wanted)]
    runs = [subprocess.run(command, capture_output=True, text=True, check=True).stdout.split() for _ in range(repeats)]
    seconds, megabytes, words = np.array(runs, float).T
    return f"{np.median(seconds):.3f} s CPU, {megabytes.max():.0f} MB peak ({words[0]:,.0f} words)"


def reading(folder: Path) -> list[Row]:
    path, wanted = folder / "vectors.txt", folder / "wanted.txt"
    write_large_file(path)
    packed = path.with_suffix(".txt.gz")
    with path.open("rb") as source, gzip.open(packed, "wb", compresslevel=6) as target:
        while block := source.read(1 << 20):
            target.write(block)
    words = [f"w{k}" for k in range(0, N_WORDS, N_WORDS // 10_000)]
    wanted.write_text("\n".join(words), encoding="utf-8")
    unpacker = fastest_gzip()[0].__module__
    size = f"400,000 × 100 numbers, {path.stat().st_size / 1e6:.0f} MB of text"
    rows = [
        (f"{size}: read all", read(path), "< 3 s, ≤ 500 MB"),
        (f"the same as .gz, unpacked by {unpacker}", read(packed), "< 3 s, ≤ 500 MB"),
        ("10,000 wanted words out of it", read(path, wanted=wanted), "less than all"),
        ("the same out of the .gz", read(packed, wanted=wanted), "less than all"),
        ("converted to the cache, and mapped", read(path, cache=folder / "cache", repeats=1), "once"),
        ("opened from the cache", read(path, cache=folder / "cache"), "milliseconds"),
    ]
    real = DATA / "glove.6B.100d.subset.txt.gz"
    return [*rows, ("glove.6B.100d.subset.txt.gz", read(real), "–")] if real.exists() else rows


def write_large_file(path: Path) -> None:
    rng = np.random.default_rng(0)
    line = " ".join(["%.5g"] * WIDTH)
    with path.open("w", encoding="utf-8") as file:
        for start in range(0, N_WORDS, 1000):
            rows = rng.normal(0, 0.4, (1000, WIDTH)).tolist()
            file.writelines(f"w{start + k} {line % tuple(row)}\n" for k, row in enumerate(rows))


def training() -> list[Row]:
    text = DATA / "ptb" / "ptb.train.txt.gz"
    if not text.exists():
        return [("GloVe on the Penn Treebank", f"not run: {text} is absent", "–")]
    lines = [line.split() for line in gzip.decompress(text.read_bytes()).decode("utf-8").splitlines()]
    words = [word for word, _ in Counter(word for line in lines for word in line).most_common()]
    row_of = {word: row for row, word in enumerate(words)}
    ids = [np.array([row_of[word] for word in line], np.int64) for line in lines]
    start = time.process_time()
    counts = count_cooccurrences(ids, n_words=len(words))
    counted = time.process_time()
    vectors, history = train_glove(counts, words, GloveConfig(), np.random.default_rng(0))
    trained = time.process_time()
    what = f"Penn Treebank, {counts.n_tokens:,} words, vocabulary {len(words):,}"
    losses = ", ".join(f"{sweep.loss:,.0f}" for sweep in history)
    return [
        (f"{what}: {counts.counts.nnz:,} co-occurrence counts, window 10", f"{counted - start:.2f} s CPU", "–"),
        ("GloVe on these counts, width 50, eight sweeps", f"{trained - counted:.1f} s CPU; J {losses}", "≤ 60 s"),
        ("the other working days among the four words nearest to each", f"{days_found(vectors):.0%}", "sense"),
        ("nearest to january, three, profit", "; ".join(map(neighbours(vectors), ("january", "three", "profit"))), "–"),
    ]


def days_found(vectors: WordVectors) -> float:
    found = [word in DAYS for day in DAYS for word, _ in vectors.nearest(day, 4)]
    return float(np.mean(found))


def neighbours(vectors: WordVectors):  # noqa: ANN201
    return lambda word: ", ".join(other for other, _ in vectors.nearest(word, 5))


if __name__ == "__main__":
    for row in measure():
        print(" | ".join(row))
