"""The lab in a real browser: how long pages take, frames while dragging, many visitors at once, memory afterwards.

    python benchmarks/lab_speed.py

Needs Chromium and `pip install 'regard[test]'`. These are wall-clock times, since a person waits in those: measure on
an idle machine. The browser and the server share its processors.
"""

from __future__ import annotations

import contextlib
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.support.lab import chromium, served_lab

Row = tuple[str, str, str]
CHAPTER = "chapter/look-up/"
WRITING = "chapter/characters/"
READY = "Python agrees"
USABLE = "body[data-ready=yes]"
N_VISITORS, N_FRAMES, N_REPEATS = 30, 200, 5
DRAGS = (
    ("chapter 1, one of 50 keys", "chapter/look-up/?keys={grid}", '.plane .handle[aria-label="Key 27"]'),
    ("chapter 2, the end of the sum", "chapter/average-and-subspace/", 'svg[aria-label^="Two summands"]'),
    ("chapter 3, the scale", "chapter/noisy-keys/", "scale C"),
    ("chapter 3, the variance of the length", "chapter/noisy-keys/", "variance of the length"),
    ("chapter 3, a noisy key in the plane", "chapter/noisy-keys/?view=plane", '.plane .handle[aria-label="Key 0"]'),
    ("chapter 3, an arrow in the plane", "chapter/noisy-keys/?view=plane", '.plane .handle[aria-label="Pull query"]'),
    ("chapter 4, the scale", "chapter/many-heads/", "scale C"),
    ("chapter 4, the variance of the length", "chapter/many-heads/?noise=each&heads=4", "variance of the length"),
    ("chapter 4, the map", "chapter/many-heads/", 'svg[aria-label^="The design with"]'),
)
"""What is dragged: its name, the page, and a slider by its label or a part of a figure by its selector."""


def measure() -> Iterator[Row]:
    """What was measured, the figure, and the goal."""
    with lab() as (address, process):
        with browser() as context:
            yield start_page(context, address)
            yield from chapters(context, address)
            yield from dragging(context, address)
        yield from visitors(address, process.pid)
    yield export_size()


def start_page(context: Any, address: str) -> Row:
    def once() -> float:
        page = context.new_page()
        page.goto(address)
        loaded = page.evaluate("performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd")
        page.close()
        return float(loaded) / 1000

    return "the start page, until it can be used", seconds([once() for _ in range(N_REPEATS)]), "≤ 1 s"


def chapters(context: Any, address: str) -> Iterator[Row]:
    """Every chapter, until it says that it can be used."""
    from regard.lab.contents import CHAPTERS

    for chapter in CHAPTERS:
        taken = [opened(context, f"{address}chapter/{chapter.slug}/") for _ in range(N_REPEATS)]
        yield f"chapter {chapter.number}, {chapter.title}, until it can be used", seconds(taken), "≤ 1 s"


def opened(context: Any, url: str) -> float:
    page = context.new_page()
    began = time.perf_counter()
    page.goto(url, wait_until="commit")
    page.locator(USABLE).wait_for()
    taken = time.perf_counter() - began
    page.close()
    return taken


def dragging(context: Any, address: str) -> Iterator[Row]:
    """Frames while a person drags, with a pointer or slider that moves at every frame."""
    grid = ";".join(f"{1.6 * (n % 10) / 9 - 0.8:.2f},{1.6 * (n // 10) / 4 - 0.8:.2f}" for n in range(50))
    for name, path, part in DRAGS:
        page = context.new_page()
        page.goto(address + path.format(grid=grid))
        page.get_by_text(READY).first.wait_for()
        is_slider = not part.startswith((".", "svg"))
        place = page.get_by_role("slider", name=part, exact=True) if is_slider else page.locator(part)
        rates = [place.evaluate(SLIDE if is_slider else DRAG, N_FRAMES) for _ in range(N_REPEATS)]
        idle = page.evaluate(IDLE, N_FRAMES)
        page.close()
        yield (
            f"dragging {name}, {N_FRAMES} frames; at rest the page has {idle:.0f} frames/s",
            f"{statistics.median(rates):.0f} frames/s ({min(rates):.0f} to {max(rates):.0f})",
            "≥ 50 frames/s",
        )


