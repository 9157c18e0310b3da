"""Locks between processes."""

import os
import subprocess
import sys
from pathlib import Path

from regard.files import is_alive, try_lock, wait_for_lock

HOLDER = """
import sys
from regard.files import wait_for_lock
with open(sys.argv[1], "ab") as file:
    wait_for_lock(file)
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_lock_belongs_to_one_process_and_ends_with_it(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    command = [sys.executable, "-c", HOLDER, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with path.open("ab") as file:
            assert not try_lock(file)
            holder.kill()
            wait_for_lock(file)
            with path.open("ab") as other:
                assert not try_lock(other)
        with path.open("ab") as other:
            assert try_lock(other)
    assert not is_alive(holder.pid)


def test_this_process_is_alive_and_no_number_beyond_all_is() -> None:
    assert is_alive(os.getpid())
    assert not is_alive(1 << 40)
