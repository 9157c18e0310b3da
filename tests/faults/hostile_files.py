"""Hostile files of every kind that Regard reads and people write: each is refused in one line, or read.

    python -m tests.faults.hostile_files --cases 20000 --seed 0

A case takes a file that is right and replaces a value in it, repeats or removes a part of its text, or flips bytes.
"""

from __future__ import annotations

import copy
import json
import math
import tempfile
import tomllib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from regard.claims.check import check
from regard.claims.meaning.setting import read_setting
from regard.claims.sheets.documents import read_claims
from regard.claims.sheets.rubric import read_rubric
from regard.noise import output_law
from regard.studies.attention.array_files import read_rows
from regard.studies.attention.key_files import read_keys
from regard.text.labelled.source import read_labelled
from regard.text.vectors.glove_text import read_vectors
from tests.faults.damaged_folders import NUMBERS, OTHERS, places_in
from tests.faults.harness import Outcome, search, try_use

SECONDS = 20.0

SETTING = """\
name = "least-squares"
summary = "X w = y"
sizes = [{ n = 3, d = 1 }, { n = 4, d = 2 }]
counts = "n"
width = "d"
symbols = [
    { name = "X", shape = ["n", "d"], law = "normal", meaning = "rows" },
    { name = "y", shape = ["n", 1], law = "normal", meaning = "aims" },
    { name = "w", shape = ["d", 1], definition = '(X^T X)^{-1} X^T y', meaning = "found" },
]
"""
KEYS = """\
[keys]
mean = [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]

[noise]
isotropic = 0.01
radial = { variance = 0.5, key = 0 }

[values]
rows = [[1.0], [0.0], [2.0]]
"""
RUBRIC = """\
[[question]]
name = "1a"
setting = "orthonormal-keys"
goal = "c = v_a"
points = 2
accepted = ["q = C k_a", "q = 50 k_a"]
"""
SHEET = "# Question 1\n\nLet $q = C k_a$ with $C \\gg 0$. Then\n\n$$\\alpha_a = 1$$\n\n- $\\sum_i \\alpha_i = 1$\n"
NOTEBOOK = json.dumps({"cells": [{"cell_type": "markdown", "source": ["$c = v_a$\n", "$1 = 2$"]}], "nbformat": 4})
ROWS = '{"text": "a good film", "label": "good"}\n{"text": "a bad film", "label": "bad"}\n' * 3
TABLE = "text,label\n" + '"a good film, all in all",good\na bad one,bad\n' * 3
VECTORS = "".join(f"{word} 0.5 -1.25 3e-2\n" for word in ("the", "a", "film", "good", "bad"))
ARRAY = json.dumps({"keys": [[1.0, 0.0], [0.0, 1.0]]})


class Kind(NamedTuple):
    """A kind of file: its name, a right one, and what is done with it."""

    name: str
    content: str
    use: Callable[[Path], Any]


def _ask_keys(path: Path) -> Any:
    found = read_keys(str(path))
    values = np.eye(found.keys.n_keys) if found.values is None else found.values
    return output_law(found.keys, values, found.keys.mean[:1])


KINDS = (
    Kind("setting.toml", SETTING, lambda path: check("X^T y = X^T X w", setting=read_setting(path))),
    Kind("keys.toml", KEYS, _ask_keys),
    Kind("rubric.toml", RUBRIC, read_rubric),
    Kind("sheet.md", SHEET, read_claims),
    Kind("sheet.tex", SHEET, read_claims),
    Kind("sheet.html", f"<h1>Q1</h1><p>{SHEET}</p><math>x</math>", read_claims),
    Kind("sheet.ipynb", NOTEBOOK, read_claims),
    Kind("answers.csv", "student,question,claim\nAda,1,c = v_a\nEmmy,2,1 = 2\n", read_claims),
    Kind("reviews.jsonl", ROWS, lambda path: read_labelled(str(path))),
    Kind("reviews.csv", TABLE, lambda path: read_labelled(str(path))),
    Kind("vectors.txt", VECTORS, read_vectors),
    Kind("rows.json", ARRAY, lambda path: read_rows(str(path))),
)


