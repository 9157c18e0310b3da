"""What the searches for faults share: limits on time and memory, what a use came to, and the table of it."""

from __future__ import annotations

import argparse
import resource
import signal
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from regard.errors import RegardError

MEMORY = 2**31
"""What reading and using one small file, folder or array may take."""
Faults = Mapping[tuple[str, str, str], Sequence[object]]


class Outcome(NamedTuple):
    """What a call came to: `kind` is answered, refused, or one of the faults."""

    kind: str
    detail: str = ""

    @property
    def is_fault(self) -> bool:
        """Whether a user would have been let down."""
        return self.kind not in ("answered", "refused")


class TooLong(Exception):
    """The call has used up its CPU time."""


def try_use(use: Callable[[], Any], *, seconds: float, judge: Callable[[Any], Outcome]) -> Outcome:
    """Use something within limits of time and memory, and say what it came to; `judge` looks at an answer."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            with limit_cpu(seconds), limit_memory(MEMORY):
                answer = use()
        except RegardError as error:
            text = str(error)
            return (
                Outcome("refused", text[:90])
                if text and "\n" not in text
                else Outcome("unclear message", repr(text)[:80])
            )
        except Warning as warning:
            return Outcome("warned", f"{type(warning).__name__}: {warning}"[:90])
        except TooLong:
            return Outcome("took too long")
        except MemoryError:
            return Outcome("took too much memory")
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:  # a panic of Rust code is no Exception
            return Outcome("other error", f"{type(error).__name__}: {error}"[:90])
    return judge(answer)


@contextmanager
def limit_cpu(seconds: float) -> Iterator[None]:
    """Raise TooLong where the block takes more CPU time than this."""

    def stop(*_: object) -> None:
        raise TooLong

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@contextmanager
def limit_memory(n_bytes: int) -> Iterator[None]:
    """Have the system refuse more memory than this beyond what the process has."""
    now = int(Path("/proc/self/statm").read_text("ascii").split()[0]) * resource.getpagesize()
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (now + n_bytes, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def search(description: str, n_cases: int, run: Callable[[range], tuple[Counter[str], Faults]]) -> None:
    """The command line of a search: try the cases asked for, print what they came to, and fail where one is a fault."""
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("--cases", type=int, default=n_cases)
    parser.add_argument("--seed", type=int, default=0, help="number of the first case")
    given = parser.parse_args()
    began = time.process_time()
    kinds, faults = run(range(given.seed, given.seed + given.cases))
    for kind, count in kinds.most_common():
        print(f"{count:8,}  {kind}")
    for fault, cases in sorted(faults.items()):
        print(f"  {' '.join(fault)}: {len(cases)} times, such as {cases[0]}")
    print(f"{given.cases:,} cases in {time.process_time() - began:.0f} s CPU")
    sys.exit(bool(faults))
