"""`regard` with the presets of `small_presets`, killed as by a power cut some time after it has written a certain file.

    KILLED_AFTER=model/training.json python killed_run.py WORDS

A process by itself is killed when it is about to write the next checkpoint. Of two that train together, the second is
killed in its next step. So a run need not be long for the kill to come before its end.
"""

import os
import signal
import sys
from collections.abc import Iterable
from pathlib import Path

from torch import Tensor

import tests.support.small_presets  # noqa: F401
from regard.cli.main import main
from regard.training.network.processes import Processes


def _die_once_written() -> None:
    if Path(os.environ["KILLED_AFTER"]).exists():
        os.kill(os.getpid(), signal.SIGKILL)


def _see_and_rename(path: Path, target: Path, *, rename=Path.rename) -> Path:
    _die_once_written()
    return rename(path, target)


def _see_and_sum(self: Processes, tensors: Iterable[Tensor], *, sum_in_place=Processes.sum_in_place) -> None:
    _die_once_written()
    sum_in_place(self, tensors)


if __name__ == "__main__":
    if "RANK" not in os.environ:
        Path.rename = _see_and_rename
    elif os.environ["RANK"] == "1":
        Processes.sum_in_place = _see_and_sum
    sys.exit(main())
