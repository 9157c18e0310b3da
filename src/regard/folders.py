"""Folders whose files change all at once, and which one process writes at a time.

folder/NAME                     what readers and other programs find
folder/.regard/                 there only while something is being written, or after it was interrupted
    lock                        held by the process that writes; the system lets go of it when that process dies
    next-PID/                   a change that is being prepared: worth nothing yet
    commit/                     a change that has been made: its files win over those of the same name in the folder
        change.json             the names before and after it
        files/NAME
    run/                        a folder of this kind again, for what is not complete yet
    work/NAME.part              numbers that memory does not hold; after a kill the next writer uses or removes them

One rename, of next-PID to commit, makes a change. Moving its files into the folder is housekeeping: a process that is
killed on the way leaves it to the next writer. Readers never write. No file is removed but those that a change names.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any

from regard.errors import FolderBusyError, OutputFileError
from regard.files import is_alive, sha256, try_lock

HIDDEN = ".regard"
LOCK, COMMIT, RUN, NEXT = "lock", "commit", "run", re.compile(r"next-(\d+)")
WORK, WORK_FILE = "work", re.compile(r"[a-z]+(-\d+)*\.part")
CHANGE, FILES = "change.json", "files"
MAX_LOCK_ATTEMPTS = 100


@dataclass(frozen=True)
class Change:
    """What becomes of a folder: names with their sha256 before, all names after, names of a run that ends with it."""

    before: dict[str, str] = field(default_factory=dict)
    after: list[str] = field(default_factory=list)
    run: list[str] = field(default_factory=list)

    def write(self, path: Path) -> None:
        """Write it as JSON."""
        write_synced(path, json.dumps(asdict(self)).encode())

    @classmethod
    def read(cls, path: Path) -> Change | None:
        """What `write` wrote; None where there is nothing, or only a part of it."""
        try:
            return cls(**json.loads(path.read_bytes()))
        except (OSError, ValueError, TypeError):
            return None


class AtomicFolder:
    """A folder whose files change all at once; a writer has to hold its lock."""

    def __init__(self, path: Path, *, shown: Path | None = None) -> None:
        self.path, self.shown = path, shown or path
        self._hidden = path / HIDDEN
        self._commit = self._hidden / COMMIT

    @property
    def run(self) -> AtomicFolder:
        """The folder inside this one for files of an unfinished run."""
        return AtomicFolder(self._hidden / RUN, shown=self.shown / HIDDEN / RUN)

    @contextmanager
    def work_folder(self, *, keep: bool = False) -> Iterator[Path]:
        """A folder for files NAME.part, all of which are removed in the end; the lock has to be held.

        It is empty, or `keep`s the files of a process that was killed.
        """
        folder = self._hidden / WORK
        if not keep:
            self.remove_work()
        with self._explain_errors("nothing in it was changed"):
            is_ours = keep and all(WORK_FILE.fullmatch(name) for name in _entries(folder))
            folder.mkdir(parents=True, exist_ok=is_ours)
        try:
            with self._explain_errors("nothing in it was changed"):
                yield folder
        finally:
            self.remove_work()

    def remove_work(self) -> None:
        """Remove the work files of a process that was killed, and their folder if nothing else is in it."""
        folder = self._hidden / WORK
        for name in _entries(folder):
            if WORK_FILE.fullmatch(name):
                (folder / name).unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            folder.rmdir()

    def names(self) -> set[str]:
        """What is in the folder, a change that was made included; not what is hidden."""
        found = _entries(self.path) | _entries(self._commit / FILES)
        return found - {HIDDEN}

    def unknown_hidden(self) -> set[str]:
        """What is in our hidden folder and was never put there by us."""
        known = {LOCK, COMMIT, RUN, WORK}
        return {f"{HIDDEN}/{name}" for name in _entries(self._hidden) - known if not NEXT.fullmatch(name)}

    def read(self, name: str) -> bytes:
        """The content of a file; FileNotFoundError where there is none."""
        for path in self._candidates(name):
            with contextlib.suppress(FileNotFoundError, NotADirectoryError):
                return path.read_bytes()
        raise FileNotFoundError(2, "No such file or directory", str(self.shown / name))

    def fingerprint(self, names: Collection[str]) -> tuple[Any, ...]:
        """Something that differs as soon as one of these files is another, or stands elsewhere."""
        return tuple(_identity(path) for name in sorted(names) for path in self._candidates(name))

    def _candidates(self, name: str) -> tuple[Path, Path]:
        return self._commit / FILES / name, self.path / name

    def change(
        self,
        files: Mapping[str, bytes | Path],
        *,
        before: Mapping[str, str],
        kept: Collection[str] = (),
        run: Collection[str] = (),
    ) -> None:
        """Put these files in the place of those of `before`, but for those `kept`; then end the run with files `run`.

        A file is given by its content, or as a file of the work folder, which is moved. The last of the files is the
        last to be moved to its place. OutputFileError, and nothing is changed, where they cannot be written.
        """
        self.recover()
        change = Change(dict(before), [*(name for name in kept if name not in files), *files], list(run))
        prepared = self._hidden / f"next-{os.getpid()}"
        try:
            try:
                with self._explain_errors("nothing in it was changed"):
                    self._prepare(prepared, change, files)
                    prepared.rename(self._commit)
                    sync_folder(self._hidden)
            finally:
                remove_prepared(prepared)
                self._tidy()
            self._finish()
        except Exception:
            raise
        except BaseException:  # Ctrl-C or SIGTERM: a change that has been made is finished all the same
            self.recover()
            raise

    def _prepare(self, prepared: Path, change: Change, files: Mapping[str, bytes | Path]) -> None:
        (prepared / FILES).parent.mkdir(parents=True)
        change.write(prepared / CHANGE)  # first: it says which files are ours, should this end here
        (prepared / FILES).mkdir()
        for name, content in files.items():
            try:
                if isinstance(content, Path):
                    content.rename(prepared / FILES / name)
                else:
                    write_synced(prepared / FILES / name, content)
            except OSError as error:
                raise OSError(error.errno, error.strerror, str(self.shown / name)) from error
        sync_folder(prepared / FILES)
        sync_folder(prepared)

    def recover(self) -> None:
        """Finish what an earlier writer had made, and remove what it had only prepared; its lock is ours now."""
        if self._commit.is_dir():
            self._finish()
        for name in _entries(self._hidden):
            found = NEXT.fullmatch(name)
            if found and (int(found[1]) == os.getpid() or not is_alive(int(found[1]))):
                remove_prepared(self._hidden / name)
        self._tidy()

    def _tidy(self) -> None:
        """Remove the hidden folder, unless something is in it, such as the lock."""
        with contextlib.suppress(OSError):
            self._hidden.rmdir()

    def _finish(self) -> None:
        """Move a change's files to their places, the last one last; remove what it has replaced."""
        change = Change.read(self._commit / CHANGE)
        if change is not None:
            with self._explain_errors("the new files wait there until the next save"):
                self._move(change)
                if change.run:
                    self.run.discard(change.run)
        with contextlib.suppress(OSError):
            (self._commit / FILES).rmdir()
        if not (self._commit / FILES).exists():
            (self._commit / CHANGE).unlink(missing_ok=True)
            self._commit.rmdir()
        self._tidy()

    def _move(self, change: Change) -> None:
        *others, last = change.after
        if not (self._commit / FILES / last).exists():
            return  # everything had been moved
        for name in others:
            self._move_file(name, change)
        for name in set(change.before) - set(change.after):
            _remove_ours(self.path / name, change.before[name])
        sync_folder(self.path)
        self._move_file(last, change)
        sync_folder(self.path)

    def _move_file(self, name: str, change: Change) -> None:
        source, target = self._candidates(name)
        if not source.exists():
            return  # it is kept, or has been moved
        if os.path.lexists(target) and name not in change.before:
            raise OutputFileError(
                f"{self.shown / name} was not written by Regard and stands in the way of the new model, which is whole "
                f"in {self.shown / HIDDEN / COMMIT}; move your file, and the next save puts the model in its place"
            )
        source.replace(target)

    def discard(self, names: Collection[str]) -> None:
        """Remove these files, and the folder if nothing else is in it."""
        if not self.path.is_dir():
            return
        self.recover()
        for name in names:
            (self.path / name).unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            self.path.rmdir()

    @contextmanager
    def _explain_errors(self, state: str) -> Iterator[None]:
        """Turn an error of the system into one that names the file and says what state the folder is in."""
        try:
            yield
        except OutputFileError:
            raise
        except OSError as error:
            name = error.filename or self.shown
            raise OutputFileError(f"cannot write {name}: {error.strerror or error}; {state}") from error


