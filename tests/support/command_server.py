"""Commands of Regard in processes of their own that need not import anything: each is forked from one that has.

    python -m tests.support.command_server SOCKET

is the process that has: it starts with the first command of a test run, forks for each one, and ends with the run.
What it starts is a process like any other, with its own environment, folder, streams and number, and can be killed.
Only how a command starts, and what it imports, has to be tested in another way.
"""

from __future__ import annotations

import array
import atexit
import contextlib
import gc
import importlib
import json
import os
import pkgutil
import runpy
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import traceback
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import IO, Any

import regard

ROOT = Path(__file__).parents[2]
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "PYTHONUTF8": "1"}
PYTHON_PATH = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
CPU_SECONDS = [0.0]
"""What all commands that have ended spent; `os.times` of the test run does not know of them."""


class Command:
    """A command that was started: its number, and once it has ended its exit code."""

    def __init__(self, pid: int, end: Callable[[], tuple[int, float]], streams: list[IO[bytes]]) -> None:
        self.pid, self.returncode = pid, None
        self._end, self._streams, self._printed = end, streams, ["", ""]

    def communicate(self) -> tuple[str, str]:
        """Wait for its end: what it printed, and its errors, unless they went to the same place."""
        self.wait()
        return self._printed[0], self._printed[1]

    def wait(self) -> int:
        """Wait for its end; its exit code, negative for a signal."""
        if self.returncode is None:
            self.returncode, seconds = self._end()
            CPU_SECONDS[0] += seconds
            for i, stream in enumerate(self._streams):
                stream.seek(0)
                self._printed[i] = stream.read().decode("utf-8")
                stream.close()
        return self.returncode

    def kill(self) -> None:
        """End it at once."""
        if self.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)


def start(
    *words: str,
    script: str | os.PathLike[str] = "",
    folder: str | os.PathLike[str] = ".",
    environment: Mapping[str, str] | None = None,
    join_streams: bool = False,
) -> Command:
    """Begin `regard WORDS`, or a script with these words, in a folder; its standard input is empty."""
    streams = [tempfile.TemporaryFile() for _ in range(1 if join_streams else 2)]  # noqa: SIM115
    used = dict(os.environ if environment is None else environment)
    if sys.platform != "linux":  # elsewhere libraries start threads of their own, or nothing can be forked
        program = [os.fspath(script)] if script else ["-m", "regard"]
        process = subprocess.Popen(
            [sys.executable, *program, *words], cwd=folder, env=used | {"PYTHONPATH": PYTHON_PATH},
            stdin=subprocess.DEVNULL, stdout=streams[0], stderr=streams[-1],
        )  # fmt: skip
        return Command(process.pid, lambda: (process.wait(), 0.0), streams)
    request = {"words": words, "script": os.fspath(script), "folder": os.path.abspath(folder), "environment": used}
    theirs, ours = socket.socketpair()
    with theirs, open(os.devnull, "rb") as nothing:
        descriptors = [stream.fileno() for stream in (theirs, nothing, streams[0], streams[-1])]
        _send(_server()[0], json.dumps(request).encode(), descriptors)
    with ours:
        answers = ours.makefile("rb")

    def end() -> tuple[int, float]:
        with answers:
            return _answer(answers)

    return Command(_answer(answers), end, streams)


def _answer(answers: IO[bytes]) -> Any:
    line = answers.readline()
    if not line:
        _, errors = _server()
        errors.seek(0)
        raise AssertionError(f"the server of commands has ended: {errors.read().decode()}")
    return json.loads(line)


def run(*words: str, **settings: Any) -> tuple[int, str, str]:
    """The exit code of `regard WORDS`, what it prints and its errors. The settings are those of `start`."""
    command = start(*words, **settings)
    out, err = command.communicate()
    return command.returncode, out, err


def start_by_torchrun(
    *words: str, script: str, folder: str | os.PathLike[str], environment: Mapping[str, str] | None = None
) -> Command:
    """Begin two processes of a script as `torchrun` does. Only torchrun itself is forked: it starts them anew."""
    from torch.distributed import run as torchrun

    used = dict(os.environ if environment is None else environment) | {
        "OMP_NUM_THREADS": "1",
        "PYTHONPATH": PYTHON_PATH,
    }
    two = ("--standalone", "--nproc-per-node", "2", script)
    return start(*two, *words, script=torchrun.__file__, folder=folder, environment=used)


