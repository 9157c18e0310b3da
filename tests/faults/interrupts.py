"""Ctrl-C at random moments of real commands, half of them while they start: exit code 130 and one line, nothing else.

    python -m tests.faults.interrupts --cases 200 --seed 0

A command that has done all its work before the signal comes ends as if there had been none. Before the first line of
Regard runs, the interpreter starts and pip's script imports `re`, some 20 ms of processor time in which nobody of ours
can set a handler; what becomes of a signal then is counted apart.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from functools import partial
from pathlib import Path

from tests.faults.harness import search
from tests.support.reviews import write_reviews
from tests.support.texts import VERSE

HEED = partial(signal.signal, signal.SIGINT, signal.default_int_handler)
"""A shell starts background jobs with interrupts ignored, and what ignores them hands that on."""
SCRIPT = "import re\nimport sys\nfrom regard.cli.main import main\nif __name__ == '__main__':\n    sys.exit(main())\n"
"""What pip writes for `regard`."""
COMMANDS = (
    "--help",
    "check 'q = C(k_a + k_b)' --setting orthonormal-keys",
    "study one-vs-many --keys 4 --scales 1 --csv out.csv",
    "train ngram --text verse.txt --order 2 --out model",
    "train bigram --text verse.txt --hidden 4 --iterations 3 --out model",
    "train averaging --data films.csv --vectors none --form classic --width 4 --epochs 3 --layers 0 --out model",
)
STARTUP_SECONDS = 0.25


class Interrupted:
    """Commands in a folder of their own, each interrupted once."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.place = folder, folder / "place"
        self.seconds: dict[str, float] = {}
        (folder / "regard").write_text(SCRIPT)

    def start(self, command: str) -> subprocess.Popen[str]:
        """A command in a new folder with its inputs."""
        shutil.rmtree(self.place, ignore_errors=True)
        self.place.mkdir()
        (self.place / "verse.txt").write_text(VERSE)
        write_reviews(self.place / "films.csv", 60)
        (self.place / "out.csv").write_text("old")
        words = [word.strip("'") for word in command.replace("C(k_a + k_b)", "C(k_a+k_b)").replace(" = ", "=").split()]
        return subprocess.Popen(
            [sys.executable, str(self.folder / "regard"), *words],
            cwd=self.place,
            env=os.environ | {"OMP_NUM_THREADS": "1", "REGARD_CACHE": str(self.place / "cache")},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=HEED,  # noqa: PLW1509
        )

    def duration(self, command: str) -> float:
        """How long the command takes when it is left alone."""
        if command not in self.seconds:
            began = time.monotonic()
            process = self.start(command)
            process.communicate()
            assert process.returncode in (0, 1), command
            self.seconds[command] = time.monotonic() - began
        return self.seconds[command]

    def interrupt(self, command: str, seconds: float) -> tuple[str, str]:
        """Press Ctrl-C after so many seconds; what came of it, and what was printed."""
        process = self.start(command)
        time.sleep(seconds)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
        return self._judge(process.returncode, out, err), err[-300:]

    def _judge(self, code: int, out: str, err: str) -> str:
        left = [path.name for path in self.place.rglob(".regard*")]
        if code in (1, -signal.SIGINT) and not out and f"{os.sep}regard{os.sep}" not in err and "regard: " not in err:
            return "while Python started"
        if code in (0, 1) and "Traceback" not in err and (out or (self.place / "model").exists()):
            return "finished" if not left else f"left {left[0]}"
        lines = [line for line in err.splitlines() if line.startswith("regard: ")]
        if code != 130 or len(lines) != 1 or "Traceback" in err:
            return f"exit code {code}" + (", a traceback" if "Traceback" in err else "" if lines else ", no line")
        if left and "--resume" not in err:
            return f"left {left[0]}"
        return "130 and one line"


GOOD = ("130 and one line", "finished", "while Python started")


def run(seeds: range) -> tuple[Counter[str], dict[tuple[str, str, str], list[str]]]:
    """How often each kind of outcome came, and for each fault what shows it."""
    kinds: Counter[str] = Counter()
    faults: dict[tuple[str, str, str], list[str]] = {}
    with tempfile.TemporaryDirectory() as folder:
        tried = Interrupted(Path(folder))
        for seed in seeds:
            rng = random.Random(seed)
            command = COMMANDS[seed % len(COMMANDS)]
            whole = tried.duration(command)
            seconds = rng.uniform(0, STARTUP_SECONDS if rng.random() < 0.5 else 1.05 * whole)
            kind, err = tried.interrupt(command, seconds)
            kinds[kind] += 1
            if kind not in GOOD:
                faults.setdefault((command, kind, ""), []).append(f"{seed}: after {seconds:.3f} s, {err!r}")
    return kinds, faults


if __name__ == "__main__":
    search(__doc__ or "", 200, run)
