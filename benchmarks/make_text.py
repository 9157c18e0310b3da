"""Write a text of any size: words by Zipf's law, each drawn after the last one, in sentences and paragraphs.

    python benchmarks/make_text.py --size 10GB --out big.txt [--words 200000] [--seed 0]

A word is letters drawn from the pairs that English prefers; word k has a share of 1/(k + 2.7). Every other word comes
from a list of 50 that belong to the word before it, so that some pairs and triples are frequent, as in a language, and
the number of different n-grams grows ever more slowly. The same seed gives the same bytes, whatever the size before.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

BATCH_WORDS = 1 << 20
FAVOURITES = 50
UNITS = {"KB": 10**3, "MB": 10**6, "GB": 10**9}
VOWELS, CONSONANTS = "eaoiu", "tnshrdlcmwfgypbvk"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--size", default="100MB")
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--words", type=int, default=200_000)
    options.add_argument("--seed", type=int, default=0)
    given = options.parse_args()
    size = int(float(given.size[:-2]) * UNITS[given.size[-2:]])
    write_text(given.out, size, n_words=given.words, seed=given.seed)


def write_text(path: Path, size: int, *, n_words: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    words = make_words(rng, n_words)
    lengths = np.array([len(word) for word in words])
    starts = np.cumsum(lengths) - lengths
    letters = np.frombuffer("".join(words).encode("ascii"), np.uint8)
    favourites = draw_words(rng.random((n_words, FAVOURITES)), n_words).astype(np.int32)
    written = 0
    with path.open("wb") as file:
        for batch in range(1 << 40):
            block = make_batch(np.random.default_rng([seed, batch]), favourites, starts, lengths, letters)
            file.write(block[: size - written])
            written += len(block)
            if written >= size:
                break
    print(f"{path}: {path.stat().st_size:,} bytes", file=sys.stderr)


def make_words(rng: np.random.Generator, n_words: int) -> list[str]:
    """Different words, short ones first."""
    found: dict[str, None] = {}
    shares = [1 / np.arange(1, len(letters) + 1) ** 0.7 for letters in (CONSONANTS, VOWELS)]
    edges = [np.cumsum(share / share.sum()) for share in shares]
    while len(found) < n_words:
        n_syllables = 1 + min(4, len(found) // 400) if len(found) < 2000 else 2 + int(rng.integers(3))
        places = [np.searchsorted(edge, rng.random(n_syllables)) for edge in edges]
        word = "".join(CONSONANTS[a] + VOWELS[b] for a, b in zip(*places, strict=True))
        found.setdefault(word + ("" if rng.random() < 0.5 else CONSONANTS[int(rng.integers(8))]))
    return list(found)


def draw_words(uniform: np.ndarray, n_words: int) -> np.ndarray:
    """Words whose shares fall as 1/(k + 2.7), from numbers between 0 and 1: the integral of the shares, inverted."""
    return (2.7 * ((n_words + 2.7) / 2.7) ** uniform - 2.7).astype(np.int64)


def make_batch(
    rng: np.random.Generator,
    favourites: np.ndarray,
    starts: np.ndarray,
    lengths: np.ndarray,
    letters: np.ndarray,
) -> bytes:
    """Some megabytes: pairs of a word and one of its favourites, a full stop and a new line after some."""
    first = draw_words(rng.random(BATCH_WORDS // 2), len(lengths))
    place = (FAVOURITES * rng.random(len(first)) ** 3).astype(np.int64)
    ids = np.stack([first, favourites[first, place]], axis=1).ravel()
    is_last = rng.random(len(ids)) < 1 / 14
    sizes = lengths[ids] + 1 + is_last  # a word, a full stop at the end of a sentence, a space or a line break
    ends = np.cumsum(sizes)
    text = np.full(int(ends[-1]), ord(" "), np.uint8)
    places = np.arange(int(lengths[ids].sum())) + np.repeat(np.cumsum(1 + is_last) - (1 + is_last), lengths[ids])
    sources = np.arange(len(places)) + np.repeat(starts[ids] - (np.cumsum(lengths[ids]) - lengths[ids]), lengths[ids])
    text[places] = letters[sources]
    text[ends[is_last] - 2], text[ends[is_last] - 1] = ord("."), ord("\n")
    return text.tobytes()


if __name__ == "__main__":
    main()
