"""Work for the tests of `regard.cluster`: it can be imported by workers, and can be caught in the middle."""

import os
import signal
import time
from pathlib import Path

from regard.errors import ValueRangeError


def square(number: int, folder: str = "") -> bytes:
    """The square as text; leaves a note in the folder each time it is begun."""
    if folder:
        (Path(folder) / f"{number}-{os.getpid()}-{time.monotonic_ns()}").touch()
        time.sleep(0.05)
    return str(number * number).encode()


def square_once_killed(number: int, folder: str) -> bytes:
    """As `square`; number 3 kills its worker the first time."""
    mark = Path(folder) / "killed"
    if number == 3 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return square(number, folder)


def refuse(number: int) -> bytes:
    """An error of ours for an odd number."""
    if number % 2:
        raise ValueRangeError(f"{number} is odd")
    return b"even"
