"""A few comparisons with peers that need no data and no download: does any of them fall behind what was recorded?

    make bench-quick                         fails where a ratio is more than a quarter below the recorded one
    python benchmarks/quick.py --record      writes what is measured now to benchmarks/ratios.json

Ratios are recorded for each kind of processor, since peers and we gain from another one by different factors. On one
that is not recorded, the least of the recorded ratios is the measure.

A ratio is what the peer takes over what Regard takes, both in CPU time of one thread and called in turn, so that a busy
machine slows both; or, for quality, what the peer needs over what Regard needs in bits. More is better.
"""

from __future__ import annotations

import datetime
import itertools
import json
import platform
import statistics
import sys
import tempfile
import zlib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from run import processor
from timing import timed

RATIOS = Path(__file__).with_name("ratios.json")
ALLOWED = 0.75
"""Of the recorded ratio: machines differ, and a shared one from minute to minute."""


def main() -> None:
    found = {}
    for name, measure in COMPARISONS.items():
        found[name] = round(measure(), 3)
        print(f"{name}: {found[name]:g}", file=sys.stderr, flush=True)
    everywhere = json.loads(RATIOS.read_text(encoding="utf-8"))
    if "--record" in sys.argv[1:]:
        where = {"date": datetime.date.today().isoformat(), "python": platform.python_version()}
        everywhere[processor()] = {**where, "ratios": found}
        RATIOS.write_text(json.dumps(everywhere, indent=1) + "\n", encoding="utf-8")
        return
    sys.exit(report(found, recorded_ratios(everywhere, processor())))


def recorded_ratios(everywhere: dict[str, dict[str, Any]], processor: str) -> dict[str, float]:
    """The ratios of a processor; the least of any where this one was never measured."""
    if processor in everywhere:
        return dict(everywhere[processor]["ratios"])
    print(f"{processor} is not recorded: each ratio is held against the least of those that are", file=sys.stderr)
    found: dict[str, float] = {}
    for one in everywhere.values():
        for name, ratio in one["ratios"].items():
            found[name] = min(ratio, found.get(name, ratio))
    return found


def report(found: dict[str, float], recorded: dict[str, float]) -> int:
    """Print each ratio beside the recorded one; 1 where one has fallen by more than a quarter, or is not recorded."""
    fallen = [name for name, ratio in found.items() if ratio < ALLOWED * recorded.get(name, float("inf"))]
    for name, ratio in found.items():
        note = "  FALLEN by more than a quarter" if name in fallen else ""
        print(f"{name}: {ratio:g}, recorded {recorded.get(name, 'nowhere')}{note}")
    return int(bool(fallen))


def ratio_of(peer: Callable[[], object], ours: Callable[[], object], *, repeats: int = 9) -> float:
    """The median of what the peer took over what we took, called in turn; the first round warms up."""
    rounds = [(timed(peer)[1], timed(ours)[1]) for _ in range(repeats + 1)][1:]
    return statistics.median(theirs / own for theirs, own in rounds)


def attention() -> float:
    """`attend` and torch's own kernel: 8 heads × 64 queries × 8,192 keys."""
    import torch
    from torch.nn.functional import scaled_dot_product_attention

    from regard.arrays import attend

    torch.set_num_threads(1)
    generator = torch.Generator().manual_seed(0)
    q, k, v = (torch.randn((1, 8, n, 64), generator=generator) for n in (64, 8192, 8192))
    return ratio_of(lambda: scaled_dot_product_attention(q, k, v), lambda: attend(q, k, v, scale=1 / 8), repeats=21)


def exact_law() -> float:
    """The law of a noisy head's output, and 10,000 draws, which give two digits of it."""
    from regard.noise import GaussianKeys, isotropic, output_law

    rng, n = np.random.default_rng(0), 100
    means, values, query = rng.standard_normal((n, 16)), np.eye(n), 2 * np.ones((1, 16))

    def draw() -> np.ndarray:
        keys = means + 0.3 * rng.standard_normal((10_000, n, 16))
        scores = np.exp(keys @ query[0])
        return (scores / scores.sum(axis=1, keepdims=True)).mean(axis=0)

    return ratio_of(draw, lambda: output_law(GaussianKeys(means, isotropic(0.09)), values, query).mean, repeats=5)


