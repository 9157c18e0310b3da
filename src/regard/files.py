"""Files that are whole or not there at all; the folder of what can be fetched or made again; checksums; locks.

The rule for every file that Regard writes (docs/files.md lists them all):

- it is written under a new name in the same folder, `.regard-<random>.part`, flushed to the disk, and renamed; whatever
  goes wrong before that, the file that had the name is untouched and nothing is left beside it;
- only a plain file that is not write-protected is replaced, and it keeps its permissions; a link stays a link, and
  the file it leads to is replaced;
- what is no plain file (`/dev/stdout`, `/dev/null`, a pipe) is written to directly.

A lock is one on an open file, which the system releases when its process ends: by flock, on Windows by locking a byte.
"""

from __future__ import annotations

import errno
import gzip
import hashlib
import io
import os
import stat
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from regard.errors import CorpusError, OutputFileError

ADVICE = {
    errno.ENOSPC: "free some space, or choose another place",
    errno.EDQUOT: "free some space, or choose another place",
    errno.EFBIG: "choose a place where files may be larger",
    errno.EACCES: "choose a place where you may write",
    errno.EPERM: "choose a place where you may write",
    errno.EROFS: "choose a place where you may write",
    errno.ENAMETOOLONG: "choose a shorter name",
    errno.ELOOP: "the link leads to itself; choose another name",
}
"""What to do about each error of the system."""


@contextmanager
def open_output(path: Path | str) -> Iterator[io.BufferedWriter]:
    """A file to write bytes to; it takes the name `path` when the block has ended without an error.

    Raises OutputFileError, which names `path`, where it cannot be written.
    """
    path = Path(path)
    require_writable(path)
    stream = _open_stream(path)
    if stream is not None:
        with _buffer(stream, path, seekable=False) as file:
            yield file
        return
    target = Path(os.path.realpath(path))
    raw = _create_beside(target, named=path)
    unfinished = Path(raw.name)
    try:
        with _buffer(raw, path, seekable=True) as file:
            yield file
            file.flush()
            with _explain_errors(path):
                os.fsync(raw.fileno())
        with _explain_errors(path):
            _keep_permissions(target, unfinished)
            unfinished.replace(target)
            _flush_folder(target.parent)
    finally:
        unfinished.unlink(missing_ok=True)


@contextmanager
def open_packed(path: Path | str) -> Iterator[io.BufferedIOBase]:
    """Open a file as `open_output` does; if its name ends in .gz, compress what is written, reproducibly."""
    with open_output(path) as raw:
        if Path(path).suffix != ".gz":
            yield raw
            return
        with gzip.GzipFile(filename="", fileobj=raw, mode="wb", compresslevel=6, mtime=0) as packed:
            yield packed


def write_output(path: Path | str, content: bytes) -> None:
    """Write a whole file at once, as `open_output` does."""
    with open_output(path) as file:
        file.write(content)


def require_writable(path: Path | str) -> None:
    """Raise OutputFileError where a file cannot be written; worth asking before the content is computed."""
    path = Path(path)
    state = _state(path)
    if state is not None and not stat.S_ISREG(state.st_mode):
        if stat.S_ISDIR(state.st_mode):
            raise OutputFileError(f"cannot write {path}: it is a folder; give the name of a file")
        return  # a device or a pipe: opening it will tell
    # The system lets its administrator write anywhere; a file without any permission to write is meant to stay.
    if state is not None and not (state.st_mode & 0o222 and os.access(path, os.W_OK)):
        raise OutputFileError(f"cannot write {path}: it is write-protected; choose another name, or remove it")
    folder = Path(os.path.realpath(path)).parent if path.is_symlink() else path.parent
    if not folder.is_dir():
        raise OutputFileError(f"cannot write {path}: there is no folder {folder}; make it first, or choose another")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise OutputFileError(
            f"cannot write {path}: the folder {folder} is write-protected; choose a place where you may write"
        )


def is_stream(path: Path) -> bool:
    """Whether a path names the standard output or error, a device or a pipe: what is written to directly."""
    state = _state(path)
    if state is None or stat.S_ISDIR(state.st_mode):
        return False
    return not stat.S_ISREG(state.st_mode) or _standard_stream(state) is not None


def is_one_of(path: Path, inputs: Collection[Path]) -> bool:
    """Whether `path` is there, and is one of these files or within one of these folders, by whatever name."""
    if not path.is_file():
        return False
    target = path.resolve()
    return any(
        path.samefile(each) if each.is_file() else each.is_dir() and target.is_relative_to(each.resolve())
        for each in inputs
    )


