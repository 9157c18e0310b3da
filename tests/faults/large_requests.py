"""Requests that no memory holds: each is refused in one line before the memory is taken, or answered within it.

    python -m tests.faults.large_requests

Each command runs in a process of its own that may take 2 GiB beyond what imports take, and a minute of CPU time.
"""

from __future__ import annotations

import importlib
import os
import resource
import sys
import tempfile
from pathlib import Path

import numpy as np

from regard.cli.main import main
from tests.faults.forked import Ending, fork
from tests.faults.harness import MEMORY
from tests.faults.writing_tasks import import_everything, prepare_inputs

CPU_SECONDS = 60
LINE_MARK = "regard: "
UNFORESEEN = ("internal error", "this takes more memory than there is")
"""What is said when Python itself gives up: too late where the system promises more memory than it has."""
REQUESTS = (
    "study one-vs-many --keys 4 --scales 1 --draws 1000000000000",
    "study one-vs-many --keys 1000000000 --scales 1",
    "train ngram --text verse.txt --out out --order 1000000000",
    "train glove --text verse.txt --out out.gz --width 100000000",
    "train bigram --text verse.txt --out out --hidden 100000000",
    "train bigram --text verse.txt --out out --vocabulary 1000000000000 --hidden 4 --iterations 1",
    "train averaging --data films.csv --vectors none --out out --width 1000000000000",
    "sample letters --length 1000000000000000000000",
    "design robust --keys keys.npy --target 0,1 --heads 1000000000",
    "design copy --keys forged.npy --index 0",
    "attend --queries forged.npy --keys keys.npy",
    "heads reader --text verse.txt --bits 1000000000",
    "data show verse.txt --characters 100000000000000000000",
    "check 'v_1 + v_2 + v_1000000000000 = 0'",
)


def write_forged(path: Path) -> None:
    """An .npy file that claims a trillion numbers and holds nine."""
    with path.open("wb") as file:
        header = {"descr": "<f8", "fortran_order": False, "shape": (10**12, 3)}
        np.lib.format.write_array_header_1_0(file, header)
        file.write(np.eye(3).tobytes())


def ask(request: str, folder: Path) -> Ending:
    """Run a command with limits; what it came to."""
    quoted = request.split("'")
    words = quoted[0].split() + quoted[1:2]

    def limit() -> None:
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
        most = pages * resource.getpagesize() + MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))

    return fork(lambda: main(words), folder, before=limit).wait()


def judge(end: Ending) -> str:
    """What is wrong with how a request ended; nothing, if all is well."""
    lines = [line for line in end.err.splitlines() if line.startswith(LINE_MARK)]
    is_answered = end.code == 0 or (end.code == 1 and end.out != "" and end.err == "")  # a claim may fail
    is_refused = end.code in (1, 2) and len(lines) == 1 and not any(text in lines[0] for text in UNFORESEEN)
    return "" if is_answered or is_refused else f"exit code {end.code}: {end.err[-200:]!r}"


def run() -> list[tuple[str, Ending]]:
    """All requests with how they ended."""
    import_everything()
    importlib.import_module("tests.support.small_presets")
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        assert fork(lambda: prepare_inputs(folder, models=True), folder).wait().code == 0
        write_forged(folder / "forged.npy")
        return [(request, ask(request, folder)) for request in REQUESTS]


if __name__ == "__main__":
    os.environ["OMP_NUM_THREADS"] = "1"
    found = run()
    for request, end in found:
        last = (end.err.strip().splitlines() or [""])[-1]
        print(f"{'wrong' if judge(end) else 'ok':6}{end.code:4}  {request[:70]:70}  {last[:110]}")
    sys.exit(any(judge(end) for _, end in found))
