"""A folder of its own for the serving process, so that nobody's marimo settings reach the lab, nor its page.

marimo looks for `.marimo.toml` from the working folder upwards, then in the home folder: a reader who has set
notebooks to wait for a click there would have a lab that does not move, and the page would carry their settings.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SETTINGS = """\
[display]
theme = "system"

[runtime]
auto_instantiate = true
on_cell_change = "autorun"
output_max_bytes = 8000000
"""


@contextmanager
def own_settings() -> Iterator[None]:
    """Work in a fresh folder with the lab's settings; afterwards be where we were."""
    before = Path.cwd()
    kept = {name: os.environ.get(name) for name in ("REGARD_DATA", "REGARD_CACHE", "XDG_STATE_HOME")}
    for name in ("REGARD_DATA", "REGARD_CACHE"):
        if chosen := kept[name]:
            os.environ[name] = str(Path(chosen).expanduser().resolve())
    with tempfile.TemporaryDirectory(prefix="regard-lab-") as folder:
        Path(folder, ".marimo.toml").write_text(SETTINGS, encoding="utf-8")
        os.environ["XDG_STATE_HOME"] = folder  # where marimo lists the notebooks that were opened
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)
            _restore(kept)


def _restore(kept: dict[str, str | None]) -> None:
    for name, value in kept.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
