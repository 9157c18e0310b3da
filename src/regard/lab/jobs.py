"""A computation in a thread of its own: a page can show how far it is, and can stop it.

    def compute(progress):
        for step in range(100):
            progress(step / 100, f"step {step}")
            progress.add_point(step, loss)
        return model

    work = Computation(compute)
    work.start()          work.status()          work.stop()          work.result

It stops at its next call of `progress` after it was asked to, or when nobody has asked for its status for a while: a
closed tab does not keep a processor busy. No more computations run at once than there are processors; others wait in a
queue, where nobody who has one running already is before somebody who has none, and the next is one from the address
with the fewest running. The queue is bounded in all, for each address and for each visitor.
"""

from __future__ import annotations

import os
import sys
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from regard.errors import RegardError, ValueRangeError

T = TypeVar("T")
Point: TypeAlias = tuple[int | float, int | float]
State: TypeAlias = Literal["ready", "queued", "working", "done", "stopped", "failed"]
FINAL_STATES: tuple[State, ...] = ("done", "stopped", "failed")
MAX_SILENCE_SECONDS = 90.0
"""A browser asks only once a minute for a tab that lies behind others."""
MAX_POINTS = 2_000
MAX_CHARACTERS = 100_000
THREAD_NAME = "long work"
MAX_QUEUE = 60
MAX_QUEUE_PEER = 40
"""Of these, computations of one address, however many visitors it may have: others find room."""
MAX_QUEUE_EACH = 4
"""Of these, computations of one visitor; those of whom nothing is known share half of the queue."""
ASK_SECONDS = 0.2
MAX_PAUSE_SECONDS = 0.2


_failures: set[tuple[str, int, type[BaseException]]] = set()


def is_new_failure(error: BaseException) -> bool:
    """Whether no error of this kind has come from this place in the code before.

    A visitor who has found a question that fails can ask it a thousand times; the terminal shows it once.
    """
    last = traceback.extract_tb(error.__traceback__)[-1:]
    place = (last[0].filename, last[0].lineno or 0, type(error)) if last else ("", 0, type(error))
    is_new = place not in _failures
    _failures.add(place)
    return is_new


def report_failure(error: BaseException) -> None:
    """Show an unforeseen error in the terminal, the first time."""
    if is_new_failure(error):
        traceback.print_exception(error, file=sys.__stderr__)


class Foreground:
    """Short answers that somebody waits for; long computations give way to them.

    All threads of Python share one interpreter, so that a short answer beside two long computations would get a third
    of it.
    """

    def __init__(self) -> None:
        self.n_answers = 0
        self._is_free = threading.Event()
        self._is_free.set()

    def begin(self) -> None:
        """A short answer is asked for."""
        self.n_answers += 1
        self._is_free.clear()

    def end(self) -> None:
        """It is there, or given up."""
        self.n_answers -= 1
        if self.n_answers == 0:
            self._is_free.set()

    def give_way(self, worked_seconds: float) -> None:
        """Wait until nobody waits for a short answer, but no longer than three times as long as was worked before."""
        self._is_free.wait(min(MAX_PAUSE_SECONDS, 3 * worked_seconds))


FOREGROUND = Foreground()


class WorkStopped(BaseException):
    """Raised inside a computation that is to end; not an Exception, so that nothing on its way takes it for a fault."""


