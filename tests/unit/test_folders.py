"""Folders that change at once: what is kept, what is removed, who may write."""

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.support.folders import contents, names

from regard import folders
from regard.errors import FolderBusyError, OutputFileError
from regard.files import sha256
from regard.folders import AtomicFolder, hold_lock

HOLDER = """
import sys, time
from pathlib import Path
from regard.folders import hold_lock
with hold_lock(Path(sys.argv[1]), shown=Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def before(folder: Path) -> dict[str, str]:
    return {path.name: sha256(path.read_bytes()) for path in folder.iterdir() if path.is_file()}


def saved(folder: Path, **files: bytes) -> AtomicFolder:
    """A folder after its first change."""
    folder.mkdir(exist_ok=True)
    place = AtomicFolder(folder)
    place.change(files, before={})
    return place


def test_files_come_stay_and_go(tmp_path: Path) -> None:
    place = saved(tmp_path / "a", one=b"1", two=b"2", last=b"0")
    assert contents(tmp_path / "a") == {"one": b"1", "two": b"2", "last": b"0"}
    place.change({"three": b"3", "last": b"9"}, before=before(place.path), kept=["two"])
    assert contents(tmp_path / "a") == {"two": b"2", "three": b"3", "last": b"9"}


def test_files_of_others_are_neither_removed_nor_replaced(tmp_path: Path) -> None:
    place = saved(tmp_path / "a", one=b"1", last=b"0")
    ours = before(place.path)
    (place.path / "thesis.tex").write_bytes(b"mine")
    (place.path / "one").write_bytes(b"changed since")
    place.change({"last": b"9"}, before=ours)  # without "one", which is no longer what was written
    assert contents(place.path) == {"thesis.tex": b"mine", "one": b"changed since", "last": b"9"}
    with pytest.raises(OutputFileError, match=r"thesis.tex was not written by Regard and stands in the way") as error:
        place.change({"thesis.tex": b"ours", "last": b"10"}, before={"last": ""})
    assert "\n" not in str(error.value)
    assert (place.path / "thesis.tex").read_bytes() == b"mine"
    assert place.read("thesis.tex") == b"ours"  # the new model is whole all the same
    assert place.read("last") == b"10"
    (place.path / "thesis.tex").rename(tmp_path / "thesis.tex")
    place.recover()
    assert contents(place.path) == {"one": b"changed since", "thesis.tex": b"ours", "last": b"10"}


def test_what_cannot_be_written_is_named_and_nothing_is_left(tmp_path: Path) -> None:
    place = saved(tmp_path / "a", one=b"1", last=b"0")
    program = (
        "import resource, sys; from pathlib import Path; from regard.folders import AtomicFolder\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        "AtomicFolder(Path(sys.argv[1])).change({'big': b'x' * 2000, 'last': b'1'}, before={'last': ''})"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(place.path)], capture_output=True, text=True, timeout=60, check=False
    )
    line = done.stderr.splitlines()[-1]
    assert line.startswith("regard.errors.OutputFileError: cannot write ")
    assert line.endswith("a/big: File too large; nothing in it was changed")
    assert contents(place.path) == {"one": b"1", "last": b"0"}


def test_leftovers_are_cleaned_only_of_dead_processes_and_only_our_files(tmp_path: Path) -> None:
    place = saved(tmp_path / "a", last=b"0")
    dead = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, check=True)
    pids = {"dead": int(dead.stdout), "alive": os.getppid()}
    for name, pid in pids.items():
        left = place.path / ".regard" / f"next-{pid}"
        (left / "files").mkdir(parents=True)
        (left / "change.json").write_text(json.dumps({"after": ["last"]}))
        (left / "files" / "last").write_text(name)
    mine = place.path / ".regard" / f"next-{pids['dead']}" / "files" / "thesis.tex"
    mine.write_text("mine")
    place.change({"last": b"1"}, before={"last": ""})
    left = contents(place.path / ".regard")
    assert left.pop(f"next-{pids['dead']}/files/thesis.tex") == b"mine"
    assert left[f"next-{pids['alive']}/files/last"] == b"alive"
    assert f"next-{pids['dead']}/files/last" not in left
    mine.unlink()
    place.recover()
    assert not (place.path / ".regard" / f"next-{pids['dead']}").exists()


def test_one_process_writes_and_the_second_is_told_which(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "model"
    holder = subprocess.Popen([sys.executable, "-c", HOLDER, str(folder)], stdout=subprocess.PIPE, text=True)
    assert holder.stdout is not None
    try:
        assert holder.stdout.readline() == "held\n"
        message = f"model is being written by process {holder.pid}; wait for it, or choose another folder"
        with pytest.raises(FolderBusyError, match=message), hold_lock(folder, shown=Path("model")):
            pass
    finally:
        holder.kill()  # the lock is the system's, and goes with the process
        holder.communicate()
    with hold_lock(folder, shown=Path("model")):
        assert (folder / ".regard" / "lock").read_text() == str(os.getpid())
        with pytest.raises(FolderBusyError), hold_lock(folder, shown=Path("model")):
            pass
    assert names(folder) == []


def test_a_lock_leaves_no_trace(tmp_path: Path) -> None:
    with hold_lock(tmp_path / "a" / "b", shown=Path("b")):
        assert (tmp_path / "a" / "b").is_dir()
    assert names(tmp_path) == []


def test_a_lock_that_was_removed_meanwhile_is_taken_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between opening and locking, the holder removed the file: ours would guard nothing."""
    removed = []

    def lock_late(lock, *, take=folders.try_lock):
        if not removed:
            removed.append((tmp_path / ".regard" / "lock").unlink())
        return take(lock)

    monkeypatch.setattr(folders, "try_lock", lock_late)
    with hold_lock(tmp_path, shown=tmp_path):
        assert (tmp_path / ".regard" / "lock").exists()


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with (
        pytest.raises(OutputFileError, match="cannot write to file/model: Not a directory; choose another folder"),
        hold_lock(tmp_path / "file" / "model", shown=Path("file/model")),
    ):
        pass
    assert contents(tmp_path) == {"file": b"mine"}


