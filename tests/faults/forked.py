"""Processes that are forked to be hit: what they print and return is kept, their file operations are counted."""

from __future__ import annotations

import contextlib
import os
import pickle
import re
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from regard import files

CHANGES = {"os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.truncate", "os.chmod", "os.link", "os.symlink"}
SECONDS = 600
"""After so long a process is taken to hang, and is ended."""


PROGRESS = re.compile(r"epoch \d+: ")
"""How a line begins that is written while a classifier is trained, where nothing shows a bar."""


class Ending(NamedTuple):
    """How a process ended: its exit code, negative for a signal, what it printed, and what a function returned."""

    code: int
    out: str = ""
    err: str = ""
    result: Any = None

    @property
    def is_told(self) -> bool:
        """Whether it ended with one line of Regard's, alone or behind lines of progress."""
        lines = [line for line in self.err.splitlines(keepends=True) if not PROGRESS.match(line)]
        return len(lines) == 1 and lines[0].startswith("regard: ") and lines[0].endswith("\n")


class Process:
    """A process that was forked, and files for what it prints and returns."""

    def __init__(self) -> None:
        self.paths = [Path(tempfile.mkstemp(prefix="regard-faults-")[1]) for _ in range(3)]
        self.number = os.fork()

    def printed(self) -> tuple[str, str]:
        """What it has printed so far, on the standard output and as errors."""
        out, err = (path.read_text("utf-8", "replace") for path in self.paths[:2])
        return out, err

    def wait(self) -> Ending:
        """Wait for its end."""
        _, status = os.waitpid(self.number, 0)
        answer = self.paths[2].read_bytes()
        end = Ending(os.waitstatus_to_exitcode(status), *self.printed(), pickle.loads(answer) if answer else None)
        for path in self.paths:
            path.unlink()
        return end


def fork(use: Callable[[], Any], folder: Path, *, before: Callable[[], None] = lambda: None) -> Process:
    """Start a process that works in a folder."""
    process = Process()
    if process.number == 0:
        code = 70
        try:
            signal.alarm(SECONDS)
            for number, path in zip((1, 2), process.paths, strict=False):
                os.dup2(os.open(path, os.O_WRONLY), number)
            sys.stdout, sys.stderr = open(1, "w", closefd=False), open(2, "w", closefd=False)  # noqa: SIM115
            os.chdir(folder)
            os.environ["REGARD_CACHE"] = str(folder / "cache")
            answers = process.paths[2].open("wb")
            before()
            found = use()
            code = found if isinstance(found, int) else 0
            if not isinstance(found, int):
                pickle.dump(found, answers)
            answers.close()
        except KeyboardInterrupt:
            code = 130
        except BaseException:
            traceback.print_exc()
        finally:
            with contextlib.suppress(Exception):
                sys.stdout.flush()
                sys.stderr.flush()
            os._exit(code)
    return process


class Operations:
    """Counts the operations that change files below a folder, and has a fault happen at one of them.

    With `requests`, the process stops at its first operation and becomes a server: for each number that it is sent it
    forks itself, so that what was computed up to here is computed once. The forked one meets the fault. The first four
    bytes that it answers say that it is ready. With `everywhere`, the fault happens before every operation.
    """

    def __init__(
        self,
        root: Path,
        at: int = 0,
        fault: Callable[[], None] = lambda: None,
        *,
        requests: tuple[int, int] | None = None,
        everywhere: bool = False,
    ) -> None:
        self.root, self.left, self.fault, self.names = f"{root}{os.sep}", at, fault, list[str]()
        self.requests, self.everywhere = requests, everywhere

    def install(self) -> None:
        """Watch this process from now on; nothing is flushed to the disk, for a killed process takes nothing along."""
        sys.addaudithook(self._audit)
        os.fsync = lambda descriptor: self.count("fsync")
        write = files._Output.write

        def write_in_halves(output: Any, data: Any, /) -> int:
            content = bytes(data)
            half = len(content) // 2
            self.count("write")
            write(output, content[:half])
            self.count("half of a write")
            return half + write(output, content[half:])

        files._Output.write = write_in_halves  # type: ignore[method-assign]

    def _audit(self, event: str, args: tuple[Any, ...]) -> None:
        is_write = event == "open" and isinstance(args[2], int) and args[2] & (os.O_WRONLY | os.O_RDWR)
        is_change = (is_write or event in CHANGES) and isinstance(args[0], str | os.PathLike)
        if is_change and os.path.abspath(os.fspath(args[0])).startswith(self.root):
            self.count(event)

    def count(self, name: str) -> None:
        """One more operation."""
        if self.requests is not None:
            self._serve(*self.requests)
        self.names.append(name)
        self.left -= 1
        if self.left == 0 or self.everywhere:
            self.fault()

    def _serve(self, asked: int, answers: int) -> None:
        """Fork for each number that is asked for; returns in the forked processes alone."""
        self.requests = None
        signal.alarm(0)
        os.write(answers, bytes(4))  # ready: it has read all that it reads before it writes
        while number := os.read(asked, 4):
            for stream in (1, 2):
                os.ftruncate(stream, 0)
                os.lseek(stream, 0, os.SEEK_SET)
            child = os.fork()
            if child == 0:
                signal.alarm(SECONDS)
                self.left = int.from_bytes(number)
                return
            os.write(answers, os.waitpid(child, 0)[1].to_bytes(4))
        os._exit(0)