class Turns:
    """Lets a limited number of computations run at once, in the order in which they came, one for each visitor."""

    def __init__(self, n_at_once: int) -> None:
        self.n_at_once = n_at_once
        self.waiting: list[Computation[Any]] = []
        self.running: list[Computation[Any]] = []
        self._changed = threading.Condition()

    def take(self, work: Computation[Any], check: Callable[[], None]) -> None:
        """Wait for a turn; `check` is called now and then, and may raise."""
        with self._changed:
            self._require_room(work)
            self.waiting.append(work)
            try:
                while not self._may_begin(work):
                    self._changed.wait(ASK_SECONDS)
                    check()
                self.running.append(work)
            finally:
                self.waiting.remove(work)
                self._changed.notify_all()

    def _require_room(self, work: Computation[Any]) -> None:
        """Raise ValueRangeError where the queue is full: as a whole, for this address, or for this visitor."""
        if len(self.waiting) >= MAX_QUEUE:
            raise ValueRangeError(f"{MAX_QUEUE} computations wait already; try again in a few minutes")
        most = MAX_QUEUE_EACH if work.visitor is not None else max(1, MAX_QUEUE // 2)
        if sum(other.visitor == work.visitor for other in self.waiting) >= most:
            raise ValueRangeError(f"{most} computations of yours wait already; stop one, or wait for them")
        if work.peer is not None and sum(other.peer == work.peer for other in self.waiting) >= MAX_QUEUE_PEER:
            raise ValueRangeError(
                f"{MAX_QUEUE_PEER} computations from your address wait already; try again in a few minutes"
            )

    def give_back(self, work: Computation[Any]) -> None:
        """The work is over."""
        with self._changed:
            self.running.remove(work)
            self._changed.notify_all()

    def place(self, work: Computation[Any]) -> int:
        """How many begin before this one, and one; 1 is the next."""
        with self._changed:
            order = self._order()
            return order.index(work) + 1 if work in order else 1

    def _order(self) -> list[Computation[Any]]:
        """The waiting visitors, the next one first: with none running, from addresses with the fewest, by arrival."""
        busy = {other.visitor for other in self.running if other.visitor is not None}
        peers = Counter(other.peer or "" for other in self.running)
        return sorted(self.waiting, key=lambda other: (other.visitor in busy, peers[other.peer or ""]))

    def _may_begin(self, work: Computation[Any]) -> bool:
        if len(self.running) >= self.n_at_once or self._order()[0] is not work:
            return False
        return work.visitor is None or all(other.visitor != work.visitor for other in self.running)


TURNS = Turns(max(1, os.cpu_count() or 1))


@dataclass(frozen=True)
class Status:
    """How far it is: the share done (None where unknown), what is being done, the curves and the text so far."""

    state: State
    share: int | float | None = None
    message: str = ""
    points: tuple[Point, ...] = ()
    text: str = ""
    validation: tuple[Point, ...] = ()


@dataclass
class JobProgress:
    """A `regard.progress.Progress` that a page shows, with a curve and text beside it; a call may stop the work."""

    check: Callable[[], None]
    share: int | float | None = None
    message: str = ""
    points: list[Point] = field(default_factory=list)
    text: str = ""
    validation: list[Point] = field(default_factory=list)
    resumed: float = field(default_factory=time.monotonic)

    def __call__(self, share: int | float | None, message: str = "") -> None:
        """Take the share that is done, from 0 to 1 or None where it cannot be known, and what is being done."""
        self._pause()
        self.share, self.message = share, message

    def _pause(self) -> None:
        """Stop if that is wanted, and give way to short answers."""
        self.check()
        FOREGROUND.give_way(time.monotonic() - self.resumed)
        self.resumed = time.monotonic()

    def add_point(self, x: int | float, y: int | float) -> None:
        """Put a point on the curve, such as step and loss."""
        if len(self.points) < MAX_POINTS:
            self.points.append((x, y))

    def add_validation_point(self, x: int | float, y: int | float) -> None:
        """Put a point on the second curve: the loss on text that is not learnt from, such as at every checkpoint."""
        if len(self.validation) < MAX_POINTS:
            self.validation.append((x, y))

    def write(self, text: str) -> None:
        """Put text after that which was written before."""
        self._pause()
        self.text = (self.text + text)[:MAX_CHARACTERS]

    def show(self, text: str) -> None:
        """Put text in the place of that which was written before."""
        self.text = text[:MAX_CHARACTERS]


class Computation(Generic[T]):
    """A function that takes its progress, run at most once; `visitor` and `peer` say whose and from where, if known."""

    def __init__(
        self,
        compute: Callable[[JobProgress], T],
        *,
        visitor: str | None = None,
        peer: str | None = None,
        max_silence_seconds: int | float = MAX_SILENCE_SECONDS,
    ) -> None:
        self.compute = compute
        self.visitor, self.peer = visitor, peer
        self.max_silence_seconds = max_silence_seconds
        self.state: State = "ready"
        self.result: T | None = None
        self.failure = ""
        self._progress = JobProgress(self._check)
        self._stop_requested = threading.Event()
        self._last_asked = time.monotonic()
        self._starting = threading.Lock()

    @property
    def is_over(self) -> bool:
        """Whether nothing more will happen."""
        return self.state in FINAL_STATES

    def start(self) -> None:
        """Begin, unless it has begun already."""
        with self._starting:
            if self.state == "ready":
                self.state = "queued"
                self._last_asked = time.monotonic()
                threading.Thread(target=self._run, name=THREAD_NAME, daemon=True).start()

    def stop(self) -> None:
        """Let it end at its next call of `progress`."""
        self._stop_requested.set()

    def status(self) -> Status:
        """How far it is now; asking also shows that somebody still waits for it."""
        self._last_asked = time.monotonic()
        progress = self._progress
        place = f"waiting for other computations: number {TURNS.place(self)} in the queue"
        waiting = place if self.state == "queued" else progress.message
        points, validation = tuple(progress.points), tuple(progress.validation)
        return Status(self.state, progress.share, self.failure or waiting, points, progress.text, validation)

    def _check(self) -> None:
        if self._stop_requested.is_set() or time.monotonic() - self._last_asked > self.max_silence_seconds:
            raise WorkStopped

    def _run(self) -> None:
        state: State = "failed"
        try:
            turns = TURNS
            turns.take(self, self._check)
            try:
                self.state = "working"
                self.result = self.compute(self._progress)
                state = "done"
            finally:
                turns.give_back(self)
        except WorkStopped:
            state = "stopped"
        except RegardError as error:
            self.failure = str(error)
        except Exception as error:  # whatever it is, the page says that it failed and the terminal says how
            report_failure(error)
            self.failure = "this went wrong; the lab's terminal says how"
        finally:
            self.state = state
