"""From a counterexample to the chapter that shows it: chapter 1 for keys in the plane, chapter 3 for noisy lengths.

Where no chapter can show one, the reason is told instead.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import numpy as np

from regard.claims.syntax.grammar import parse_symbol
from regard.claims.syntax.typeset import as_latex
from regard.claims.verdict import Counterexample, Verdict, format_value
from regard.lab.url_state import Field, number, points, whole_number
from regard.lab.widgets.attention_plane import EXTENT, MAX_KEYS, SCALES
from regard.shapes import Float

NOISY_LENGTHS = {"noisy-keys": 0.0, "magnitude-noise": 0.5}
"""Settings of chapter 3, with the variance of the first key's length."""
CHAPTER_THREE = {"n": (3, 20), "scale": (0.3, 100.0)}
SMALL = 1e-3
"""Noise in every direction up to this variance is as good as the little that chapter 3 has."""


@dataclass(frozen=True)
class ChapterLink:
    """A link to a chapter that shows the numbers, with words for it; without an address, why there is none."""

    words: str
    address: str = ""


def chapter_links(verdict: Verdict) -> tuple[ChapterLink, ...]:
    """Where the counterexample of a verdict can be looked at; at least one answer if there is a counterexample."""
    example = verdict.counterexample
    if example is None:
        return ()
    found = [*_planes(example), *_noisy_lengths(verdict.setting, example)]
    links = tuple(pointer for pointer in found if pointer.address)
    return links or tuple(found[:1]) or (ChapterLink("No chapter shows this; here are its numbers."),)


def _planes(example: Counterexample) -> list[ChapterLink]:
    """Chapter 1, once for each head."""
    keys = example_keys(example)
    if keys is None:
        return []
    if keys.shape[1] > 2:
        return [
            ChapterLink(f"Its keys have {keys.shape[1]} coordinates and chapter 1 is a plane; here are its numbers.")
        ]
    if len(keys) > MAX_KEYS or float(np.abs(keys).max()) > EXTENT:
        return [ChapterLink(f"A key lies outside the square from {-EXTENT:g} to {EXTENT:g} of chapter 1.")]
    flat = np.zeros((len(keys), 2))
    flat[:, : keys.shape[1]] = keys
    heads = [name for name in ("q", "q_1", "q_2") if name in example.symbols]
    if not heads:
        return [_plane(example, flat, None, "Look at its keys in chapter 1")]
    return [
        _plane(example, flat, _row(example.symbols[name], keys.shape[1]), f"Open it in chapter 1{_which(name)}")
        for name in heads
    ]


def _which(name: str) -> str:
    return "" if name == "q" else f", head {name[-1]}"


def _plane(
    example: Counterexample, keys: Float[np.ndarray, "key 2"], query: Float[np.ndarray, " axis"] | None, words: str
) -> ChapterLink:
    values: dict[str, Any] = {"keys": keys.tolist(), "key": int(example.symbols.get("a", 1)) - 1}
    if query is not None:
        length = float(np.abs(query).max())
        scale = length if length > EXTENT else 1.0
        if scale > SCALES[1]:
            return ChapterLink(f"Its query is longer than chapter 1 can draw: {length:.3g}.")
        values |= {"query": [[*(query / scale).tolist(), *[0.0] * (2 - len(query))]], "scale": scale}
    fields = {
        "keys": points([[0.0, 0.0]], most=MAX_KEYS, extent=EXTENT),
        "query": points([[0.0, 0.0]], most=1, extent=EXTENT),
        "scale": number(3.0, *SCALES),
        "key": whole_number(0, 0, MAX_KEYS - 1),
    }
    return ChapterLink(words, _address("look-up", values, fields))


def example_keys(example: Counterexample) -> Float[np.ndarray, "key width"] | None:
    """The keys of a counterexample: as they are, or as noise moved them in the draw that it names."""
    n, d = example.sizes.get("n", 0), example.sizes.get("d", 0)
    symbols = example.symbols
    if "k" in symbols:
        return np.asarray(symbols["k"], dtype=float).reshape(n, d)
    if not {"mu", "xi", "alpha"} <= symbols.keys():
        return None
    mean, noise = (np.asarray(symbols[name], dtype=float).reshape(n, d) for name in ("mu", "xi"))
    keys = mean + math.sqrt(symbols["alpha"]) * noise
    if "g" in symbols:  # the length of key a varies, with variance ½
        a = int(symbols["a"]) - 1
        keys[a] += math.sqrt(0.5) * symbols["g"] * mean[a]
    return keys