def remove_folder(folder: Path, names: Collection[str]) -> bool:
    """Remove a folder that holds nothing but plain files of these names; else leave all of it, and return False."""
    try:
        if not all(path.name in names and path.is_file() for path in folder.iterdir()) or any(
            path.is_symlink() for path in (folder, *folder.iterdir())
        ):
            return False
        for name in names:
            (folder / name).unlink(missing_ok=True)
        folder.rmdir()
    except OSError:  # it is in use, it is not ours, or something has just been put into it
        return False
    return True


def cache_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """Where fetched files are kept: REGARD_CACHE, or `regard` in the user's folder for such things."""
    if chosen := environment.get("REGARD_CACHE"):
        return Path(chosen).expanduser()
    xdg = environment.get("XDG_CACHE_HOME", "")
    if Path(xdg).is_absolute():  # its specification says to ignore any other
        return Path(xdg) / "regard"
    if sys.platform == "win32" and (local := environment.get("LOCALAPPDATA")):
        return Path(local) / "regard" / "cache"
    folder = "Library/Caches" if sys.platform == "darwin" else ".cache"
    try:
        return Path.home() / folder / "regard"
    except RuntimeError:
        raise CorpusError("this user has no home folder for the cache; set REGARD_CACHE to a folder") from None


def sha256(data: bytes | str) -> str:
    """The sha256 of bytes, or of a text as UTF-8, in hexadecimal.

    >>> sha256("abc")[:8]
    'ba7816bf'
    """
    return hashlib.sha256(data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data).hexdigest()


def file_sha256(path: Path) -> str | None:
    """The sha256 of a file in hexadecimal; None where there is no such file."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return None


class _Output(io.RawIOBase):
    """A file whose errors name it as the user does.

    It hides its descriptor: NumPy would write past it and say "512 requested and 0 written" of a full disk.
    """

    def __init__(self, raw: io.FileIO, path: Path, *, seekable: bool) -> None:
        self._raw, self._path, self._seekable = raw, path, seekable

    def writable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return self._seekable

    def write(self, data: Any, /) -> int:
        with _explain_errors(self._path):
            return self._raw.write(data)

    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        if not self._seekable:
            raise io.UnsupportedOperation("a stream can only be written from its beginning to its end")
        return self._raw.seek(offset, whence)

    def close(self) -> None:
        if not self.closed:
            with _explain_errors(self._path):
                self._raw.close()
        super().close()


def _buffer(raw: io.FileIO, path: Path, *, seekable: bool) -> io.BufferedWriter:
    return io.BufferedWriter(_Output(raw, path, seekable=seekable))


def _open_stream(path: Path) -> io.FileIO | None:
    """What is no plain file, opened; or a copy of the standard output, which must not be replaced while it is used."""
    state = _state(path)
    if state is None or not is_stream(path):
        return None
    number = _standard_stream(state)
    with _explain_errors(path):
        return io.FileIO(path if number is None else os.dup(number), "wb")


def _standard_stream(state: os.stat_result) -> int | None:
    """The descriptor of the standard output or error, if that is where it leads; what was printed so far is flushed."""
    for number, stream in ((1, sys.stdout), (2, sys.stderr)):
        with suppress(OSError):  # a stream that is closed
            if os.path.samestat(state, os.fstat(number)):
                if stream is not None:
                    stream.flush()
                return number
    return None


def _create_beside(target: Path, *, named: Path) -> io.FileIO:
    """A new file in the folder of `target`: "x" never opens one that is there, whatever its name."""
    while True:
        with _explain_errors(named), suppress(FileExistsError):
            return io.FileIO(target.with_name(f".regard-{os.urandom(8).hex()}.part"), "xb")


def _keep_permissions(old: Path, new: Path) -> None:
    state = _state(old)
    if state is None:
        return
    with suppress(OSError, AttributeError):  # only the administrator may give a file away
        os.chown(new, state.st_uid, state.st_gid)
    new.chmod(stat.S_IMODE(state.st_mode))


def _flush_folder(folder: Path) -> None:
    """Have the new name on the disk too, on systems where a folder can be flushed."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _state(path: Path) -> os.stat_result | None:
    with _explain_errors(path), suppress(FileNotFoundError, NotADirectoryError):
        return path.stat()
    return None


@contextmanager
def _explain_errors(path: Path) -> Iterator[None]:
    """Turns an error of the system into one line that names the file and says what to do."""
    try:
        yield
    except BrokenPipeError:  # the reader has left, as `head` does: no fault of the file's
        raise
    except OSError as error:
        advice = ADVICE.get(error.errno or 0, "choose another place")
        raise OutputFileError(f"cannot write {path}: {error.strerror or error}; {advice}") from error


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
