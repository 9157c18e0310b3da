"""A computation in a thread of its own: what it says can be looked at meanwhile, and it can be told to stop.

    def compute(report):
        for step in range(100):
            report(step / 100, f"step {step}", point=(step, loss))
        return model

    work = Computation(compute)
    work.start()          work.news()          work.stop()          work.result

It stops at its next report after it was told to, or when nobody has asked for news for a while: a closed tab does not
keep a processor busy. No more computations run at once than there are processors; others wait for their turn.
"""

from __future__ import annotations

import os
import sys
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, Literal, TypeAlias, TypeVar

from regard.errors import RegardError

T = TypeVar("T")
Point: TypeAlias = tuple[int | float, int | float]
State: TypeAlias = Literal["ready", "queued", "working", "done", "stopped", "failed"]
FINAL_STATES: tuple[State, ...] = ("done", "stopped", "failed")
MAX_SILENCE_SECONDS = 90.0
"""A browser asks only once a minute for a tab that lies behind others."""
MAX_POINTS = 2_000
MAX_CHARACTERS = 100_000
THREAD_NAME = "long work"
TURNS = threading.BoundedSemaphore(max(1, os.cpu_count() or 1))


class WorkStopped(BaseException):
    """Raised inside a computation that is to end; not an Exception, so that nothing on its way takes it for a fault."""


@dataclass(frozen=True)
class Status:
    """How it stands: the share done (None where that is unknown), a line, and the curve and the text so far."""

    state: State
    share: int | float | None = None
    line: str = ""
    points: tuple[Point, ...] = ()
    text: str = ""


@dataclass
class Report:
    """What a computation tells while it runs; each call is also where it may be stopped."""

    check: Callable[[], None]
    share: int | float | None = None
    line: str = ""
    points: list[Point] = field(default_factory=list)
    text: str = ""

    def __call__(self, share: int | float | None, message: str = "", *, point: Point | None = None) -> None:
        """Tell the share done and what is being done; `point` goes on a curve, such as step and loss."""
        self.check()
        self.share, self.line = share, message
        if point is not None and len(self.points) < MAX_POINTS:
            self.points.append(point)

    def write(self, text: str) -> None:
        """Put text after that which was written before."""
        self.check()
        self.text = (self.text + text)[:MAX_CHARACTERS]


class Computation(Generic[T]):
    """A function of a report, run at most once."""

    def __init__(
        self, compute: Callable[[Report], T], *, max_silence_seconds: int | float = MAX_SILENCE_SECONDS
    ) -> None:
        self.compute = compute
        self.max_silence_seconds = max_silence_seconds
        self.state: State = "ready"
        self.result: T | None = None
        self.failure = ""
        self._report = Report(self._check)
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
        """Let it end at its next report."""
        self._stop_requested.set()

    def status(self) -> Status:
        """How it stands now; asking also shows that somebody still waits for it."""
        self._last_asked = time.monotonic()
        report = self._report
        line = self.failure or ("waiting for other computations" if self.state == "queued" else report.line)
        return Status(self.state, report.share, line, tuple(report.points), report.text)

    def _check(self) -> None:
        if self._stop_requested.is_set() or time.monotonic() - self._last_asked > self.max_silence_seconds:
            raise WorkStopped

    def _run(self) -> None:
        state: State = "failed"
        try:
            while not TURNS.acquire(timeout=0.2):
                self._check()
            try:
                self.state = "working"
                self.result = self.compute(self._report)
                state = "done"
            finally:
                TURNS.release()
        except WorkStopped:
            state = "stopped"
        except RegardError as error:
            self.failure = str(error)
        except Exception:  # whatever it is, the page says that it failed and the terminal says how
            traceback.print_exc(file=sys.__stderr__)
            self.failure = "this went wrong; the lab's terminal says how"
        finally:
            self.state = state
