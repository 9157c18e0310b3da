"""Claims of a document: formulas of running text, cells of a notebook, rows of a TOML or CSV file.

TOML: tables [[claim]] with claim, and where wanted setting, question, student, goal. CSV: columns of these names. How
formulas are found in text is told in `formulas`.
"""

from __future__ import annotations

import csv
import io
import json
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from regard.claims.sheets.formulas import FIELDS, HEADING, FoundClaim, find_formulas, find_plain_formulas
from regard.errors import InputFileError

MAX_BYTES = 5_000_000
MAX_CLAIMS = 20_000


def read_claims(path: Path) -> list[FoundClaim]:
    """All claims of a file, in its order.

    Raises: InputFileError, where the file cannot be read, is too large, or holds no claim at all.
    """
    if path.suffix.lower() not in READERS:
        raise InputFileError(f"{path}: expected a name that ends in {', '.join(READERS)}")
    return find_claims(_contents(path), path, kind=path.suffix.lower())


def find_claims(text: str, path: Path, *, kind: str = ".md") -> list[FoundClaim]:
    """All claims of a text that is written as files with the ending `kind` are; errors call it `path`."""
    found = []
    for claim in READERS[kind](text, path):
        found.append(claim)
        if len(found) > MAX_CLAIMS:
            raise InputFileError(f"{path}: more than {MAX_CLAIMS} claims; split the file")
    if not found:
        raise InputFileError(f"{path}: no claim found; expected {EXPECTED[kind]}")
    return found


def _contents(path: Path) -> str:
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise InputFileError(f"cannot read {path}: {error.strerror or error}") from error
    if len(content) > MAX_BYTES:
        raise InputFileError(f"{path}: larger than {MAX_BYTES:,} bytes; split the file")
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise InputFileError(f"{path}: not UTF-8 text: {error.reason} at byte {error.start}") from error


def _in_markdown(text: str, path: Path) -> list[FoundClaim]:
    return find_formulas(text, is_tex=False)


def _in_tex(text: str, path: Path) -> list[FoundClaim]:
    return find_formulas(text, is_tex=True)


def _in_plain_text(text: str, path: Path) -> list[FoundClaim]:
    return find_plain_formulas(text)


def _in_html(text: str, path: Path) -> list[FoundClaim]:
    page = _Page()
    page.feed(text)
    page.close()
    return find_formulas("".join(page.parts), is_tex=False)


class _Page(HTMLParser):
    """The text of a web page, line by line as it stands: headings marked, and formulas in dollar signs.

    A formula is text between dollar signs or \\(…\\), a script of TeX, or the TeX that a <math> element carries along.
    """

    HIDDEN = ("script", "style", "math", "title")

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.hidden = 0
        self.is_tex = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Hide what is no text; open a heading or a formula."""
        kind = dict(attrs).get("type") or dict(attrs).get("encoding") or ""
        if tag in self.HIDDEN:
            self.hidden += 1
        if (tag == "script" and kind.startswith("math/tex")) or (tag == "annotation" and kind == "application/x-tex"):
            self.is_tex = True
            self.parts.append("$")
        if _is_heading(tag):
            self.parts.append(HEADING)
        elif tag in ("p", "li", "div", "br", "tr"):
            self.parts.append(" ")

    def handle_endtag(self, tag: str) -> None:
        """Close what was opened."""
        if self.is_tex and tag in ("script", "annotation"):
            self.is_tex = False
            self.parts.append("$")
        if tag in self.HIDDEN:
            self.hidden = max(0, self.hidden - 1)
        if _is_heading(tag):
            self.parts.append(HEADING)

    def handle_data(self, data: str) -> None:
        """Keep text and TeX; of what is hidden, the line breaks."""
        self.parts.append(data if self.is_tex or not self.hidden else "\n" * data.count("\n"))


def _is_heading(tag: str) -> bool:
    return len(tag) == 2 and tag[0] == "h" and tag[1] in "123456"


def _in_notebook(text: str, path: Path) -> list[FoundClaim]:
    """The formulas of the Markdown cells of a Jupyter notebook; lines are counted over these cells."""
    try:
        cells = json.loads(text)["cells"]
        sources = [cell["source"] for cell in cells if cell["cell_type"] == "markdown"]
        joined = ["".join(source) for source in sources]
    except (ValueError, RecursionError, KeyError, TypeError) as error:
        raise InputFileError(f"{path}: not a Jupyter notebook: it has no list of cells with their sources") from error
    return find_formulas("\n\n".join(joined), is_tex=False)


def _in_toml(text: str, path: Path) -> Iterator[FoundClaim]:
    try:
        data = tomllib.loads(text)
    except ValueError as error:  # tomllib's own error is a ValueError, and so is a number of too many digits
        raise InputFileError(f"{path}: not TOML: {error}") from error
    except RecursionError as error:
        raise InputFileError(f"{path}: lists or tables are nested too deeply; write them flatter") from error
    rows = data.get("claim", [])
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise InputFileError(f"{path}: expected tables [[claim]]")
    for number, row in enumerate(rows, start=1):
        yield _row(row, number, f"{path}: claim {number}")


def _in_csv(text: str, path: Path) -> Iterator[FoundClaim]:
    reader = csv.DictReader(io.StringIO(text), strict=True)
    try:
        names = {name: (name or "").strip().lower() for name in reader.fieldnames or ()}
        for raw in reader:
            row = {names[name]: value for name, value in raw.items() if name in names and value is not None}
            if any(row.values()):
                yield _row(row, reader.line_num, f"{path}: line {reader.line_num}")
    except csv.Error as error:
        raise InputFileError(f"{path}: not CSV after line {reader.line_num}: {error}") from error


def _row(row: Mapping[str, Any], line: int, place: str) -> FoundClaim:
    fields = {name: row.get(name, "") for name in ("claim", *FIELDS)}
    wrong = [name for name, value in fields.items() if not isinstance(value, str)]
    if wrong or not fields["claim"]:
        raise InputFileError(f"{place}: expected a text under {', '.join(wrong) or 'claim'}; it has {', '.join(row)}")
    text = fields.pop("claim")
    return FoundClaim(text, line, **{name: value.strip() for name, value in fields.items()})


READERS: dict[str, Callable[[str, Path], Iterable[FoundClaim]]] = {
    ".md": _in_markdown,
    ".tex": _in_tex,
    ".txt": _in_plain_text,
    ".html": _in_html,
    ".ipynb": _in_notebook,
    ".toml": _in_toml,
    ".csv": _in_csv,
}
EXPECTED = {
    ".md": "formulas with a relation between dollar signs",
    ".tex": "formulas with a relation between dollar signs or in equations",
    ".txt": "formulas with a relation, such as q = k_a + k_b",
    ".html": "formulas with a relation between dollar signs, or <math> elements with their TeX",
    ".ipynb": "Markdown cells with formulas between dollar signs",
    ".toml": "tables [[claim]] with claim = '...'",
    ".csv": "a column 'claim'",
}
