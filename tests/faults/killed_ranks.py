"""Training by two processes of which one is killed: the other says so in one line, and --resume ends in the same bits.

    python -m tests.faults.killed_ranks [--only transformer] [--moments 1 20]

The two are forked from this process, which has imported torch, and find each other as those of `torchrun` do: by RANK,
WORLD_SIZE and the address of a store. One kills itself at its n-th sum of gradients, or before an operation on files.
"""

from __future__ import annotations

import argparse
import importlib
import os
import shutil
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from torch import distributed

from regard.cli.main import main as regard
from regard.training.network.processes import GROUP_AS_DEFAULT
from tests.faults.forked import Ending, Operations, fork
from tests.support.reviews import write_reviews
from tests.support.texts import VERSE

LOST = (
    "regard: one of the processes that train together has ended, so the others have to; start the same command again "
    "with --resume, which goes on from the last checkpoint to the same result\n"
)
RUNS = {
    "recurrent": "train recurrent --text verse.txt --preset tiny --steps 40 --threads 1",
    "transformer": "train transformer --text verse.txt --preset tiny --steps 40 --threads 1",
    "averaging": "train averaging --data films.csv --test 0.2 --form classic --vectors none --width 4 --epochs 4",
}
MODULES = (
    "tests.support.small_presets",
    "torch._dynamo",
    "regard.training.averaging.train",
    "regard.training.network.resume",
    "regard.training.network.transformer",
    *GROUP_AS_DEFAULT,
)
"""What training imports, so that a forked process begins at once."""
SUMS, OPERATIONS = (1, 8, 60, 90), (15, 30)
"""At which sum of gradients, or before which operation on files, a process is killed: both have joined by then. Before
that, the one that is left waits for the other, and `torchrun` ends it."""


def train_together(words: str, folder: Path, victim: int = -1, hit: Callable[[], None] = lambda: None) -> list[Ending]:
    """Both processes from their beginning to their end; `hit` prepares the one that is to be killed."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    together = {"WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port), "GLOO_SOCKET_IFNAME": "lo"}

    def begin(rank: int) -> None:
        os.environ.update(together | {"RANK": str(rank), "LOCAL_RANK": str(rank)})
        if rank == victim:
            hit()

    started = [fork(lambda: regard(words.split()), folder, before=lambda rank=rank: begin(rank)) for rank in (0, 1)]
    return [process.wait() for process in started]


def at_sum(n: int) -> None:
    """Let this process be killed at its n-th sum of gradients."""
    add_up, done = distributed.all_reduce, list[int]()

    def count(*given: Any, **options: Any) -> Any:
        done.append(1)
        if len(done) == n:
            os.kill(os.getpid(), signal.SIGKILL)
        return add_up(*given, **options)

    distributed.all_reduce = count


def at_operation(folder: Path, n: int) -> None:
    """Let this process be killed before its n-th operation on files in a folder."""
    Operations(folder, n, lambda: os.kill(os.getpid(), signal.SIGKILL)).install()


def try_kills(name: str, ranks: list[int], sums: list[int], operations: list[int]) -> Iterator[tuple[str, str]]:
    """Each moment with what is wrong about what came of it."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place).resolve()
        (folder / "verse.txt").write_text(VERSE)
        write_reviews(folder / "films.csv", 60)
        ends = train_together(f"{RUNS[name]} --out whole", folder)
        assert [end.code for end in ends] == [0, 0], ends
        whole = (folder / "whole/model.safetensors").read_bytes()
        moments = [(rank, f"sum {n}", lambda n=n: at_sum(n)) for rank in ranks for n in sums]
        out = folder / "killed"
        moments += [(0, f"operation {n}", lambda n=n: at_operation(out, n)) for n in operations]
        for rank, moment, hit in moments:
            shutil.rmtree(out, ignore_errors=True)
            ends = train_together(f"{RUNS[name]} --out killed", folder, rank, hit)
            if [end.code for end in ends] == [0, 0]:  # the run has fewer of them
                continue
            yield f"{name}: process {rank} at {moment}", judge(name, folder, ends, rank, whole)


def judge(name: str, folder: Path, ends: list[Ending], killed: int, whole: bytes) -> str:
    """What is wrong after a kill, and after --resume; nothing, if all is well."""
    if ends[killed].code != -signal.SIGKILL:
        return f"it was not killed: {ends[killed].code}"
    other = ends[1 - killed]
    if other.code != 1 or other.err.count(LOST) != 1:
        return f"the other process ends with {other.code}: {other.err[-300:]!r}"
    again = train_together(f"{RUNS[name]} --out killed --resume", folder)
    if [end.code for end in again] != [0, 0]:
        return f"--resume fails: {again}"
    same = (folder / "killed/model.safetensors").read_bytes() == whole
    return "" if same else "--resume ends in another model"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", choices=RUNS, action="append")
    parser.add_argument("--ranks", type=int, nargs="*", default=[0, 1], help="which of the two are killed at a sum")
    parser.add_argument("--sums", type=int, nargs="*", default=list(SUMS))
    parser.add_argument("--operations", type=int, nargs="*", default=list(OPERATIONS))
    given = parser.parse_args()
    for module in MODULES:
        importlib.import_module(module)
    began, n_tried, n_wrong = time.monotonic(), 0, 0
    for name in given.only or RUNS:
        for what, wrong in try_kills(name, given.ranks, given.sums, given.operations):
            print(f"{what}: {wrong or 'ok'}", flush=True)
            n_tried, n_wrong = n_tried + 1, n_wrong + bool(wrong)
    print(f"{n_tried} kills, {n_wrong} wrong, in {time.monotonic() - began:.0f} s")
    sys.exit(n_wrong > 0)


if __name__ == "__main__":
    main()
