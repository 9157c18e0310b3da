"""The pictures of the tutorial that no command draws: `make pictures`, or `python docs/pictures.py copy-scale hull`.

Each is made by the same functions that the page shows, so that page and picture cannot disagree.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from benchmark_pictures import benchmarks_picture

from regard import GaussianKeys, attention_weights, copy_scale, hull_bound, output_law, outside_weight, radial
from regard.report.figures import COLOURS, FAINT, INK, LINES, MARKERS, new_figure, save_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DOCS = Path(__file__).parent


def copy_scale_picture() -> Figure:
    """Chapter 1: the weight of the wanted key against the scale of the query, for four numbers of keys."""
    figure = new_figure((7.6, 4.2))
    axes = figure.subplots()
    scales = np.linspace(0, 14, 200)
    for place, n_keys in enumerate((2, 10, 100, 1000)):
        weight = [1 - outside_weight(n_keys, 1, scale) for scale in scales]
        axes.plot(scales, weight, LINES[place], color=COLOURS[place], label=f"{n_keys:,} keys")
        needed = copy_scale(n_keys, 0.01)
        axes.plot([needed], [0.99], MARKERS[place], color=COLOURS[place])
        axes.annotate(
            f"{needed:.1f}", (needed, 0.99), xytext=(0, 7), textcoords="offset points", ha="center", fontsize=8
        )
    axes.axhline(0.99, color=FAINT, linewidth=1, zorder=0)
    axes.set_xlabel("scale C of the query q = C $k_j$")
    axes.set_ylabel("weight of the wanted key")
    axes.set_ylim(0, 1.08)
    axes.set_title("The scale that a copy needs grows like the logarithm of the number of keys", fontsize=10)
    axes.legend(frameon=False, loc="lower right")
    return figure


def hull_picture() -> Figure:
    """Chapter 2: a key inside the hull of three others, and the most weight that any query can give it."""
    keys = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.1, 0.7]])
    bound = hull_bound(keys, 3)
    weights = attention_weights(bound.query[None], keys)[0]
    figure = new_figure((8.4, 3.8))
    left, right = figure.subplots(1, 2)
    left.fill(*keys[:3].T, color=COLOURS[0], alpha=0.12)
    left.plot(*keys[[0, 1, 2, 0]].T, color=COLOURS[0], linewidth=1)
    for place, key in enumerate(keys):
        left.plot(*key, "o", color=COLOURS[1] if place == 3 else INK, markersize=8)
        # below the key inside, where the triangle is wide enough for its name
        left.annotate(f"key {place}", key, xytext=(6, -15) if place == 3 else (8, 5), textcoords="offset points")
    left.set_aspect("equal")
    left.set_xlim(-0.15, 1.35)
    left.set_ylim(-0.15, 1.2)
    left.set_title("key 3 lies between the others: 0.2, 0.1 and 0.7 of them", fontsize=10)
    left.set_xlabel("first coordinate")
    left.set_ylabel("second coordinate")
    right.bar(range(4), weights, color=[INK, INK, INK, COLOURS[1]], width=0.6)
    right.axhline(bound.bound, color=COLOURS[1], linestyle="--", linewidth=1)
    right.annotate(f"dashed: no query gives key 3 more than {bound.bound:.4f}", (-0.3, 0.66), fontsize=9)
    right.set_xticks(range(4), [f"key {place}" for place in range(4)])
    right.set_ylabel("weight")
    right.set_ylim(0, 0.75)
    right.set_title("the best query for key 3", fontsize=10)
    return figure


def weight_density_picture() -> Figure:
    """Chapter 3: the density of the weight of a key that varies in length, at four scales of the query."""
    figure = new_figure((7.6, 4.2))
    axes = figure.subplots()
    keys = GaussianKeys(np.eye(10), radial(0.5, key=0))
    at = 1 / (1 + np.exp(-np.linspace(-9, 9, 301)))
    for place, scale in enumerate((2.0, 5.0, 10.0, 100.0)):
        law = output_law(keys, np.eye(10), scale * np.eye(10)[:2].sum(axis=0))
        density = [law.density(0, at=float(weight)).value for weight in at]
        axes.plot(at, density, LINES[place], color=COLOURS[place], label=f"C = {scale:g}")
    axes.axvline(0.5, color=FAINT, linewidth=1, zorder=0)
    axes.set_xlim(0, 1)
    axes.set_ylim(0, 4)
    axes.set_xlabel("weight of key 0; ½ is wanted")
    axes.set_ylabel("density")
    axes.set_title("The larger the scale, the more the output is one value or the other", fontsize=10)
    axes.legend(frameon=False, loc="upper right", bbox_to_anchor=(0.92, 1.0))
    return figure


def orders_picture() -> Figure:
    """Chapter 6: what each order of n-gram model predicts of the last tenth of tinyshakespeare."""
    from regard import find_corpus
    from regard.models.ngram.model import NgramConfig, fit_ngram

    text = find_corpus("tinyshakespeare").text
    cut = int(0.9 * len(text))
    orders = list(range(1, 11))
    figure = new_figure((7.6, 4.2))
    axes = figure.subplots()
    for place, (method, name) in enumerate((("kneser-ney", "Kneser–Ney"), ("mixing", "context mixing"))):
        configs = [NgramConfig(order=order, method=method) for order in orders]
        nats = [-fit_ngram(text[:cut], config).score(text[cut:]).log_probs_nats.mean() for config in configs]
        axes.plot(orders, nats, MARKERS[place] + LINES[place], color=COLOURS[place], label=name)
    axes.set_xticks(orders)
    axes.set_xlabel("order: the character and how many before it")
    axes.set_ylabel("nats per character, last tenth of the text")
    axes.set_title("Longer contexts help until they are too rare; mixing all orders helps further", fontsize=10)
    axes.grid(color="#EEEEEE")
    axes.legend(frameon=False)
    return figure


def save_answers_page(path: Path) -> None:
    """Chapter 12: the page of checked answers, as a browser shows it. Needs playwright and Chromium."""
    from playwright.sync_api import sync_playwright

    from regard.cli.main import main

    with tempfile.TemporaryDirectory() as folder:
        answers, page = Path(folder, "answers.csv"), Path(folder, "answers.html")
        rows = (
            "Ada,1b,two-subspaces,M = A A^T",
            "Emmy,1b,two-subspaces,M = A^T",
            "Alan,1b,two-subspaces,M = I - B B^T",
        )
        answers.write_text("\n".join(("student,question,setting,claim", *rows)), "utf-8")
        main(["check", "--file", str(answers), "--html", str(page)])
        with sync_playwright() as browsers:
            browser = browsers.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
            view = browser.new_page(viewport={"width": 900, "height": 400}, device_scale_factor=1.5)
            view.goto(page.as_uri())
            view.screenshot(path=path, full_page=True)
            browser.close()


def save_lab_page(path: Path) -> None:
    """README: the lab's first chapter, the whole page as a browser shows it. Needs playwright and Chromium."""
    from playwright.sync_api import sync_playwright

    command = [sys.executable, "-m", "regard", "lab", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as lab, sync_playwright() as browsers:
        assert lab.stdout is not None
        address = next(word for line in lab.stdout for word in line.split() if word.startswith("http://"))
        browser = browsers.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        view = browser.new_page(viewport={"width": 1280, "height": 720}, device_scale_factor=1.25)
        view.goto(f"{address}chapter/look-up/", wait_until="networkidle")
        view.wait_for_selector("body[data-ready=yes]")
        view.screenshot(path=path, full_page=True)
        browser.close()
        lab.terminate()


FIGURES: dict[str, Callable[[], Figure]] = {
    "copy-scale": copy_scale_picture,
    "hull": hull_picture,
    "weight-density": weight_density_picture,
    "orders": orders_picture,
    "benchmarks": benchmarks_picture,
}
SCREENSHOTS: dict[str, Callable[[Path], None]] = {"answers": save_answers_page, "lab": save_lab_page}


def draw(names: list[str]) -> None:
    """Draw the pictures of these names, or all of them."""
    for name in names or [*FIGURES, *SCREENSHOTS]:
        path = DOCS / f"{name}.png"
        if name in FIGURES:
            save_figure(FIGURES[name](), path)
        else:
            SCREENSHOTS[name](path)
        print(path)


if __name__ == "__main__":
    draw(sys.argv[1:])
