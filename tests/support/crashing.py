"""A save that is killed at its k-th file operation, for every k; run as a script, it prints what was left each time.

    python crashing.py FOLDER SCENARIO

Each save runs in a process of its own, forked from this one, which kills itself as by a power cut just before its k-th
operation on files. What is left is then read, and a further save must succeed and tidy up.
"""

import json
import os
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from regard import folders
from regard.errors import CheckpointError
from regard.models.checkpoint import load_model
from regard.models.folder_writer import run_place, save, writing
from regard.models.ngram.model import NgramConfig, fit_ngram
from tests.support.folders import contents, unlist

OLD = fit_ngram("to be or not to be " * 9, NgramConfig(order=2, method="kneser-ney"))
NEW = fit_ngram("all the world's a stage " * 9, NgramConfig(order=3, method="kneser-ney"))
CHECKPOINT = fit_ngram("alas, poor Yorick " * 9, NgramConfig(order=2, method="kneser-ney"))
STALE = {"training.json": b"{}", "tokenizer.json": b"[]"}
CANARIES = {"thesis.tex": b"years of work", ".model.old/notes.txt": b"mine", ".model.7/config.json": b"{}"}


def save_old(folder: Path) -> None:
    save(OLD, folder, beside=STALE)


def save_old_as_before(folder: Path) -> None:
    save_old(folder)
    unlist(folder)


def save_new(folder: Path) -> None:
    save(NEW, folder, force=True)


def train_new_apart(folder: Path) -> None:
    """A run: two checkpoints apart from the model, one of them without a new network, then the end."""
    with writing(folder, force=True) as place:
        save(CHECKPOINT, place, beside=STALE, is_complete=False)
        place.update({"training.json": b"[1]"}, without=["tokenizer.json"], is_complete=False)
        save(NEW, place, beside={"history.jsonl": b""})


def go_on(folder: Path) -> None:
    """The end of a run that is there: its last files become the folder's model."""
    with writing(folder, kind="ngram", resume=True) as place:
        save(NEW, place, beside=STALE, is_complete=False)
        place.update({"training.json": b"[2]"}, is_complete=True)


def begin_apart(folder: Path) -> None:
    save_old(folder)
    with writing(folder, force=True) as place:
        save(CHECKPOINT, place, beside=STALE, is_complete=False)


SCENARIOS: dict[str, tuple[Callable[[Path], Any], Callable[[Path], Any]]] = {
    "first": (lambda folder: None, save_new),
    "replaced": (save_old, save_new),
    "earlier": (save_old_as_before, save_new),
    "run": (save_old, train_new_apart),
    "resumed": (begin_apart, go_on),
}
"""What is there before, and what is then killed."""


def kill_at(k: int, root: Path) -> None:
    """From now on, kill this process just before its k-th operation that changes files below `root`."""
    left = [k]

    def count() -> None:
        left[0] -= 1
        if left[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def audit(event: str, args: tuple[Any, ...]) -> None:
        is_write = event == "open" and isinstance(args[2], int) and args[2] & (os.O_WRONLY | os.O_RDWR)
        if (is_write or event in CHANGES) and str(args[0]).startswith(str(root)):
            count()

    sys.addaudithook(audit)
    folders.os.fsync = lambda descriptor: count()


CHANGES = {"os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.truncate"}


def name_of(folder: Path) -> str:
    """Which of the models a reader finds."""
    try:
        model = load_model(folder)
    except CheckpointError as error:
        return "nothing" if "no model folder" in str(error) else str(error)
    for name, expected in (("old", OLD), ("new", NEW), ("a checkpoint", CHECKPOINT)):
        if model.background.digest.sha256 == expected.background.digest.sha256:
            same = all((model.arrays()[key] == array).all() for key, array in expected.arrays().items())
            return name if same and model.tokeniser.vocabulary == expected.tokeniser.vocabulary else "a mixture"
    return "unknown"


def killed_save(root: Path, scenario: str, k: int) -> dict[str, Any] | None:
    """What a save leaves that is killed before its k-th operation; None where it comes to its end before."""
    shutil.rmtree(root, ignore_errors=True)
    for name, content in CANARIES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(content)
    prepare, save_in_scenario = SCENARIOS[scenario]
    folder = root / "model"
    prepare(folder)
    child = os.fork()
    if child == 0:
        kill_at(k, root)
        save_in_scenario(folder)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if not os.WIFSIGNALED(status):
        assert os.waitstatus_to_exitcode(status) == 0
        return None
    found = {"k": k, "found": name_of(folder), "can_go_on": can_go_on(folder)}
    later = "old" if k % 2 else "new"  # either must be possible from here on
    save(OLD if later == "old" else NEW, folder, force=True)
    left = {name: content for name, content in contents(root).items() if content is not None}
    canaries = {name: left.pop(name, None) for name in CANARIES}
    return found | {
        "later": name_of(folder) == later,
        "left": sorted(name.removeprefix("model/") for name in left),
        "are_canaries_there": canaries == CANARIES,
    }


def can_go_on(folder: Path) -> bool:
    """Whether the run is there, whole."""
    try:
        load_model(run_place(folder).path)
    except CheckpointError:
        return False
    return True


if __name__ == "__main__":
    folders.os.fsync = lambda descriptor: None  # a killed process takes nothing with it that the system has
    rows, k = [], 1
    while (row := killed_save(Path(sys.argv[1]), sys.argv[2], k)) is not None:
        rows.append(row)
        k += 1
    print(json.dumps(rows))
