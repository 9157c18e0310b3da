"""A save that is killed at any of its file operations leaves the old model or the new one, and others' files alone."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import tests.support.crashing

HOME = Path(__file__).parents[3]
FILES = ["background.safetensors", "config.json", "model.safetensors", "tokeniser.json"]


def killed(folder: Path, scenario: str) -> list[dict]:
    """What each kill left."""
    environment = os.environ | {
        "PYTHONPATH": f"{HOME}{os.pathsep}{HOME / 'src'}",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
    }
    command = [sys.executable, tests.support.crashing.__file__, str(folder), scenario]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    ("scenario", "before"),
    [("first", "nothing"), ("replaced", "old"), ("earlier", "old"), ("run", "old"), ("resumed", "old")],
)
def test_a_kill_at_any_file_operation(tmp_path: Path, scenario: str, before: str) -> None:
    rows = killed(tmp_path / "root", scenario)
    assert len(rows) > 20
    found = [row["found"] for row in rows]
    n_before = found.count(before)
    assert 0 < n_before < len(rows)
    assert found == [before] * n_before + ["new"] * (len(rows) - n_before)  # one point, and no way back
    assert all(row["later"] and row["are_canaries_there"] for row in rows)
    assert {tuple(row["left"]) for row in rows} == {tuple(FILES)}
    if scenario == "resumed":
        assert all(row["can_go_on"] for row in rows)
