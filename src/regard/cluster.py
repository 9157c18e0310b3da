"""Work that is shared by one process, several, or a cluster: independent batches, merged in order.

    one process         a plain loop
    --workers 4         four processes of this machine, which talk over pipes: no port is opened
    --scheduler ADDR    the workers of a `dask.distributed` scheduler, wherever they run (extra `scale`)

A task is a function of a module and its arguments; given the same arguments it returns the same bytes, so that it may
be done twice. What comes back is written to the cache at once. A worker that dies, a scheduler that goes away, a run
that is killed: what was finished is not done again, and everything is merged once, in the order of the batches. So the
figures are the same to the last bit for any number of workers.

Dask's connections carry pickles: anybody who can reach a scheduler can run code on all of its workers. Use it in a
network that you trust, or with certificates (`tls://`, which Dask's own settings name).
"""

from __future__ import annotations

import contextlib
import multiprocessing
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeAlias

from regard.errors import ClusterError, CorpusError, MissingExtraError, OutputFileError
from regard.files import cache_folder, sha256, write_output
from regard.progress import Progress, silent
from regard.records import ALONE, Workers

Task: TypeAlias = Callable[..., bytes]
"""A function that a worker can import, from plain arguments to bytes."""
IN_FLIGHT = 3
"""Batches handed out for each worker: one at work, others waiting, so that none is idle."""
MAX_FAILURES = 20
"""How often in a row a pool or a scheduler may be lost while no batch is finished."""
SECONDS_BETWEEN = 1.0
"""How long to wait before a lost scheduler is asked again."""
CONNECT_SECONDS = 10
FOLDER = "batches"


@dataclass(frozen=True)
class SharedBytes:
    """Bytes that many batches have as an argument; they are equal, and shown, by their checksum alone.

    A worker can keep what it has made of them, for the next batch has the same ones.
    """

    checksum: str
    content: bytes = field(repr=False, compare=False)

    @classmethod
    def of(cls, content: bytes) -> SharedBytes:
        """These bytes with their checksum."""
        return cls(sha256(content), content)


def map_batches(
    task: Task,
    batches: Iterable[tuple[Any, ...]],
    *,
    workers: Workers = ALONE,
    total: int | None = None,
    progress: Progress = silent,
    message: str = "batches",
) -> Iterator[bytes]:
    """What `task` returns for the arguments of each batch, in their order.

    Batches are taken as they are needed, so that there may be more of them than memory holds. An error that a task
    raises is raised here.

    >>> list(map_batches(lambda n: b"." * n, [(1,), (3,)]))
    [b'.', b'...']
    """
    for done, result in enumerate(_run_in_order(task, batches, workers), start=1):
        progress(done / total if total else None, message)
        yield result


def _run_in_order(task: Task, batches: Iterable[tuple[Any, ...]], workers: Workers) -> Iterator[bytes]:
    if workers.are_here:
        yield from (task(*batch) for batch in batches)
        return
    pool = _Pool(workers)
    kept = _Kept(task)
    waiting: dict[int, bytes] = {}
    coming, next_index = enumerate(batches), 0
    try:
        while True:
            while len(pool.batches) + len(waiting) < pool.room and (found := next(coming, None)) is not None:
                index, batch = found
                result = kept.read(batch)
                if result is None:
                    pool.submit(index, task, batch)
                else:
                    waiting[index] = result
            if not pool.batches and not waiting:
                break
            if next_index not in waiting:
                for index, batch, result in pool.wait_for_batches():
                    kept.write(batch, result)
                    waiting[index] = result
            while next_index in waiting:
                yield waiting.pop(next_index)
                next_index += 1
        kept.remove()
    finally:
        pool.close()


class _Kept:
    """Results in the cache folder, each under the checksum of its task and arguments, with one of its own."""

    def __init__(self, task: Task) -> None:
        self._task = f"{version('regard')} {task.__module__}.{task.__qualname__}"
        self._used: list[Path] = []
        try:
            self._folder: Path | None = cache_folder() / FOLDER
        except CorpusError:  # no place for a cache: nothing is kept
            self._folder = None

    def _path(self, batch: tuple[Any, ...]) -> Path | None:
        assert not any(hasattr(argument, "__array__") for argument in batch), "the repr of an array leaves numbers out"
        return None if self._folder is None else self._folder / f"{sha256(f'{self._task} {batch!r}')}.result"

    def read(self, batch: tuple[Any, ...]) -> bytes | None:
        """The result of an earlier run; None where there is none, or it is damaged."""
        path = self._path(batch)
        if path is None:
            return None
        with contextlib.suppress(OSError):
            checksum, _, result = path.read_bytes().partition(b"\n")
            if checksum.decode("ascii", "replace") == sha256(result):
                self._used.append(path)
                return result
        return None

    def write(self, batch: tuple[Any, ...], result: bytes) -> None:
        """Write a result to the disk; where that fails, this run still has it, and only a new run computes it again."""
        path = self._path(batch)
        if path is not None:
            with contextlib.suppress(OSError, OutputFileError):
                path.parent.mkdir(parents=True, exist_ok=True)
                write_output(path, sha256(result).encode() + b"\n" + result)
                self._used.append(path)

    def remove(self) -> None:
        """Remove the results of a run that has come to its end."""
        for path in self._used:
            path.unlink(missing_ok=True)
        if self._folder is not None:
            with contextlib.suppress(OSError):
                self._folder.rmdir()


