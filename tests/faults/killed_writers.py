"""Every writer, ended or refused at each of its file operations: the old content stands or the new one, never half.

    python -m tests.faults.killed_writers [--fault killed] [--only "train ngram"]

Each command of docs/files.md and each cache runs in processes of their own, forked from this one, which has imported
everything; they meet a fault just before their k-th operation on files (opening to write, each half of a write, flush,
rename, removal …), for every k. Afterwards the output must hold what it held or what an undisturbed run writes, files
of the user's must be as they were, and the next run must succeed.
"""

from __future__ import annotations

import argparse
import errno
import importlib
import os
import re
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tests.faults.forked import Ending, Operations, fork
from tests.faults.writing_tasks import Task, import_everything, prepare_inputs, tasks
from tests.support.writers import put_canaries, state

NOBODY = 65534
"""The administrator may write anywhere; this user may not."""
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


class Stage:
    """A folder with inputs, files of the user's and what was there before, made anew for each case."""

    def __init__(self, root: Path, given: Path, task: Task) -> None:
        self.given, self.task, self.place = given, task, root / "place"
        self.tried: set[tuple[Any, ...]] = set()
        self.reset()
        self.old = self.look()
        watch = Operations(self.place)

        def use() -> list[str]:
            assert task.run() in (0, 1)
            return watch.names

        end = fork(use, self.place, before=watch.install).wait()
        assert end.code == 0, (task.name, end)
        self.operations: list[str] = end.result
        self.new = self.look()
        assert self.new != self.old, task.name
        self.names_after = self._names()

    def reset(self) -> None:
        """As it was before."""
        self.place.mkdir(exist_ok=True)
        for path in self.place.iterdir():  # not the folder itself: a process may be in it
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
        shutil.copytree(self.given, self.place, symlinks=True, dirs_exist_ok=True)
        put_canaries(self.place, "out.npy", "out.png", "out.csv")
        self.task.prepare(self.place)
        self.canaries = self._canaries()

    def _canaries(self) -> dict[str, Any]:
        return {
            name: found
            for name, found in state(self.place, self.task.output, "cache").items()
            if (found[0] is not None and not name.startswith(".regard-")) or name == f".regard-{'0' * 16}.part"
        }

    def look(self) -> Any:
        """What the output holds, as the task tells it."""
        try:
            return self.task.look(self.place)
        except Exception as error:
            return f"{type(error).__name__}: {error}"

    def _names(self) -> set[str]:
        return {path.relative_to(self.place).as_posix() for path in self.place.rglob("*")}

    def leftovers(self) -> set[str]:
        """What a run leaves beside its output."""
        return {
            name
            for name in self._names() - self.names_after
            if not any(part.startswith(self.task.may_leave) for part in Path(name).parts)
        }

    def run(self, before: Callable[[], None] = lambda: None) -> Ending:
        """Run the task once."""
        return fork(self.task.run, self.place, before=before).wait()

    def serve(self, fault: Callable[[], None]) -> Callable[[int], Ending]:
        """Runs the task up to its first operation; what is returned has it meet the fault at the k-th, 0 ends it."""
        self.reset()
        (asked, ask), (answered, answer) = os.pipe(), os.pipe()
        requests = Operations(self.place, 0, fault, requests=(asked, answer))

        def begin() -> None:
            os.close(ask)
            requests.install()

        process = fork(self.task.run, self.place, before=begin)
        os.close(asked)
        os.close(answer)
        if not os.read(answered, 4):  # until it waits, it reads the files that the next reset removes
            raise RuntimeError(f"{self.task.name} ended before its first operation: {process.wait()}")

        def meet(k: int) -> Ending:
            if k == 0:
                os.close(ask)
                os.close(answered)
                return process.wait()
            os.write(ask, k.to_bytes(4))
            code = os.waitstatus_to_exitcode(int.from_bytes(os.read(answered, 4)))
            return Ending(code, *process.printed())

        return meet

    def judge(self, end: Ending, code: int | None, n_lines: int) -> str:
        """What is wrong after a run that ended like this, and after another one; nothing, if all is well."""
        found = self.look()
        if found not in (self.old, self.new) and not (self.task.may_be_absent and found is None):
            return f"the output is neither old nor new: {str(found)[:80]}"
        if end.code in (0, *self.task.codes):
            if found != self.new:
                return f"exit code {end.code}, but the output is old"
        elif end.code != code:
            return f"exit code {end.code}: {end.err[-200:]!r}"
        elif n_lines and not (end.err.startswith("regard: ") and end.err.count("\n") == 1):
            return f"expected one line, got {end.err[-200:]!r}"
        if self._canaries() != self.canaries:
            return "files of the user's have changed"
        # What waits in a model's .regard is the next writer's to finish and to remove, which is looked at below.
        stray = {name for name in self.leftovers() if ".regard" not in Path(name).parts}
        if end.code >= 0 and stray:
            return f"left {sorted(stray)[:3]}"
        shape = (found == self.new, *sorted(re.sub(r"-[0-9a-f]{16}|-[0-9]+", "-", name) for name in self._names()))
        if shape in self.tried:  # the next run has been seen to succeed from here
            return ""
        self.tried.add(shape)
        again = self.run()
        if again.code not in (0, *self.task.codes) or self.look() != self.new:
            return f"the next run fails: {again.code}, {again.err[-200:]!r}"
        if self._canaries() != self.canaries:
            return "the next run changes files of the user's"
        left = {name for name in self.leftovers() if not Path(name).name.startswith(".regard-")}
        return f"the next run leaves {sorted(left)[:3]}" if left else ""