def spoil(kind: Kind, rng: np.random.Generator) -> tuple[str, bytes]:
    """A hostile file of this kind, and what was done to it."""
    if kind.name.endswith(("toml", "ipynb", "json")) and rng.random() < 0.6:
        return _spoil_value(kind, rng)
    text = kind.content.encode()
    start = int(rng.integers(len(text)))
    end = int(rng.integers(start, len(text)) + 1)
    ways = {
        "removed": lambda: text[:start] + text[end:],
        "repeated": lambda: text[:end] + text[start:end] * int(rng.integers(1, 200)) + text[end:],
        "flipped": lambda: text[:start] + bytes([text[start] ^ (1 << int(rng.integers(8)))]) + text[start + 1 :],
        "random": lambda: text[:start] + rng.bytes(int(rng.integers(1, 9))) + text[start:],
        "nested": lambda: text[:start] + b"[{(<$"[: int(rng.integers(1, 6))] * 5000 + text[start:],
        "a word": lambda: text[:start] + _WORDS[rng.integers(len(_WORDS))] + text[start:],
    }
    way = list(ways)[rng.integers(len(ways))]
    return f"bytes {start} to {end} {way}", ways[way]()


_WORDS = (
    b"\\frac{", b"\\begin{cases}", b"^^", b"_{", b"\x00", b"\xff", b"\xed\xa0\x80", "𝛼".encode(), b'"', b"'''",
    b"&lt;script&gt;", b"9" * 400, b"1e999", b"nan", b"inf", b"-", b"=", b"\\left(", b"\r", b",,,,", b"\t",
)  # fmt: skip


def _spoil_value(kind: Kind, rng: np.random.Generator) -> tuple[str, bytes]:
    is_toml = kind.name.endswith("toml")
    tree = tomllib.loads(kind.content) if is_toml else json.loads(kind.content)
    every = list(places_in(tree))
    place = every[rng.integers(len(every))]
    *way, last = place
    holder = tree
    for step in way:
        holder = holder[step]
    choices = (*NUMBERS, *OTHERS, tree, "w", "X", "n", "w^{-1} w w", "\\sum_i X_i")
    if rng.random() < 0.1:
        del holder[last]
    else:
        holder[last] = copy.deepcopy(choices[rng.integers(len(choices))])
    shown = repr(holder)[:60]
    return f"{'.'.join(map(str, place))} in {shown}", (_toml(tree) if is_toml else json.dumps(tree)).encode()


def _toml(table: dict[str, Any]) -> str:
    return "".join(f"{json.dumps(name)} = {_toml_value(value)}\n" for name, value in table.items())


def _toml_value(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(str(name))} = {_toml_value(each)}" for name, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml_value, value)) + "]"
    if isinstance(value, float) and not math.isfinite(value):
        return "nan" if math.isnan(value) else "inf"
    return json.dumps("" if value is None else value)


def try_file(kind: Kind, path: Path) -> Outcome:
    """Read the file, and say what it came to."""
    return try_use(lambda: kind.use(path), seconds=SECONDS, judge=lambda _: Outcome("answered"))


def run(seeds: range) -> tuple[Counter[str], dict[tuple[str, str, str], list[str]]]:
    """How often each kind of outcome came, and for each fault what shows it."""
    kinds: Counter[str] = Counter()
    faults: dict[tuple[str, str, str], list[str]] = {}
    with tempfile.TemporaryDirectory() as place:
        for seed in seeds:
            rng = np.random.default_rng([seed, 13])
            kind = KINDS[rng.integers(len(KINDS))]
            path = Path(place, kind.name)
            what, content = spoil(kind, rng)
            path.write_bytes(content)
            outcome = try_file(kind, path)
            kinds[outcome.kind] += 1
            if outcome.is_fault:
                faults.setdefault((kind.name, outcome.kind, outcome.detail), []).append(f"{seed}: {what}")
    return kinds, faults


if __name__ == "__main__":
    search(__doc__ or "", 2000, run)
