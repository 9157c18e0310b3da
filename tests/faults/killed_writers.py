"""Every writer, ended or refused at each of its file operations: the old content stands or the new one, never half.

    python -m tests.faults.killed_writers [--fault killed] [--only "train ngram"]

Each command of docs/files.md and each cache runs in processes of their own, forked from this one, which has imported
everything; they meet a fault just before their k-th operation on files (opening to write, each half of a write, flush,
rename, removal …), for every k. Afterwards the output must hold what it held or what an undisturbed run writes, files
of the user's must be as they were, and the next run must succeed.

What trains while it writes would take hours so. There, one process runs to its end and everything is copied before each
operation: what a process that is killed there leaves. Some of these moments, spread over the run, are met by a kill all
the same, and what it leaves has to be what was copied.
"""

from __future__ import annotations

import argparse
import errno
import importlib
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from tests.faults.forked import Ending, Operations, fork
from tests.faults.stage import Stage
from tests.faults.writing_tasks import import_everything, prepare_inputs, tasks

NOBODY = 65534
"""The administrator may write anywhere; this user may not."""
N_REAL_KILLS = 6
"""So many of the moments of a training are met by a real kill."""
MAX_LIGHT = 6
"""For so few writers it is quicker to let each process import what it needs."""


class Case(NamedTuple):
    """One fault that was tried: what was hit how, and what is wrong with what came of it, if anything."""

    task: str
    fault: str
    place: str
    wrong: str


def _kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _interrupt() -> None:
    signal.raise_signal(signal.SIGINT)


def _terminate() -> None:
    signal.raise_signal(signal.SIGTERM)


def _refuse() -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


AT_EACH_OPERATION: dict[str, tuple[Callable[[], None], int, int]] = {
    "killed": (_kill, -signal.SIGKILL, 0),
    "interrupted": (_interrupt, 130, 1),
    "terminated": (_terminate, -signal.SIGTERM, 0),
    "disk full": (_refuse, 1, 1),
}
"""What happens, the exit code that it must lead to where it ends the work, and how many lines are printed then."""


def at_each_operation(stage: Stage, fault: str, most: int | None = None) -> Iterator[Case]:
    """The fault before each operation in turn; before at most so many, spread over the run."""
    if fault == "killed" and stage.task.trains:
        yield from killed_while_training(stage, most)
        return
    happen, code, n_lines = AT_EACH_OPERATION[fault]
    places = spread(worth_trying(stage.operations), most)
    meet = stage.serve(happen) if stage.task.writes_last else None
    for k, name in places:
        stage.reset()
        end = meet(k) if meet else stage.run(Operations(stage.place, k, happen).install)
        yield Case(stage.task.name, fault, f"operation {k}, {name}", stage.judge(end, code, n_lines))
    if meet:
        meet(0)


def killed_while_training(stage: Stage, most: int | None = None) -> Iterator[Case]:
    """As a kill before each operation of what trains while it writes, from one run that is copied at each of them."""
    killed = AT_EACH_OPERATION["killed"]
    with tempfile.TemporaryDirectory() as copies:
        stage.reset()
        watch = Operations(stage.place, everywhere=True)
        watch.fault = lambda: _copy(stage.place, Path(copies, str(len(watch.names))))

        def use() -> list[str]:
            assert stage.task.run() in (0, *stage.task.codes)
            return watch.names

        names: list[str] = fork(use, stage.place, before=watch.install).wait().result
        places = spread(worth_trying(names), most)
        really = {k for k, _ in spread(places, N_REAL_KILLS)}
        for k, name in places:
            stage.put(Path(copies, str(k)))
            if k in really:
                expected = stage.shape()
                stage.reset()
                stage.run(Operations(stage.place, k, killed[0]).install)
                if stage.shape() != expected:
                    yield Case(stage.task.name, "killed", f"operation {k}, {name}", "a kill leaves something else")
                    continue
            wrong = stage.judge(Ending(killed[1]), *killed[1:])
            yield Case(stage.task.name, "killed" if k in really else "copied", f"operation {k}, {name}", wrong)


def spread(places: list[tuple[int, str]], most: int | None) -> list[tuple[int, str]]:
    """At most so many of the places, the first and the last among them."""
    if most is None or len(places) <= most:
        return places
    return [places[round(i * (len(places) - 1) / (most - 1))] for i in range(most)]


def _copy(place: Path, to: Path) -> None:
    shutil.copytree(place, to, symlinks=True)


def worth_trying(operations: list[str]) -> list[tuple[int, str]]:
    """All operations with their numbers, but of writes that follow one another only the first two and the last two."""
    is_write = ["write" in name for name in ("", "", *operations, "", "")]
    return [
        (k, name)
        for k, name in enumerate(operations, start=1)
        if not (all(is_write[k - 1 : k + 2]) and all(is_write[k + 1 : k + 4]))
    ]


def small_files(stage: Stage) -> Iterator[Case]:
    """Files may not become larger than this, as on a disk that fills up while they are written."""
    for size in (0, 1, 100, 600):
        stage.reset()

        def limit(size: int = size) -> None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
            sys.stdout = sys.stderr = _Memory()

        end = stage.run(limit)
        yield Case(stage.task.name, "files of limited size", f"{size} bytes", stage.judge(end, 1, 0))


class _Memory:
    """What is printed goes nowhere: the limit holds for the files that catch it, too."""

    encoding = "utf-8"

    def write(self, text: str) -> int:
        return len(text)

    def flush(self) -> None: ...

    def isatty(self) -> bool:
        return False

    def fileno(self) -> int:
        return 2


