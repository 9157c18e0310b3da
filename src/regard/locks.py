"""Locks on open files, which the system releases when their process ends: by flock, on Windows by locking a byte."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import IO

LOCK_BYTE = 1 << 30
"""Windows does not let others read a locked byte. So it is one far behind what is written into the file."""

try_lock: Callable[[IO[bytes]], bool]
wait_for_lock: Callable[[IO[bytes]], None]

if sys.platform == "win32":
    import msvcrt
    import time

    def try_lock(lock: IO[bytes]) -> bool:
        """Lock a file if no other process has locked it, and say whether it is locked now."""
        lock.seek(LOCK_BYTE)
        try:
            msvcrt.locking(lock.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def wait_for_lock(lock: IO[bytes]) -> None:
        """Lock a file as soon as no other process has it locked."""
        while not try_lock(lock):
            time.sleep(0.1)

else:
    import errno
    import fcntl

    def try_lock(lock: IO[bytes]) -> bool:
        """Lock a file if no other process has locked it, and say whether it is locked now."""
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError as error:  # a file system without locks cannot tell, and lets everybody in
            return error.errno in (errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOLCK)
        return True

    def wait_for_lock(lock: IO[bytes]) -> None:
        """Lock a file as soon as no other process has it locked."""
        fcntl.flock(lock, fcntl.LOCK_EX)


def is_alive(pid: int) -> bool:
    """Whether there is a process of this number; on Windows, where asking is not harmless, it is assumed."""
    if sys.platform == "win32":
        return True
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:  # another user's
        return True
    return True
