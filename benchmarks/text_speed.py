"""Text to ids to counts: characters and words a second, on one core.

    python benchmarks/text_speed.py

CPU time of one process on one thread, the median of several runs. The Penn Treebank is looked for in REGARD_DATA or
beside the project; without it, text of made-up words with the same lengths and frequencies stands in.
"""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import numpy as np
from timing import cpu_seconds

from regard.text.bigram_counts import count_bigrams, count_text
from regard.text.normalise.prepare import STEPS, prepare
from regard.text.tokenise.tokenisers import UNITS, AnyTokeniser, fit_tokeniser
from regard.text.tokenise.tokens import count_words

Row = tuple[str, str, str]
DATA = Path(os.environ.get("REGARD_DATA", Path(__file__).parents[2] / "shared" / "data"))
GREEK = str.maketrans("abdegiklmnoprstu", "αβδεγικλμνοπρστυ")


def measure() -> list[Row]:
    """What was measured, the figure, and the goal."""
    name, text = english()
    return [*encoding(name, text), *counting(name, text), *preparing(name, text)]


def english() -> tuple[str, str]:
    path = DATA / "ptb" / "ptb.train.txt.gz"
    if path.is_file():
        return "Penn Treebank, training part", gzip.decompress(path.read_bytes()).decode()
    rng = np.random.default_rng(0)
    words = np.array(["".join(rng.choice(list("etaoinshrdlu"), 1 + i.bit_length() // 2)) for i in range(10_000)])
    places = np.minimum(rng.zipf(1.2, 900_000), 10_000) - 1
    lines = np.split(words[places], range(21, 900_000, 21))
    return "made-up words", "\n".join(" ".join(line) for line in lines)


def encoding(name: str, text: str) -> list[Row]:
    texts = {
        name: text,
        "the same with typographic quotes and accents": text.replace("'", "’").replace("co", "cô"),
        "the same in Greek letters": text.translate(GREEK),
    }
    return [
        row
        for what, content in texts.items()
        for unit in UNITS
        for row in encoding_of(what, content, fit_tokeniser(content, unit=unit))
    ]


def encoding_of(what: str, text: str, tokeniser: AnyTokeniser) -> list[Row]:
    n_tokens, megabytes = len(tokeniser.encode(text)), len(text.encode()) / 1e6
    used = cpu_seconds(lambda: tokeniser.encode(text))
    shown = f"{megabytes / used:.0f} MB/s, {n_tokens / used / 1e6:.1f} M tokens/s"
    return [(f"{tokeniser.kind} with the characters they cover, {what} ({megabytes:.1f} MB)", shown, "≥ 20 MB/s")]


def counting(name: str, text: str) -> list[Row]:
    tokeniser = fit_tokeniser(text, unit="word", vocabulary=2000)
    ids = tokeniser.encode(text).ids
    rows = []
    for times in (1, 10, 100):
        part = min(times, 10)  # a longer text is read in turns, so that memory does not grow with it
        chunks = [text[i : i + 1_000_000] for i in range(0, len(text), 1_000_000)] * part

        def from_text(chunks: list[str] = chunks, turns: int = times // part) -> None:
            count_text((chunk for _ in range(turns) for chunk in chunks), tokeniser)

        used = cpu_seconds(from_text, repeats=5 if times == 1 else 1)
        speed = f"{times * len(ids) / used / 1e6:.1f} M words/s, {used:.2f} s"
        rows.append((f"text in chunks to bigram counts, 2,000 words, {times} × {name}", speed, "≥ 5 M words/s"))
    many = np.tile(ids, 10)
    used = cpu_seconds(lambda: count_bigrams(many, vocab_size=2000, line_end=tokeniser.line_end), repeats=3)
    rows.append((f"ids to bigram counts, 10 × {name}", f"{len(many) / used / 1e6:.0f} M words/s", "–"))
    used = cpu_seconds(lambda: count_words([text]), repeats=3)
    rows.append((f"text to word counts, {name}", f"{len(text.split()) / used / 1e6:.1f} M words/s", "–"))
    return rows


def preparing(name: str, text: str) -> list[Row]:
    some = text[:1_000_000]
    used = {step: cpu_seconds(lambda step=step: prepare(some, [step]), repeats=1) for step in STEPS}
    shown = ", ".join(f"{step} {len(some) / seconds / 1e6:.1f}" for step, seconds in used.items())
    return [(f"preparation step by step with alignment, M characters/s, first million of {name}", shown, "–")]


if __name__ == "__main__":
    for row in measure():
        print(" | ".join(row))
