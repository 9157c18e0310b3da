"""What fuzzing keeps: minutes and seeds of all runs in a folder, and of these a few in the repository.

The seeds of an hour take tens of megabytes. `tests/faults/corpora` holds a small part of them, an archive for each
parser: for each outcome that was seen, another error message say, the shortest input that leads to it. Fuzzing begins
with them, and a test reads them all.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections import Counter
from hashlib import sha256
from pathlib import Path

from tests.faults.parsers import Parser

CORPORA = Path(__file__).parent / "corpora"
MAX_KEPT = 20
"""So many inputs that a parser has read, and so many that it has refused, are kept in the repository."""


def read_corpus(name: str) -> list[bytes]:
    """The inputs of a parser that the repository keeps."""
    path = CORPORA / f"{name}.zip"
    if not path.exists():
        return []
    with zipfile.ZipFile(path) as archive:
        return [archive.read(member) for member in sorted(archive.namelist())]


def write_corpus(name: str, inputs: list[bytes]) -> None:
    """Keep inputs of a parser in the repository; the same inputs make the same file."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for number, each in enumerate(inputs):
            archive.writestr(zipfile.ZipInfo(f"{number:03}"), each, zipfile.ZIP_DEFLATED)
    CORPORA.mkdir(exist_ok=True)
    (CORPORA / f"{name}.zip").write_bytes(content.getvalue())


class Record:
    """What a folder keeps of all runs: minutes and outcomes of each parser, and its seeds."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self._path = None if folder is None else folder / "minutes.json"
        known = self._path is not None and self._path.exists()
        self.rows: dict[str, dict[str, float]] = json.loads(self._path.read_bytes()) if self._path and known else {}

    def minutes(self, parser: Parser) -> float:
        """How long this parser has been tried."""
        return self.rows.get(parser.name, {}).get("minutes", 0.0)

    def add(self, parser: Parser, seconds: float, kinds: Counter[str]) -> None:
        """Add a turn."""
        row = self.rows.setdefault(parser.name, {"minutes": 0.0})
        row["minutes"] += seconds / 60
        for kind, count in kinds.items():
            row[kind] = row.get(kind, 0) + count
        if self._path is not None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._path.write_text(json.dumps(self.rows, indent=1, sort_keys=True) + "\n", "utf-8")

    def load_seeds(self, parser: Parser, name: str) -> list[bytes]:
        """The seeds of earlier runs: those that were `read`, or those that were `refused`."""
        if self.folder is None:
            return []
        return [path.read_bytes() for path in sorted((self.folder / parser.name / name).glob("*"))]

    def save_seeds(self, parser: Parser, name: str, seeds: list[bytes]) -> None:
        """Keep seeds."""
        if self.folder is not None:
            place = self.folder / parser.name / name
            place.mkdir(parents=True, exist_ok=True)
            for content in seeds:
                (place / sha256(content).hexdigest()[:16]).write_bytes(content)
