"""Sphinx settings: Markdown pages, and reference pages made from docstrings."""

from __future__ import annotations

import inspect
import re
import sys
from pathlib import Path
from typing import Any

from regard import __version__

sys.path.insert(0, str(Path(__file__).parent / "_extensions"))

project = "Regard"
author = "The Regard maintainers"
copyright = "The Regard maintainers, Apache-2.0"
version = release = __version__

extensions = ["formulas", "myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["_build"]
language = "en_GB"
html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["regard.css"]
html_title = f"Regard {__version__}"
html_copy_source = html_show_sourcelink = False
html_math_renderer = "svg"
myst_enable_extensions = ["dollarmath"]
myst_dmath_allow_digits = False  # a price such as $5 is no formula
myst_heading_anchors = 3
autodoc_default_options = {"special-members": "__call__"}
autodoc_typehints_format = "short"
toc_object_entries_show_parents = "hide"
add_module_names = False
maximum_signature_line_length = 88
suppress_warnings = ["ref.python"]  # annotations say Config or Answer as the source does: each means its own module's

ONE_AXIS = re.compile(r"' (?=\w+')")  # " key" has its space for type checkers, not for readers
CODE_OR_TEXT = re.compile(r"(`[^`]+`)")


def as_rst(docstring: list[str]) -> list[str]:
    """Docstrings of Regard are plain text; for Sphinx, what is aligned stays as it is and nothing else is markup.

    A block is set as it stands if it is indented or has columns, two spaces or more between words; examples are left to
    Sphinx; all else is running text, in which only `code` means something.
    """
    blocks = "\n".join(docstring).strip("\n").split("\n\n")
    return [*"\n\n".join(map(_block, blocks)).split("\n"), ""]


def _block(block: str) -> str:
    if block.startswith(">>> "):
        return block
    if re.search(r"^ |\S {2,}\S", block, re.MULTILINE):
        return "::\n\n" + re.sub(r"^", "    ", block, flags=re.MULTILINE)
    return "".join(
        f"`{part}`" if part.startswith("`") else re.sub(r"([\\*|_])", r"\\\1", part)
        for part in CODE_OR_TEXT.split(block)
    )


def plain_docstring(app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Sphinx asks here what a docstring means."""
    lines[:] = as_rst(lines)


def signature_with_axes(
    app: Any, what: str, name: str, obj: Any, options: Any, signature: str | None, returns: str | None
) -> tuple[str, str] | None:
    """Annotations as the source has them: evaluated, they would lose the names of the axes."""
    if what not in {"function", "method", "class"} or signature is None:
        return None
    from sphinx.util.inspect import stringify_signature

    found = inspect.signature(obj)
    if what == "method":
        found = found.replace(parameters=list(found.parameters.values())[1:])
    written = stringify_signature(found.replace(return_annotation=found.empty))
    result = "" if what == "class" or found.return_annotation is found.empty else str(found.return_annotation)
    return ONE_AXIS.sub("'", written), ONE_AXIS.sub("'", result)


def setup(app: Any) -> None:
    """Connect the above."""
    app.connect("autodoc-process-docstring", plain_docstring)
    app.connect("autodoc-process-signature", signature_with_axes)