@cache
def _server() -> tuple[socket.socket, IO[bytes]]:
    """The connection to the server, whose end ends it, and a file for what the server itself has to complain of."""
    ours, theirs = socket.socketpair()
    errors = tempfile.TemporaryFile()  # noqa: SIM115
    environment = os.environ | ONE_THREAD | {"PYTHONPATH": PYTHON_PATH}
    command = [sys.executable, "-m", "tests.support.command_server", str(theirs.fileno())]
    process = subprocess.Popen(
        command, cwd=ROOT, env=environment, pass_fds=[theirs.fileno()],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors,
    )  # fmt: skip
    theirs.close()

    def end() -> None:
        ours.close()
        process.wait()
        errors.close()

    atexit.register(end)
    return ours, errors


def _send(connection: socket.socket, message: bytes, descriptors: list[int]) -> None:
    """The length first, with the descriptors, then the message."""
    ancillary = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors))]
    connection.sendmsg([len(message).to_bytes(4)], ancillary)
    connection.sendall(message)


def _receive(connection: socket.socket) -> tuple[bytes, list[int]] | None:
    """A message and descriptors; None where the other side has ended."""
    descriptors = array.array("i")
    head, ancillary, _, _ = connection.recvmsg(4, socket.CMSG_SPACE(4 * descriptors.itemsize))
    if not head:
        return None
    for _, _, data in ancillary:
        descriptors.frombytes(data)
    left, parts = int.from_bytes(head), []
    while left:
        parts.append(connection.recv(left))
        left -= len(parts[-1])
    return b"".join(parts), list(descriptors)


def serve(connection: socket.socket) -> None:
    """Fork for every request. Returns when there are no more, and in no other process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the test run, whose end ends this
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # so that nobody has to wait for the overseers
    gc.collect()
    gc.freeze()
    assert len(os.listdir("/proc/self/task")) == 1, "a process with threads cannot be forked safely"
    while (received := _receive(connection)) is not None:
        message, (ending, *streams) = received
        if os.fork() == 0:
            connection.close()
            _oversee(json.loads(message), ending, streams)
        for descriptor in (ending, *streams):
            os.close(descriptor)


def _oversee(request: dict[str, Any], ending: int, streams: list[int]) -> None:
    """Fork once more, tell the number of that process, and once it has ended how; then end."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    number = os.fork()
    if number == 0:
        os.close(ending)
        _become(request, streams)
    for descriptor in streams:
        os.close(descriptor)
    os.write(ending, f"{number}\n".encode())
    _, status, used = os.wait4(number, 0)
    with contextlib.suppress(BrokenPipeError):
        os.write(ending, f"[{os.waitstatus_to_exitcode(status)}, {used.ru_utime + used.ru_stime}]\n".encode())
    os._exit(0)


def _become(request: dict[str, Any], streams: list[int]) -> None:
    """Be the command, as if just started, to its end."""
    code = 1
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        for number, descriptor in enumerate(streams):
            os.dup2(descriptor, number)
            os.close(descriptor)
        sys.stdin = sys.__stdin__ = os.fdopen(0, encoding="utf-8", closefd=False)
        sys.stdout = sys.__stdout__ = os.fdopen(1, "w", encoding="utf-8", closefd=False)
        sys.stderr = sys.__stderr__ = os.fdopen(2, "w", 1, "utf-8", "backslashreplace", closefd=False)
        os.chdir(request["folder"])
        os.environ.clear()
        os.environ.update(request["environment"])
        sys.argv = [request["script"] or "regard", *request["words"]]
        if request["script"]:
            runpy.run_path(request["script"], run_name="__main__")
        else:
            runpy.run_module("regard", run_name="__main__")
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        with contextlib.suppress(BaseException):
            threading._shutdown()
            atexit._run_exitfuncs()
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(BaseException):
                stream.flush()
        os._exit(code)


def import_everything() -> None:
    """Load all of Regard but the lab, and what it loads late; not polars, whose threads a forked process would miss."""
    for module in pkgutil.walk_packages(regard.__path__, "regard."):
        if not module.name.startswith("regard.lab") and not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    for name in ("matplotlib.backends.backend_agg", "safetensors.numpy", "torch._dynamo", "typer._adapters"):
        with contextlib.suppress(ModuleNotFoundError):  # typer's is no promise: without it commands are slower
            importlib.import_module(name)


if __name__ == "__main__":
    gc.disable()  # what is imported stays: to look for garbage in it takes a sixth of the time
    import_everything()
    gc.enable()
    serve(socket.socket(fileno=int(sys.argv[1])))