class _Pool:
    """Batches at work; those of a pool or a scheduler that was lost are handed out again."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._executor: Any = None
        self._failures = 0
        self._was_open = False
        self.batches: dict[int, tuple[Task, tuple[Any, ...]]] = {}
        self._futures: dict[Any, int] = {}

    @property
    def room(self) -> int:
        """How many batches may be at work or waiting for an earlier one."""
        return IN_FLIGHT * (self._workers.count if self._workers.scheduler is None else self._cores())

    def _cores(self) -> int:
        with contextlib.suppress(OSError):
            return max(sum(self._open().ncores().values()), 1)
        return 1

    def submit(self, index: int, task: Task, batch: tuple[Any, ...]) -> None:
        """Hand out a batch."""
        self.batches[index] = task, batch
        self._hand_out(index)

    def _hand_out(self, index: int) -> None:
        task, batch = self.batches[index]
        with contextlib.suppress(BrokenProcessPool, OSError):  # `finished` finds out, and hands it out again
            extra = {} if self._workers.scheduler is None else {"pure": False}  # else Dask would take it for done
            self._futures[self._open().submit(_attempt, task, *batch, **extra)] = index

    def wait_for_batches(self) -> list[tuple[int, tuple[Any, ...], bytes]]:
        """Wait until one or more batches are finished; return them with their results."""
        found: list[tuple[int, tuple[Any, ...], bytes]] = []
        while not found:
            try:
                for future in self._wait():
                    result = future.result()
                    index = self._futures.pop(future)
                    _, batch = self.batches.pop(index)
                    if isinstance(result, Exception):
                        raise _TaskError(result)
                    found.append((index, batch, result))
                self._failures = 0
            except _TaskError as error:
                raise error.reason from None
            except self._losses() as error:
                self._start_again(error)
        return found

    def _wait(self) -> list[Any]:
        if len(self._futures) < len(self.batches):
            raise ConnectionError("some batches of work could not be handed to the workers")
        if self._workers.scheduler is None:
            return list(wait(self._futures, return_when=FIRST_COMPLETED).done)
        import distributed

        with self._open().as_current():
            return list(distributed.wait(list(self._futures), return_when=FIRST_COMPLETED).done)

    def _losses(self) -> tuple[type[BaseException], ...]:
        """What is raised when workers or a scheduler have gone."""
        if self._workers.scheduler is None:
            return (BrokenProcessPool, OSError)
        import asyncio

        import distributed

        return (OSError, CancelledError, asyncio.CancelledError, distributed.KilledWorker)

    def _start_again(self, error: BaseException) -> None:
        self._failures += 1
        if not self._was_open:
            raise ClusterError(
                f"cannot reach {self._workers.scheduler}: {error}; start a scheduler with 'dask scheduler'"
            )
        if self._failures > MAX_FAILURES:
            where = self._workers.scheduler or "this machine"
            raise ClusterError(
                f"the workers of {where} were lost {MAX_FAILURES} times without finishing a batch ({error}); "
                "see why they end (memory?), then run the command again: what was finished is kept"
            ) from error
        self._executor, lost = None, self._executor
        self._futures.clear()
        _end(lost)
        if self._workers.scheduler is not None:
            time.sleep(SECONDS_BETWEEN)
        for index in list(self.batches):
            self._hand_out(index)

    def _open(self) -> Any:
        if self._executor is None:
            scheduler = self._workers.scheduler
            self._executor = _start_processes(self._workers.count) if scheduler is None else _connect(scheduler)
            self._was_open = True
        return self._executor

    def close(self) -> None:
        """Let go of the workers; those of this machine end."""
        _end(self._executor)


class _TaskError(Exception):
    """Carries what a task has raised past what a lost worker raises."""

    def __init__(self, reason: Exception) -> None:
        super().__init__(reason)
        self.reason = reason


def _attempt(task: Task, *batch: Any) -> bytes | Exception:
    """Run a task in a worker: return its result or its error, so that an error is not taken for a lost worker."""
    try:
        return task(*batch)
    except Exception as error:
        return error


def _start_processes(count: int) -> Executor:
    return ProcessPoolExecutor(count, mp_context=multiprocessing.get_context("spawn"))


def _connect(scheduler: str) -> Any:
    try:
        import distributed
    except ImportError:
        raise MissingExtraError("a scheduler needs dask: pip install 'regard[scale]'") from None
    return distributed.Client(scheduler, timeout=CONNECT_SECONDS, set_as_default=False)


def _end(executor: Any) -> None:
    if executor is None:
        return
    with contextlib.suppress(Exception):  # it is gone, or about to go
        if isinstance(executor, Executor):
            executor.shutdown(wait=False, cancel_futures=True)
        else:
            executor.close(timeout=2)
