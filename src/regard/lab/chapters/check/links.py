"""From a counterexample to a picture, and to the chapter that shows it: 1 for keys in the plane, 3 for noisy ones.

Where no chapter can show one, the reason is given instead.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import numpy as np

from regard.arrays import attention_weights
from regard.claims.verdict.records import Counterexample, Verdict
from regard.lab.widgets.attention_plane import EXTENT, MAX_KEYS, SCALES
from regard.shapes import Float

NOISY_LENGTHS = {"noisy-keys": 0.0, "magnitude-noise": 0.5}
"""Settings of chapter 3, with the variance of the first key's length."""
CHAPTER_THREE = {"n": (3, 20), "scale": (0.3, 100.0)}
SMALL = 1e-3
"""Noise in every direction up to this variance is as good as the little that chapter 3 has."""
NOISY_PLANE = {**NOISY_LENGTHS, "two-heads": 0.0, "two-heads-magnitude": 0.5}
"""Settings whose noise the plane of chapter 3 shows, with the variance of the length of key a."""
THIRD_KEY = (-1.5, -1.5)
"""That plane has three keys: one that no query reads is put beside two."""
MAX_STRENGTH, MIN_STRENGTH, MAX_SPREAD = 100.0, 0.3, 0.6
UNREAD = 1e-4
HEADS = ("q", "q_1", "q_2")


@dataclass(frozen=True)
class ChapterLink:
    """A link to a chapter that shows the numbers, with words for it; without an address, why there is none."""

    words: str
    address: str = ""


def chapter_links(verdict: Verdict) -> tuple[ChapterLink, ...]:
    """Where the counterexample of a verdict can be looked at, or why no chapter shows its keys; none without keys."""
    example = verdict.counterexample
    if example is None:
        return ()
    found = [*_planes(example), *_noisy_plane(verdict.setting, example), *_noisy_lengths(verdict.setting, example)]
    links = tuple(pointer for pointer in found if pointer.address)
    return links or tuple(found[:1])


def plane_pictures(example: Counterexample) -> list[dict[str, Any]]:
    """Keys on a line or in the plane, a query where there is one, and the weights that it gives; a picture a head."""
    keys = example_keys(example)
    if keys is None or keys.shape[1] > 2:
        return []
    width = keys.shape[1]
    marked = {name: int(example.symbols[name]) - 1 for name in ("a", "b") if name in example.symbols}
    pictures: list[dict[str, Any]] = []
    heads = [name for name in HEADS if name in example.symbols]
    for name in heads or [""]:
        query = _row(example.symbols[name], width) if name else None
        pictures.append(
            {
                "head": _name_head(name).removeprefix(", ") if name else "",
                "keys": _to_plane(keys).tolist(),
                "query": None if query is None else _to_plane(query[None])[0].tolist(),
                "weights": None if query is None else attention_weights(query[None], keys, scale=1.0)[0].tolist(),
                "marked": marked,
            }
        )
    return pictures


def _planes(example: Counterexample) -> list[ChapterLink]:
    """Chapter 1, once for each head."""
    keys = example_keys(example)
    if keys is None:
        return []
    if keys.shape[1] > 2:
        return [ChapterLink(f"Its keys have {keys.shape[1]} coordinates, and the plane of chapter 1 has two.")]
    if len(keys) > MAX_KEYS or float(np.abs(keys).max()) > EXTENT:
        return [ChapterLink(f"A key lies outside the square from {-EXTENT:g} to {EXTENT:g} of chapter 1.")]
    flat = _to_plane(keys)
    heads = [name for name in HEADS if name in example.symbols]
    if not heads:
        return [_plane(example, flat, None, "Look at its keys in chapter 1")]
    return [
        _plane(example, flat, _row(example.symbols[name], keys.shape[1]), f"Open it in chapter 1{_name_head(name)}")
        for name in heads
    ]


def _to_plane(points_: Float[np.ndarray, "key width"]) -> Float[np.ndarray, "key 2"]:
    """Points of a line or of the plane as points of the plane."""
    flat = np.zeros((len(points_), 2))
    flat[:, : points_.shape[1]] = points_
    return flat


def _name_head(name: str) -> str:
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
    if setting not in NOISY_LENGTHS or not {"mu", "q", "alpha", "a"} <= symbols.keys():
        return []
    if float(symbols["alpha"]) > SMALL:
        return [
            ChapterLink(f"Its noise in every direction has variance {symbols['alpha']:g}; chapter 3 has very little.")
        ]
    n, d = example.sizes["n"], example.sizes["d"]
    logits = np.asarray(symbols["mu"], dtype=float).reshape(n, d) @ _row(symbols["q"], d)
    a = int(symbols["a"]) - 1
    b = int(symbols["b"]) - 1 if "b" in symbols else int(a == 0)  # any other key is b
    kind, scale = pull_or_push(logits, (a, b))
    low, high = CHAPTER_THREE["scale"]
    if kind is None or not low <= scale <= high:
        return [ChapterLink("Its query neither pulls nor pushes as those of chapter 3 do.")]
    shown_keys = int(np.clip(n, *CHAPTER_THREE["n"]))
    words = f"Open chapter 3 with this noise, where one head {kind}s"
    if shown_keys != n:
        words += f" (with {shown_keys} keys, the fewest there)"
    fields = {"scale": number(-1.0, low, high), "variance": number(-1.0, 0, 1), "n": whole_number(-1, 3, 20)}
    values = {"scale": scale, "variance": NOISY_LENGTHS[setting], "n": shown_keys}
    return [ChapterLink(words, _address("noisy-keys", values, fields))]


