"""A folder in which a writer is hit, and what has to hold of it afterwards, for `killed_writers`."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.faults.forked import Ending, Operations, fork
from tests.faults.writing_tasks import Task
from tests.support.writers import put_canaries, state

BEST_IS_KEPT = "the best network so far is in model, "


class Stage:
    """A folder with inputs, files of the user's and what was there before, made anew for each case."""

    def __init__(self, root: Path, given: Path, task: Task) -> None:
        self.given, self.task, self.place = given, task, root / "place"
        self.tried: set[tuple[Any, ...]] = set()
        self.reset()
        self.old, self.names_before = self.look(), self._names()
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

    def put(self, copied: Path) -> None:
        """As it was when it was copied."""
        shutil.rmtree(self.place)
        shutil.copytree(copied, self.place, symlinks=True)

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

    def shape(self) -> list[str]:
        """The names of all files, without what is random in them."""
        return sorted(re.sub(r"-[0-9a-f]{16}|-[0-9]+", "-", name) for name in self._names())

    def leftovers(self) -> set[str]:
        """What a run leaves beside its output."""
        return {
            name
            for name in self._names() - self.names_before - self.names_after
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
        # A trainer of networks that is interrupted keeps the best network so far, whole, and says so.
        keeps_best = end.code == 130 and end.is_told and BEST_IS_KEPT in end.err and found[:1] == self.new[:1]
        if found not in (self.old, self.new) and not keeps_best and not (self.task.may_be_absent and found is None):
            return f"the output is neither old nor new: {str(found)[:80]}"
        # `check` also ends with 1 where a claim does not hold, once its page is written; then it prints no such line
        if end.code in (0, *self.task.codes) and not (end.code == code and end.is_told):
            if found != self.new:
                return f"exit code {end.code}, but the output is old"
        elif end.code != code:
            return f"exit code {end.code}: {end.err[-200:]!r}"
        elif n_lines and not end.is_told:
            return f"expected one line, got {end.err[-200:]!r}"
        if self._canaries() != self.canaries:
            return "files of the user's have changed"
        # What waits in a model's .regard is the next writer's to finish and to remove, which is looked at below.
        stray = {name for name in self.leftovers() if ".regard" not in Path(name).parts}
        if keeps_best:  # with what --resume goes on from
            stray.discard("model/training.safetensors")
        if end.code >= 0 and stray:
            return f"left {sorted(stray)[:3]}"
        shape = (found == self.new, *self.shape())
        if shape in self.tried:  # the next run has been seen to succeed from here
            return ""
        self.tried.add(shape)
        again = self.run()
        if again.code not in (0, *self.task.codes) or self.look() != self.new:
            return f"the next run fails: {again.code}, {again.err[-200:]!r}"
        if self._canaries() != self.canaries:
            return "the next run changes files of the user's"
        left = {name for name in self._names() - self.names_after if not Path(name).name.startswith(".regard-")}
        left = {name for name in left if not any(part.startswith(self.task.may_leave) for part in Path(name).parts)}
        return f"the next run leaves {sorted(left)[:3]}" if left else ""
