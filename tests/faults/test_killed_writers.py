"""A short run of writers that are killed and refused; `make faults` tries all of them at every operation."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.faults.forked import Ending
from tests.faults.killed_writers import at_each_operation, worth_trying
from tests.faults.stage import Stage
from tests.faults.writing_tasks import Task

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_some_writers_leave_the_old_or_the_new():
    words = ["--only", "word vectors", "--only", "archives", "--fault", "killed", "--fault", "disk full"]
    command = [sys.executable, "-m", "tests.faults.killed_writers", *words, "--fault", "two at once"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert int(done.stdout.rsplit("\n", 2)[-2].split()[0]) > 25  # or nothing was tried


@pytest.mark.slow
def test_a_writer_that_removes_before_it_writes_is_found(tmp_path):
    def write_rashly() -> int:
        Path("out.txt").unlink()
        Path("out.txt").write_bytes(b"new")
        return 0

    given = tmp_path / "given"
    given.mkdir()
    task = Task(
        "rash",
        "out.txt",
        prepare=lambda place: (place / "out.txt").write_bytes(b"old"),
        run=write_rashly,
        look=lambda place: (place / "out.txt").read_bytes(),
    )
    cases = list(at_each_operation(Stage(tmp_path, given, task), "killed"))
    assert [bool(case.wrong) for case in cases] == [False, True]
    assert "neither old nor new" in cases[1].wrong


def test_of_many_writes_in_a_row_the_first_and_the_last_are_tried():
    names = ["open", *["write"] * 9, "rename"]
    assert [k for k, _ in worth_trying(names)] == [1, 2, 3, 9, 10, 11]
    assert len(worth_trying(names[:5])) == 5


def test_progress_is_no_second_line():
    epochs = "epoch 1: 0.7 nats\nepoch 2: 0.6 nats\n"
    full = "regard: cannot write model: No space left on device; nothing in it was changed\n"
    assert Ending(1, err=full).is_told
    assert Ending(1, err=epochs + full).is_told
    assert not Ending(1, err=epochs).is_told
    assert not Ending(1, err=full + full).is_told
    assert not Ending(1, err="Traceback\n" + full).is_told