@pytest.mark.parametrize("name", ["_finish", "_move"])
def test_an_interrupt_after_a_change_was_made_finishes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    folder = AtomicFolder(tmp_path)
    method, calls = getattr(AtomicFolder, name), []

    def interrupted_once(self: AtomicFolder, *arguments: object) -> None:
        calls.append(name)
        if len(calls) == 1:
            raise KeyboardInterrupt
        method(self, *arguments)

    monkeypatch.setattr(AtomicFolder, name, interrupted_once)
    with pytest.raises(KeyboardInterrupt):
        folder.change({"a": b"1", "b": b"2"}, before={})
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"a": b"1", "b": b"2"}


def test_an_interrupt_while_the_lock_is_taken_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "open", interrupt)
    with pytest.raises(KeyboardInterrupt), hold_lock(tmp_path / "model", shown=tmp_path / "model"):
        raise AssertionError("it was not taken")
    assert names(tmp_path) == []


@pytest.mark.parametrize("k", [1, 2, 3])
def test_a_change_that_a_full_disk_stopped_halfway_is_read_whole_and_finished_by_the_next_writer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, k: int
) -> None:
    place = saved(tmp_path / "a", one=b"1", gone=b"2", last=b"3")
    new = {"one": b"11", "two": b"22", "last": b"33"}
    replace, calls = Path.replace, []

    def refuse(path: Path, to: Path) -> Path:
        calls.append(path)
        if len(calls) == k:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        return replace(path, to)

    with hold_lock(tmp_path / "a", shown=tmp_path / "a"), monkeypatch.context() as patched:
        patched.setattr(Path, "replace", refuse)
        with pytest.raises(OutputFileError, match="the new files wait there until the next save"):
            place.change(new, before=before(tmp_path / "a"))
    assert {name: place.read(name) for name in new} == new
    with hold_lock(tmp_path / "a", shown=tmp_path / "a"):
        place.recover()
    assert contents(tmp_path / "a") == new