def _noisy_plane(setting: str, example: Counterexample) -> list[ChapterLink]:
    """The plane of chapter 3, where keys have clouds and outputs rain: for two or three keys of two coordinates."""
    symbols, n = example.symbols, example.sizes.get("n", 0)
    heads = [name for name in HEADS if name in symbols]
    if setting not in NOISY_PLANE or not {"mu", "alpha", "a"} <= symbols.keys() or not heads:
        return []
    if example.sizes["d"] != 2 or n not in (2, 3):
        return []
    keys = np.asarray(symbols["mu"], dtype=float).reshape(n, 2)
    queries = np.array([_row(symbols[name], 2) for name in heads])
    strength = float(np.abs(queries).max())
    spread = math.sqrt(max(0.0, float(symbols["alpha"])))
    if not MIN_STRENGTH <= strength <= MAX_STRENGTH or spread > MAX_SPREAD or float(np.abs(keys).max()) > EXTENT:
        return []
    if n == 2:
        keys = np.vstack([keys, THIRD_KEY])
        if float(attention_weights(queries, keys, scale=1.0)[:, 2].max()) > UNREAD:
            return []
    lengths = [0.0, 0.0, 0.0]
    lengths[int(symbols["a"]) - 1] = math.sqrt(NOISY_PLANE[setting])
    fields = {
        "view": Field("", str, str, ""),
        "keys": points([[0.0, 0.0]], most=3, extent=EXTENT),
        "lengths": points([[0.0, 0.0, 0.0]], most=1, extent=1),
        "spread": number(-1.0, 0, MAX_SPREAD),
        "queries": points([[0.0, 0.0]], most=3, extent=EXTENT),
        "strength": number(-1.0, MIN_STRENGTH, MAX_STRENGTH),
    }
    values = {
        "view": "plane",
        "keys": keys.tolist(),
        "lengths": [lengths],
        "spread": spread,
        "queries": (queries / strength).tolist(),
        "strength": strength,
    }
    beside = ", beside a third key that nobody reads" if n == 2 else ""
    return [ChapterLink(f"See its noise in the plane of chapter 3{beside}", _address("noisy-keys", values, fields))]


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
    """The address of another chapter, from this one."""
    query = {name: fields[name].write(value) for name, value in values.items()}
    return f"../{slug}/?{urlencode(query, safe=',;')}"


@dataclass(frozen=True)
class Field:
    """One value that a link may give: its default, how it is read and written, and what is expected of it."""

    default: Any
    read: Callable[[str], Any]
    write: Callable[[Any], str]
    expected: str


def number(default: float, low: int | float, high: int | float) -> Field:
    """A number within bounds."""
    return Field(
        default, lambda text: _require_range(float(text), low, high), _short, f"a number from {low:g} to {high:g}"
    )


def whole_number(default: int, low: int, high: int) -> Field:
    """A whole number within bounds."""
    return Field(
        default, lambda text: _require_range(int(text), low, high), str, f"a whole number from {low} to {high}"
    )


def points(default: list[list[float]], *, most: int, extent: int | float) -> Field:
    """Points, written as 1,0.6;-0.4,1.2.

    >>> field = points([[0.0, 0.0]], most=3, extent=2)
    >>> field.read("1,0.6;-0.4,1.2"), field.write([[1.0, 0.6]])
    ([[1.0, 0.6], [-0.4, 1.2]], '1,0.6')
    """
    width = len(default[0])

    def read(text: str) -> list[list[float]]:
        rows = [[_require_range(float(part), -extent, extent) for part in row.split(",")] for row in text.split(";")]
        if len(rows) > most or any(len(row) != width for row in rows):
            raise ValueError(text)
        return rows

    def write(rows: list[list[float]]) -> str:
        return ";".join(",".join(map(_short, row)) for row in rows)

    some = "one point" if most == 1 else f"1 to {most} points"
    return Field(default, read, write, f"{some} as x,y with numbers from {-extent:g} to {extent:g}, ; between points")


def _require_range(value: Any, low: int | float, high: int | float) -> Any:
    if not (math.isfinite(value) and low <= value <= high):
        raise ValueError(value)
    return value


def _short(value: int | float) -> str:
    """The number in four digits after the point at most.

    >>> _short(0.1), _short(3.0), _short(-0.00001)
    ('0.1', '3', '0')
    """
    return f"{round(value, 4) + 0.0:.10g}"
