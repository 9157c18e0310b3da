"""A figure as a file: which names it can have, and saving it. Loads neither NumPy nor matplotlib by itself."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from regard.errors import MissingExtraError, OutputFileError
from regard.files import open_output, require_writable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ENDINGS = (".png", ".svg", ".pdf")
NEEDS_MATPLOTLIB = "figures need matplotlib: pip install 'regard[figures]'"


def require_figure(path: Path) -> None:
    """Refuse, before any work is done, a figure that cannot be drawn or saved under this name."""
    if path.suffix.lower() not in ENDINGS:
        raise OutputFileError(f"{path}: a figure is saved as .png, .svg or .pdf")
    require_writable(path)
    if find_spec("matplotlib") is None:
        raise MissingExtraError(NEEDS_MATPLOTLIB)


def save_figure(figure: Figure, path: Path) -> None:
    """Write a figure in the format of the name's ending; it takes that name only when it is whole."""
    require_figure(path)
    with open_output(path) as file:
        figure.savefig(file, format=path.suffix[1:].lower(), dpi=150)
