"""Widgets: a Python class with a JavaScript module and a style sheet beside it, which need no build and no network."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent


def source(*names: str) -> str:
    """The text of these files, one after the other: a widget has one module, and shares functions through this."""
    return "\n".join((FOLDER / name).read_text(encoding="utf-8") for name in names)
