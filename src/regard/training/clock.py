"""What steps and checkpoints of a run take, by a clock that is handed in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from regard.training.network.schedule import Pace

SHORTEST_MEMORY = 50
"""A step's time is a mean over at least so many; of a long run, over a twentieth."""


class Clock:
    """Seconds since a run began, those of earlier sittings included, and how long things take lately."""

    def __init__(self, now: Callable[[], float], *, before: float) -> None:
        self._now, self._began = now, now() - before
        self._step_seconds, self._n_steps = 0.0, 0
        self._checkpoint_seconds, self._n_checkpoints = 0.0, 0

    def elapsed(self) -> float:
        """Seconds since the run began."""
        return self._now() - self._began

    def pace(self) -> Pace:
        """What has been measured."""
        return Pace(self.elapsed(), self._step_seconds, self._checkpoint_seconds)

    @contextmanager
    def step(self, *, n_steps: int) -> Iterator[None]:
        """Measures a step of a run of `n_steps`; a sitting's first, which is slow, counts only while it is alone."""
        start = self._now()
        yield
        self._n_steps += 1
        weight = 1 / max(1, min(self._n_steps - 1, max(SHORTEST_MEMORY, n_steps // 20)))
        self._step_seconds += weight * (self._now() - start - self._step_seconds)

    @contextmanager
    def checkpoint(self) -> Iterator[None]:
        """Measures an evaluation with all that comes with it; the first, a rehearsal, counts only while it is alone."""
        start = self._now()
        yield
        weight = 1 / max(1, self._n_checkpoints)
        self._n_checkpoints += 1
        self._checkpoint_seconds += weight * (self._now() - start - self._checkpoint_seconds)
