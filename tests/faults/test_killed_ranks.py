"""One kill of two processes that train a transformer; `make faults` tries more moments and the other trainers."""

import os
from pathlib import Path

import pytest

from tests.support import command_server


@pytest.mark.slow
def test_a_killed_process_is_told_once_and_resume_ends_in_the_same_bits():
    code, out, err = command_server.run(
        *("--only", "transformer", "--ranks", "1", "--sums", "20", "--operations"),
        script=Path(__file__).with_name("killed_ranks.py"),
        environment=os.environ | {"OMP_NUM_THREADS": "1"},
    )
    assert code == 0, out + err
    assert out.startswith("transformer: process 1 at sum 20: ok\n1 kills, 0 wrong")
