"""What a count on the disk has finished, in a file beside its own, so that a count that was killed can go on.

    journal.part     a checksum of the rest, then JSON: whose count it is, the pieces of text that are done, the files
                     that hold them with their lengths and checksums, and whatever is needed to read these

A file counts once it stands in the journal, which is replaced by renaming. The next process takes over what the journal
lists, if it is of the same count and every file is as it was; all other files of the folder it removes.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from regard.files import file_sha256, sha256

NAME, NEXT = "journal.part", "next.part"


@dataclass(frozen=True)
class Finished:
    """What is finished: ids in each piece of text, the sorted runs of each level or the tables made of all runs."""

    pieces: list[int] = field(default_factory=list)
    n_made: int = 0
    levels: list[list[str]] = field(default_factory=list)
    tables: dict[str, Any] | None = None

    @property
    def names(self) -> list[str]:
        """The files that hold it."""
        return [name for level in self.levels for name in level] + list(self.tables or {})


class Journal:
    """The journal of one count: `key` says which, by its text, its settings and the version."""

    def __init__(self, folder: Path, key: str) -> None:
        self._folder, self._key = folder, key
        self._checksums: dict[str, str | None] = {}
        self.found = self._read() or Finished()
        for path in folder.glob("*.part"):
            if path.name not in (*self.found.names, NAME):
                path.unlink()

    def _read(self) -> Finished | None:
        """What an earlier process of the same count has finished; None where there is nothing, or it is damaged."""
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            checksum, _, content = (self._folder / NAME).read_bytes().partition(b"\n")
            if checksum.decode("ascii", "replace") != sha256(content):
                return None
            noted = json.loads(content)
            found = Finished(**noted["finished"])
            self._checksums = {name: file_sha256(self._folder / name) for name in found.names}
            if noted["key"] == self._key and noted["files"] == self._checksums:
                return found
        return None

    def write(self, finished: Finished, new: Iterable[str] = ()) -> None:
        """Note what is finished, and remove the files that it does not need; `new` are those made since last time."""
        for name in new:
            self._checksums[name] = file_sha256(self._folder / name) if name in finished.names else None
        files = {name: self._checksums[name] for name in finished.names}
        content = json.dumps({"key": self._key, "finished": asdict(finished), "files": files}).encode()
        (self._folder / NEXT).write_bytes(sha256(content).encode() + b"\n" + content)
        (self._folder / NEXT).rename(self._folder / NAME)
        for name in self._checksums.keys() - files.keys():
            (self._folder / name).unlink(missing_ok=True)
            del self._checksums[name]