@contextmanager
def hold_lock(folder: Path, *, shown: Path) -> Iterator[None]:
    """Be the only process that writes to `folder`; it is made if needed, and removed again if it stays empty."""
    made = _missing(folder)
    try:
        lock = _take_lock(folder, shown)
    except BaseException:
        _remove_empty(folder, made)
        raise
    try:
        yield
    finally:
        # Removed while it is held: whoever opened it in the meantime sees that it is no longer the one in the folder.
        with contextlib.suppress(OSError):
            (folder / HIDDEN / LOCK).unlink()
        lock.close()
        with contextlib.suppress(OSError):  # on Windows an open file cannot be removed
            (folder / HIDDEN / LOCK).unlink(missing_ok=True)
        _remove_empty(folder, made)


def _remove_empty(folder: Path, made: list[Path]) -> None:
    """Remove the hidden folder and those that were made for it, unless something is in them."""
    with contextlib.suppress(OSError):
        for path in (folder / HIDDEN, *made):
            path.rmdir()


def _take_lock(folder: Path, shown: Path) -> IO[bytes]:
    path = folder / HIDDEN / LOCK
    for _ in range(MAX_LOCK_ATTEMPTS):
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            lock = path.open("a+b")
        except FileNotFoundError:  # another process has just tidied up
            continue
        except OSError as error:
            raise OutputFileError(f"cannot write to {shown}: {error.strerror}; choose another folder") from error
        if not try_lock(lock):
            lock.seek(0)
            number = lock.read().decode("ascii", "replace").strip() or "of another user"
            lock.close()
            raise FolderBusyError(
                f"{shown} is being written by process {number}; wait for it, or choose another folder"
            )
        if _identity(path) == _identity(lock.fileno()):
            lock.truncate(0)
            lock.write(str(os.getpid()).encode())
            lock.flush()
            return lock
        lock.close()
    raise FolderBusyError(f"{shown} is being written by other processes; wait for them, or choose another folder")