def _noisy_lengths(setting: str, example: Counterexample) -> list[ChapterLink]:
    """Chapter 3, if the query is one of the two that it shows."""
    symbols = example.symbols
    if setting not in NOISY_LENGTHS or not {"mu", "q", "alpha", "a", "b"} <= symbols.keys():
        return []
    if float(symbols["alpha"]) > SMALL:
        return [
            ChapterLink(f"Its noise in every direction has variance {symbols['alpha']:g}; chapter 3 has very little.")
        ]
    n, d = example.sizes["n"], example.sizes["d"]
    logits = np.asarray(symbols["mu"], dtype=float).reshape(n, d) @ _row(symbols["q"], d)
    kind, scale = pull_or_push(logits, (int(symbols["a"]) - 1, int(symbols["b"]) - 1))
    low, high = CHAPTER_THREE["scale"]
    if kind is None or not low <= scale <= high:
        return [ChapterLink("Its query neither pulls nor pushes as those of chapter 3 do; here are its numbers.")]
    shown_keys = int(np.clip(n, *CHAPTER_THREE["n"]))
    words = f"Open its noise in chapter 3, where one head {kind}s"
    if shown_keys != n:
        words += f" (with {shown_keys} keys, the fewest there)"
    fields = {"scale": number(-1.0, low, high), "variance": number(-1.0, 0, 1), "n": whole_number(-1, 3, 20)}
    values = {"scale": scale, "variance": NOISY_LENGTHS[setting], "n": shown_keys}
    return [ChapterLink(words, _address("noisy-keys", values, fields))]


def pull_or_push(logits: Float[np.ndarray, " key"], wanted: tuple[int, int]) -> tuple[str | None, float]:
    """Whether mean logits are those of C(μ_a + μ_b) or of −C Σ others, and C.

    >>> pull_or_push(np.array([0.0, 5.0, 5.0]), (1, 2)), pull_or_push(np.array([0.0, 0.0, -2.0]), (0, 1))
    (('pull', 5.0), ('push', 2.0))
    """
    is_wanted = np.isin(np.arange(len(logits)), wanted)
    for kind, (alike, zero) in {"pull": (is_wanted, ~is_wanted), "push": (~is_wanted, is_wanted)}.items():
        if alike.any() and np.ptp(logits[alike]) < 1e-9 and np.abs(logits[zero]).max(initial=0) < 1e-9:
            scale = float(logits[alike][0]) * (1 if kind == "pull" else -1)
            if scale > 0:
                return kind, scale
    return None, 0.0


def _row(value: Any, width: int) -> Float[np.ndarray, " axis"]:
    return np.asarray(value, dtype=float).reshape(width)


def _address(slug: str, values: Mapping[str, Any], fields: Mapping[str, Field]) -> str:
    query = {name: fields[name].write(value) for name, value in values.items()}
    return f"/chapter/{slug}/?{urlencode(query, safe=',;')}"


def links_text(found: tuple[ChapterLink, ...]) -> str:
    """The links, or why there is none, in Markdown."""
    parts = [f"[{one.words}]({one.address})" if one.address else one.words for one in found]
    is_plane = any("look-up" in one.address for one in found)
    note = "\n\nChapter 1 counts keys from 0, and its values are colours." if is_plane else ""
    return " · ".join(parts) + note


def number_columns(example: Counterexample) -> dict[str, list[str]]:
    """The counterexample as two columns: what, and its value."""
    rows = {**example.sizes, **example.symbols, "left side": example.left, "right side": example.right}
    return {"what": list(rows), "value": [format_value(value) for value in rows.values()]}


def number_table(example: Counterexample) -> str:
    """The counterexample in Markdown, letters typeset: single numbers in a line, then a row for each array."""
    of = {**example.sizes, **example.symbols}
    single = [name for name, value in of.items() if np.ndim(value) == 0]
    line = ", ".join(f"${_letter(name)} = {format_value(of[name])}$" for name in single)
    rows = [f"| ${_letter(name)}$ | {format_value(value)} |" for name, value in of.items() if name not in single]
    sides = [f"| {side} side | {format_value(getattr(example, side))} |" for side in ("left", "right")]
    return "\n".join([f"At {line}:", "", "| | value |", "| --- | :--- |", *rows, *sides])


def _letter(name: str) -> str:
    return as_latex(parse_symbol(name))
