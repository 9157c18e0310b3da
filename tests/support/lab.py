"""The lab as a person meets it: the real command in a process of its own, and a browser."""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

LAB_PACKAGES = ("anywidget", "starlette", "uvicorn")
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def require_lab() -> None:
    """Skip where the lab's packages are missing, but never in CI."""
    import importlib.util

    missing = [name for name in LAB_PACKAGES if importlib.util.find_spec(name) is None]
    _skip_unless_ci(missing, f"the lab is not installed ({', '.join(missing)}): pip install 'regard[lab]'")


def chromium() -> str:
    """The path of a Chromium; skips where there is none, but never in CI."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    _skip_unless_ci(found is None, "there is no Chromium: install Debian's package chromium")
    return str(found)


def expect(place: Any) -> Any:
    """Playwright's expectations, which look until they are met.

    What changes with the page has to be asked for in this way: the address, or another cell, may change before it.
    """
    from playwright.sync_api import expect as playwright_expect

    return playwright_expect(place)


PYTHON = "Show the Python for this"
READY = {
    "look-up": ("Python agrees",),
    "words": ("The loss fell from", PYTHON),
}
"""What a chapter shows last: once it is there, so is everything else. Other chapters end with their Python."""
SMALL = {"words": "hidden=10"}
"""Settings of a chapter whose models are trained at the first visit, in seconds."""
WIDTHS = {"phone": (390, 844), "laptop": (1280, 900), "projector": (1920, 1080)}


def open_chapter(visit: Any, slug: str, query: str = "") -> Any:
    """The page of a chapter, once it is whole."""
    page = visit.open(f"chapter/{slug}/" + (f"?{query}" if query else ""))
    for text in READY.get(slug, (PYTHON,)):
        page.get_by_text(text).first.wait_for()
    return page


def wait_until_drawn(page: Any) -> None:
    """What the hand did is in the page two frames later: the first may already have begun."""
    page.evaluate("new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))")


ANSWERS = {
    "words": (".training-facts:has-text('The loss fell from')", ".derivatives [role=status]:has-text('derivatives')"),
    "perplexity": (".heat", ".wary:visible"),
    "check": (".evidence:not(.old) .verdict p",),
    "heads": (".stories .head-map canvas",),
}
"""What a chapter shows once Python has answered; other chapters say that Python agrees."""


def wait_for_answers(page: Any, slug: str) -> None:
    """Wait for all that Python adds to a chapter after it can be used."""
    for place in ANSWERS.get(slug, (".confirmation:visible:has-text('Python agrees')",)):
        page.locator(place).first.wait_for()
    wait_until_drawn(page)


def run_listing(page: Any) -> dict[str, Any]:
    """Run the Python that a plain page shows, as a reader would: what it computes, and as `printed` what it says."""
    page.get_by_text(PYTHON).click()
    expect(page.locator("details.code code")).not_to_be_empty()  # it is written when the hand rests
    printed = io.StringIO()
    names: dict[str, Any] = {}
    with contextlib.redirect_stdout(printed):
        exec(page.locator("details.code code").inner_text(), names)  # our own text, made of numbers
    return names | {"printed": printed.getvalue()}


def resize(page: Any, width: str) -> None:
    """Make the window as wide and high as the screens of this name usually are."""
    page.set_viewport_size(dict(zip(("width", "height"), WIDTHS[width], strict=True)))


def press(page: Any, label: str, *keys: str) -> None:
    """Move a slider as the keyboard does."""
    page.get_by_role("slider", name=label, exact=True).focus()
    for key in keys:
        page.keyboard.press(key)


def free_port() -> int:
    """A port that nobody listens to."""
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


@contextlib.contextmanager
def served_lab(
    folder: Path, *arguments: str, open_files: int | None = None
) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The address that a running `regard lab` has printed, and its process, which may open so many files."""
    command = [sys.executable, "-m", "regard", "lab", "--no-browser", *arguments]
    if open_files is not None:
        command = ["sh", "-c", f'ulimit -n {open_files}; exec "$@"', "sh", *command]
    environment = {
        **os.environ,
        "PYTHONUNBUFFERED": "1",
        "OMP_NUM_THREADS": "1",
        "REGARD_CACHE": str(folder / "cache"),  # nothing kept, as on a new machine
    }
    with (folder / "errors.txt").open("w") as errors:
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=errors, text=True
        )
        try:
            yield _printed_address(process, folder / "errors.txt"), process
        finally:
            _end(process)


def _printed_address(process: subprocess.Popen[str], errors: Path) -> str:
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith("The lab is at "):
            return line.split()[-1]
    raise AssertionError(f"the lab printed no address: {errors.read_text()}")


def _end(process: subprocess.Popen[str]) -> None:
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    assert process.stdout is not None
    process.stdout.close()


def _skip_unless_ci(is_missing: object, reason: str) -> None:
    if is_missing and os.environ.get("CI") == "true":
        pytest.fail(reason)
    if is_missing:
        pytest.skip(reason)