def visitors(address: str, server: int) -> Iterator[Row]:
    """Many visitors of one chapter at once, each in a tab; then all leave."""
    with browser() as context:
        opened(context, address + CHAPTER)
    time.sleep(40)  # until what the first visitors needed has been let go
    before = resident_mb(server)
    with browser() as context:
        began = time.perf_counter()
        pages = [context.new_page() for _ in range(N_VISITORS)]
        for page in pages:
            page.goto(address + CHAPTER, wait_until="commit")
        for page in pages:
            page.get_by_text(READY).wait_for()
        taken = time.perf_counter() - began
        yield (
            f"{N_VISITORS} visitors open chapter 1 at the same moment, until Python has answered all",
            f"{taken:.1f} s",
            "",
        )
        yield (
            "one of them moves a key, until the address has changed",
            seconds([nudged(page) for page in pages[:5]]),
            "",
        )
        began = time.perf_counter()
        for page in pages:
            page.goto(address + WRITING, wait_until="commit")
        for page in pages:
            page.locator(USABLE).wait_for()
        taken = time.perf_counter() - began
        yield "they go to chapter 6 at the same moment, until all can use it", f"{taken:.1f} s", ""
        during = resident_mb(server)
    time.sleep(60)
    after = resident_mb(server)
    yield (
        f"memory of the server before {N_VISITORS} visitors, with them, and a minute after they left",
        f"{before:.0f} MB, {during:.0f} MB, {after:.0f} MB",
        "freed",
    )


def export_size() -> Row:
    """The whole lab as static pages."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "regard", "lab", "--export", f"{folder}/lab"]
        subprocess.run(command, check=True, capture_output=True)
        sizes = [path.stat().st_size for path in Path(folder, "lab").rglob("*") if path.is_file()]
    return "the exported lab", f"{sum(sizes) / 1e6:.1f} MB in {len(sizes)} files", ""


def nudged(page: Any) -> float:
    key = page.locator('.plane .handle[aria-label="Key 3"]')
    key.focus()
    before = page.url
    began = time.perf_counter()
    page.keyboard.press("ArrowRight")
    page.wait_for_url(lambda url: url != before)
    return time.perf_counter() - began


def seconds(taken: list[float]) -> str:
    first, *later = taken
    return f"{first:.2f} s at first, then {statistics.median(later):.2f} s"


def resident_mb(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


@contextlib.contextmanager
def lab() -> Iterator[tuple[str, Any]]:
    with tempfile.TemporaryDirectory() as folder, served_lab(Path(folder), "--no-token") as served:
        time.sleep(8)  # imports what chapters need, as it does while a person reads the start page
        yield served


@contextlib.contextmanager
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    # A profile on disk, as people have, so that the browser may keep what it has once compiled.
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as profile:
        context = playwright.chromium.launch_persistent_context(
            profile, executable_path=chromium(), args=["--no-sandbox"], viewport={"width": 1280, "height": 900}
        )
        context.set_default_timeout(120_000)
        yield context
        context.close()


DRAG = """
async (element, n) => {
  const box = element.getBoundingClientRect(), x = box.left + box.width / 2, y = box.top + box.height / 2;
  const send = (type, dx) => element.dispatchEvent(new PointerEvent(type, {
    clientX: x + dx, clientY: y + dx / 2, pointerId: 1, button: 0, buttons: 1, bubbles: true }));
  element.setPointerCapture = () => {}; // there is no real pointer to hold
  element.hasPointerCapture = () => true;
  send("pointerdown", 0);
  const began = performance.now();
  for (let i = 0; i < n; i += 1) {
    send("pointermove", 40 * Math.sin(i / 9));
    await new Promise(requestAnimationFrame);
  }
  const seconds = (performance.now() - began) / 1000;
  send("pointerup", 0);
  return n / seconds;
}
"""
SLIDE = """
async (element, n) => {
  const [low, high] = [Number(element.min), Number(element.max)];
  const began = performance.now();
  for (let i = 0; i < n; i += 1) {
    element.value = low + (high - low) * (0.5 + 0.4 * Math.sin(i / 9));
    element.dispatchEvent(new Event("input", { bubbles: true }));
    await new Promise(requestAnimationFrame);
  }
  return (1000 * n) / (performance.now() - began);
}
"""
IDLE = """
async (n) => {
  const began = performance.now();
  for (let i = 0; i < n; i += 1) await new Promise(requestAnimationFrame);
  return (1000 * n) / (performance.now() - began);
}
"""


if __name__ == "__main__":
    for row in measure():
        print(" | ".join(row), flush=True)
