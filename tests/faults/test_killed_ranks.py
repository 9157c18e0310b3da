"""One kill of two processes that train a transformer; `make faults` tries more moments and the other trainers."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_a_killed_process_is_told_once_and_resume_ends_in_the_same_bits():
    words = ["--only", "transformer", "--ranks", "1", "--sums", "20", "--operations"]
    done = subprocess.run(
        [sys.executable, "-m", "tests.faults.killed_ranks", *words],
        cwd=ROOT,
        env=os.environ | {"OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("transformer: process 1 at sum 20: ok\n1 kills, 0 wrong")