def words() -> float:
    """Words to ids: a dictionary look-up for each, and the tokeniser."""
    from regard.text.tokenise.words import WordTokeniser

    text = generated_text()
    tokeniser = WordTokeniser.fit(text)
    ids = {word: i for i, word in enumerate(tokeniser.vocabulary)}
    look_up = ids.get
    return ratio_of(
        lambda: [look_up(word, 0) for line in text.splitlines() for word in line.split()],
        lambda: tokeniser.encode(text).ids,
    )


def ngrams() -> float:
    """Counts of all n-grams up to 3 of words: Python's Counter, and the tables."""
    from regard.models.ngram.counts import NgramCounts

    ids = word_ids()
    symbols, size = ids.tolist(), int(ids.max()) + 1

    def count() -> list[Counter[tuple[int, ...]]]:
        return [Counter(zip(*(symbols[j:] for j in range(n)), strict=False)) for n in (1, 2, 3)]

    return ratio_of(count, lambda: NgramCounts.count(ids, vocab_size=size, order=3), repeats=3)


def on_disk() -> float:
    """The counting model of words: in memory, and sorted on the disk."""
    from regard.models.ngram.model import NgramConfig, fit_ngram
    from regard.training.ngram_on_disk import train_on_disk

    text, config = generated_text(), NgramConfig(unit="word", order=3, method="kneser-ney")

    def sort() -> None:
        with tempfile.TemporaryDirectory() as folder:
            train_on_disk(lambda: iter([text]), config, Path(folder))

    return ratio_of(lambda: fit_ngram(text, config), sort, repeats=3)


def cooccurrences() -> float:
    """Which words stand near each other: a loop over pairs, and sparse counts."""
    from regard.text.cooccurrence import count_cooccurrences

    ids = word_ids()[:20_000]
    symbols, size = ids.tolist(), int(ids.max()) + 1

    def count() -> Counter[tuple[int, int]]:
        pairs: Counter[tuple[int, int]] = Counter()
        for distance in range(1, 11):
            for pair in zip(symbols, itertools.islice(symbols, distance, None), strict=False):
                pairs[pair] += 1
        return pairs

    return ratio_of(count, lambda: count_cooccurrences([ids], n_words=size), repeats=5)


def bits() -> float:
    """Bits a character of the end of Python's manual, after its beginning: zlib, and the counting model."""
    from regard.models.ngram.model import NgramConfig, fit_ngram
    from regard.text.corpora.corpus import find_corpus

    text = find_corpus("python-manual").text
    train, measured = text[:400_000], text[400_000:430_000]
    window = train.encode()[-32_768:]  # all that zlib can look back to
    packer = zlib.compressobj(9, zdict=window)
    packed = len(packer.compress(measured.encode()) + packer.flush())
    own = -fit_ngram(train, NgramConfig(order=6)).score(measured).log_probs_nats.sum() / np.log(2)
    return 8 * packed / float(own)


def generated_text() -> str:
    from make_text import write_text

    with tempfile.TemporaryDirectory() as folder:
        write_text(Path(folder) / "text", 3_000_000, n_words=5_000, seed=0)
        return (Path(folder) / "text").read_text()


def word_ids() -> np.ndarray:
    from regard.text.tokenise.words import WordTokeniser

    text = generated_text()
    return WordTokeniser.fit(text).encode(text).ids


COMPARISONS = {
    "attention, torch's kernel over ours": attention,
    "law of an output, 10,000 draws over exact": exact_law,
    "words to ids, dictionary over tokeniser": words,
    "n-grams up to 3, Counter over tables": ngrams,
    "counting model, in memory over on the disk": on_disk,
    "co-occurrences, loop over sparse counts": cooccurrences,
    "bits of a manual's end, zlib over order 6": bits,
}
"""What is compared, by the names in ratios.json."""


if __name__ == "__main__":
    main()