def _missing(folder: Path) -> list[Path]:
    """The folders that have to be made for this one, itself first."""
    return [path for path in (folder, *folder.parents) if not path.exists()]


def remove_prepared(prepared: Path) -> None:
    """Remove a change that was never made: the files that it names, and its folders if nothing else is in them."""
    if not prepared.is_dir():
        return
    change = Change.read(prepared / CHANGE) or Change()
    with contextlib.suppress(OSError):
        for name in change.after:
            (prepared / FILES / name).unlink(missing_ok=True)
        if (prepared / FILES).exists():
            (prepared / FILES).rmdir()
        (prepared / CHANGE).unlink(missing_ok=True)
        prepared.rmdir()


def write_synced(path: Path, content: bytes) -> None:
    """Write a file, and return when it is on the disk."""
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Return when the names in a folder are on the disk; Windows has no such thing."""
    if sys.platform == "win32":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _remove_ours(path: Path, expected: str) -> None:
    """Remove a file if its content is still the one that was written."""
    with contextlib.suppress(FileNotFoundError):
        if path.is_file() and not path.is_symlink() and sha256(path.read_bytes()) == expected:
            path.unlink()


def _entries(folder: Path) -> set[str]:
    try:
        return set(os.listdir(folder))
    except (FileNotFoundError, NotADirectoryError):
        return set()


def _identity(place: Path | int) -> tuple[int, ...] | None:
    try:
        found = os.stat(place)
    except (FileNotFoundError, NotADirectoryError):
        return None
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns
