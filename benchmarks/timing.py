"""CPU time, which a busy machine disturbs less than the clock."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def timed(job: Callable[[], T]) -> tuple[T, float]:
    """What the job gives, and the CPU seconds it took."""
    start = time.process_time()
    result = job()
    return result, time.process_time() - start


def cpu_seconds(job: Callable[[], object], *, repeats: int = 5) -> float:
    """Median CPU time of a call."""
    return statistics.median(timed(job)[1] for _ in range(repeats))