def at_each_operation(stage: Stage, fault: str) -> Iterator[Case]:
    """The fault before each operation in turn."""
    happen, code, n_lines = AT_EACH_OPERATION[fault]
    places = worth_trying(stage.operations)
    meet = stage.serve(happen) if stage.task.writes_last else None
    for k, name in places:
        stage.reset()
        end = meet(k) if meet else stage.run(Operations(stage.place, k, happen).install)
        yield Case(stage.task.name, fault, f"operation {k}, {name}", stage.judge(end, code, n_lines))
    if meet:
        meet(0)


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
    elif end.code == 1 and not (end.err.startswith("regard: ") and end.err.count("\n") == 1):
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
        busy = [end for end in ends if "is being written by" in end.err and end.err.count("\n") == 1]
        if not good or len(good) + len(busy) < 2:
            wrong = f"{[(end.code, end.err[-150:]) for end in ends]}"
        else:
            wrong = stage.judge(good[0], 1, 0)
        yield Case(stage.task.name, "two at once", f"from operation {k} on", wrong)


FAULTS: dict[str, Callable[[Stage], Iterator[Case]]] = {
    **{fault: (lambda stage, fault=fault: at_each_operation(stage, fault)) for fault in AT_EACH_OPERATION},
    "files of limited size": small_files,
    "read-only folder": read_only,
    "two at once": two_at_once,
}


def try_all(only: list[str], faults: list[str]) -> Iterator[Case]:
    """Each fault on each task whose name holds one of `only`."""
    chosen = [task for task in tasks() if any(words in task.name for words in only)]
    if len(chosen) > MAX_LIGHT:
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
                yield from FAULTS[fault](stage)


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
    parser.add_argument("--fault", choices=FAULTS, action="append", help="by default all of them")
    parser.add_argument("--only", action="append", help="writers whose name holds this")
    parser.add_argument("--verbose", action="store_true", help="a line for each case")
    given = parser.parse_args()
    began = time.monotonic()
    cases = []
    for case in try_all(given.only or [""], given.fault or list(FAULTS)):
        cases.append(case)
        if given.verbose:
            print(f"{case.task}: {case.fault}, {case.place}: {case.wrong or 'ok'}", flush=True)
    print(table(cases))
    print(f"{len(cases):,} cases in {time.monotonic() - began:.0f} s")
    sys.exit(any(case.wrong for case in cases))


if __name__ == "__main__":
    main()