def read_only(stage: Stage) -> Iterator[Case]:
    """A folder in which the user may not write."""
    stage.reset()
    for path in (stage.place, *stage.place.rglob("*")):
        if path.is_dir() and not path.is_symlink():
            path.chmod(0o555)

    def become_nobody() -> None:
        if os.getuid() == 0:
            os.setgid(NOBODY)
            os.setuid(NOBODY)

    stage.canaries = stage._canaries()
    before = stage._names()
    end = stage.run(become_nobody)
    wrong = ""
    if stage._names() != before or stage._canaries() != stage.canaries:
        wrong = "something was written"
    elif end.code not in ((0, 1, *stage.task.codes) if stage.task.may_be_absent else (1,)):
        wrong = f"exit code {end.code}: {end.err[-200:]!r}"
    elif end.code == 1 and not end.is_told:
        wrong = f"expected one line, got {end.err[-200:]!r}"
    for path in (stage.place, *stage.place.rglob("*")):
        if path.is_dir() and not path.is_symlink():
            path.chmod(0o755)
    yield Case(stage.task.name, "read-only folder", "", wrong)


def two_at_once(stage: Stage) -> Iterator[Case]:
    """Two processes that write the same; the second begins with each operation of the first in turn."""
    for k in sorted({1, len(stage.operations) // 2, len(stage.operations)} - {0}):
        stage.reset()
        reading, writing = os.pipe()

        def begin(writing: int = writing) -> None:
            os.write(writing, b"x")
            time.sleep(0.05)

        first = fork(stage.task.run, stage.place, before=Operations(stage.place, k, begin).install)
        os.read(reading, 1)
        os.close(reading)
        os.close(writing)
        second = stage.run()
        ends = (first.wait(), second)
        good = [end for end in ends if end.code in (0, *stage.task.codes)]
        busy = [end for end in ends if "is being written by" in end.err and end.is_told]
        if not good or len(good) + len(busy) < 2:
            wrong = f"{[(end.code, end.err[-150:]) for end in ends]}"
        else:
            wrong = stage.judge(good[0], 1, 0)
        yield Case(stage.task.name, "two at once", f"from operation {k} on", wrong)


OTHER_FAULTS: dict[str, Callable[[Stage], Iterator[Case]]] = {
    "files of limited size": small_files,
    "read-only folder": read_only,
    "two at once": two_at_once,
}


def try_all(
    only: list[str], faults: list[str], most: int | None = None, without: tuple[str, ...] = ()
) -> Iterator[Case]:
    """Each fault on each task whose name holds one of `only`, none of `without`; `most` as of `at_each_operation`."""
    chosen = [task for task in tasks() if any(words in task.name for words in only)]
    chosen = [task for task in chosen if not any(words in task.name for words in without)]
    if len(chosen) > MAX_LIGHT or "read-only folder" in faults:  # nobody may not read what is imported late
        import_everything()
    needs_models = any(task.needs_models for task in chosen)
    if needs_models:
        importlib.import_module("tests.support.small_presets")
    with tempfile.TemporaryDirectory() as place:
        root = Path(place).resolve()
        root.chmod(0o755)
        (root / "given").mkdir()
        end = fork(lambda: prepare_inputs(root / "given", models=needs_models), root).wait()
        assert end.code == 0, end
        for task in chosen:
            stage = Stage(root, root / "given", task)
            for fault in faults:
                found = OTHER_FAULTS.get(fault)
                yield from found(stage) if found else at_each_operation(stage, fault, most)


def table(cases: list[Case]) -> str:
    """How many of each fault were tried on how many writers, and what went wrong."""
    rows = [f"{'fault':24}{'writers':>9}{'cases':>8}{'wrong':>7}"]
    for fault in dict.fromkeys(case.fault for case in cases):
        of_it = [case for case in cases if case.fault == fault]
        writers = len({case.task for case in of_it})
        rows.append(f"{fault:24}{writers:9,}{len(of_it):8,}{sum(bool(case.wrong) for case in of_it):7,}")
    examples = Counter((case.task, case.fault, case.wrong) for case in cases if case.wrong)
    for (task, fault, wrong), count in examples.items():
        first = next(case.place for case in cases if (case.task, case.fault, case.wrong) == (task, fault, wrong))
        rows.append(f"  {task}, {fault} ({first}): {wrong}, {count} times")
    return "\n".join(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    known = [*AT_EACH_OPERATION, *OTHER_FAULTS]
    parser.add_argument("--fault", choices=known, action="append", help="by default all of them")
    parser.add_argument("--only", action="append", help="writers whose name holds this")
    parser.add_argument("--without", action="append", help="no writers whose name holds this", default=[])
    parser.add_argument("--places", type=int, help="try at most so many operations of each writer (from 2 on)")
    parser.add_argument("--verbose", action="store_true", help="a line for each case")
    given = parser.parse_args()
    began = time.monotonic()
    cases = []
    for case in try_all(given.only or [""], given.fault or known, given.places, tuple(given.without)):
        cases.append(case)
        if given.verbose:
            print(f"{case.task}: {case.fault}, {case.place}: {case.wrong or 'ok'}", flush=True)
    print(table(cases))
    print(f"{len(cases):,} cases in {time.monotonic() - began:.0f} s")
    sys.exit(any(case.wrong for case in cases))


if __name__ == "__main__":
    main()
