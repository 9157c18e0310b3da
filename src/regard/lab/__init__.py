"""The lab: attention to drag and models to question, in a browser.

`regard lab` serves it. Its widgets also work on their own, in Jupyter and in any marimo notebook:

    from regard.lab import AttentionPlane
    AttentionPlane(keys=[[1, 0], [0, 1], [-1, -1]])

`regard.lab.export("folder")` writes it as static pages.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from regard.errors import MissingExtraError

if TYPE_CHECKING:
    from regard.lab.static_pages import export as export
    from regard.lab.widgets.attention_plane import AttentionPlane as AttentionPlane
    from regard.lab.widgets.long_work import LongWork as LongWork

_HOMES = {"AttentionPlane": "widgets.attention_plane", "LongWork": "widgets.long_work", "export": "static_pages"}
__all__ = sorted(_HOMES)  # noqa: PLE0605


def __getattr__(name: str) -> Any:
    """A public name, imported when it is first asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module 'regard.lab' has no attribute {name!r}")
    try:
        return getattr(importlib.import_module(f"regard.lab.{_HOMES[name]}"), name)
    except ModuleNotFoundError as error:
        if str(error.name).startswith("regard"):
            raise
        raise MissingExtraError(f"{name} needs {error.name}: pip install 'regard[lab]'") from None


def __dir__() -> list[str]:
    return list(__all__)
