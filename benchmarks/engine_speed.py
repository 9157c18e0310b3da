"""The mathematics in the lab's pages, timed in Chromium: what follows the hand, curves, and the Transformer.

    python benchmarks/engine_speed.py

Needs Chromium and `pip install 'regard[test]'`. Every time is the shortest of many calls: what else runs on the machine
can only add to it.
"""

from __future__ import annotations

import base64
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.support.engine import EnginePage
from tests.support.lab import chromium

from regard.lab.chapters.characters.page_model import shipped_bytes

Row = tuple[str, str, str]
HAND, CURVE = "≤ 4 ms", "≤ 10 ms"
GENERATE = """async ([base64, n]) => {
    const {readTransformer, generateText} = await import('/transformer.js');
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const began = performance.now();
    const model = readTransformer(bytes.buffer);
    const read = performance.now() - began;
    let best = 0;
    for (let round = 0; round < 5; round += 1) {
        const start = performance.now();
        let left = n;
        for (const _ of generateText(model, 'ROMEO:\\n', {seed: round})) if ((left -= 1) === 0) break;
        best = Math.max(best, n / ((performance.now() - start) / 1000));
    }
    return [read, best];
}"""


def measure() -> Iterator[Row]:
    """What was measured, the figure, and the goal."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        engine = EnginePage(browser.new_page())
        yield from following_the_hand(engine)
        yield from curves(engine)
        yield from writing(engine)
        browser.close()


def timed(engine: EnginePage, what: str, goal: str, module: str, function: str, *given: Any) -> Row:
    taken = engine.milliseconds(module, function, list(given), repeats=40)
    return what, f"{taken:.2f} ms", goal


def following_the_hand(engine: EnginePage) -> Iterator[Row]:
    rng = np.random.default_rng(0)
    plane = rng.uniform(-2, 2, size=(12, 2))
    yield timed(engine, "largest weights of 12 keys of the plane", HAND, "hull", "hullBounds", plane.tolist())
    square = np.eye(8).tolist()
    shares = [0.5, 0.25, 0.25, 0, 0, 0, 0, 0]
    yield timed(engine, "a query for a mix of 8 keys", HAND, "queries", "designQuery", square, shares)
    sides = [[[1.0], [0.0]], [[0.6], [0.8]]]
    yield timed(engine, "one summand out of a sum of two", HAND, "subspace", "recoverPart", [1.0, 1.0], *sides)
    for n_keys in (6, 20):
        for name, query in pull_and_push(n_keys, 10.0).items():
            law = exercise(n_keys, [query])
            yield timed(engine, f"law of the output, {n_keys} keys, {name} head", HAND, "noise", "outputLaw", law)
    six = exercise(10, (10 * np.eye(10)[:6]).tolist())
    yield timed(engine, "law of the output, 10 keys, 6 pull heads", HAND, "noise", "outputLaw", six)
    seven = plane_noise(rng, 7, 1)
    yield timed(engine, "law of the output, 7 different keys of the plane, one head", HAND, "noise", "outputLaw", seven)
    three = plane_noise(rng, 3, 2)
    yield timed(engine, "law of the output, 3 keys, two heads that share noise", "", "noise", "outputLaw", three)
    quick = three | {"precision": {"step": 0.6, "depth": 17}}
    yield timed(engine, "the same to 1e-5, while the hand moves", HAND, "noise", "outputLaw", quick)


def curves(engine: EnginePage) -> Iterator[Row]:
    for scale in (3.0, 10.0, 100.0):
        for name, query in pull_and_push(6, scale).items():
            mean = np.array(query)
            sd = np.sqrt(1e-4 * (mean @ mean) + np.where(np.arange(6) == 0, 0.5 * mean**2, 0))
            what = f"density of a weight at 161 points, 6 keys, {name} head, scale {scale:g}"
            yield timed(engine, what, CURVE, "weight_law", "densityCurve", mean.tolist(), sd.tolist(), 0)


def writing(engine: EnginePage) -> Iterator[Row]:
    data = base64.b64encode(shipped_bytes()).decode()
    read, rate = engine.run(GENERATE, [data, 200])
    yield "the shipped Transformer, read from its file", f"{read:.0f} ms", ""
    yield "the shipped Transformer, characters written", f"{rate:.0f} a second", "≥ 60 a second"


def pull_and_push(n_keys: int, scale: float) -> dict[str, list[float]]:
    wanted = np.arange(n_keys) < 2
    return {"pull": np.where(wanted, scale, 0.0).tolist(), "push": np.where(wanted, 0.0, -scale).tolist()}


def exercise(n_keys: int, queries: list[list[float]]) -> dict[str, Any]:
    axes = np.eye(n_keys).tolist()
    radial = [0.5, *[0.0] * (n_keys - 1)]
    return {"keys": axes, "values": axes, "queries": queries, "radial": radial, "isotropic": 1e-4}


def plane_noise(rng: np.random.Generator, n_keys: int, n_heads: int) -> dict[str, Any]:
    return {
        "keys": rng.normal(size=(n_keys, 2)).tolist(),
        "values": rng.normal(size=(n_keys, 2)).tolist(),
        "queries": (3 * rng.normal(size=(n_heads, 2))).tolist(),
        "radial": rng.uniform(0, 0.3, size=n_keys).tolist(),
        "isotropic": 0.02,
    }


if __name__ == "__main__":
    for row in measure():
        print(" | ".join(row))
