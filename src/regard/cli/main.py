"""The entry point `regard`: what becomes of an error, of Ctrl-C, and of a reader that leaves.

exit code   0   done
            1   failed: one line on stderr says why (`--debug` shows the traceback instead)
            2   wrong usage: one line on stderr says what, and where help is
          130   interrupted
          143   ended by SIGTERM, as `kill` and `timeout` send it, once unfinished files are removed

Nothing heavy is imported here, so that Ctrl-C is heeded from the first moment on.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # what signal is made of, which takes longer to import
import _thread
import os
import sys

TYPE_CHECKING = False  # as in typing, likewise
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

ERROR_LINES: dict[type[Exception], str] = {
    MemoryError: "this takes more memory than there is; ask for less",
    RecursionError: "something is nested too deeply; write it flatter",
}
"""What Python itself gives up on, for people."""


class Interrupts:
    """Ctrl-C, for as long as a command runs: an exception, and remembered where a library swallows or renames it."""

    def __init__(self) -> None:
        self.came = False

    def __enter__(self) -> Interrupts:
        self._hook = sys.unraisablehook
        self._handler: Any = None
        # A shell starts background jobs with interrupts ignored, which is to stay so.
        if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler and _handle(self._raise):
            self._handler = _signal.default_int_handler
            sys.unraisablehook = self._raise_again
        return self

    def __exit__(self, *_: object) -> None:
        if self._handler is not None:
            _handle(self._handler)
            sys.unraisablehook = self._hook

    def _raise(self, number: int, frame: Any) -> None:
        self.came = True
        raise KeyboardInterrupt

    def _raise_again(self, unraisable: Any) -> None:
        """An interrupt that fell into a finaliser, which cannot raise anything, comes again a moment later."""
        if isinstance(unraisable.exc_value, KeyboardInterrupt):
            import threading

            again = threading.Timer(0.01, _thread.interrupt_main)
            again.daemon = True
            again.start()
        else:
            self._hook(unraisable)


def _handle(handler: Any) -> bool:
    """Let this handle Ctrl-C, where that is allowed: in the main thread."""
    try:
        _signal.signal(_signal.SIGINT, handler)
    except ValueError:
        return False
    return True


class Terminated(BaseException):
    """SIGTERM has come; raised so that blocks which were entered are left, and unfinished files removed."""


def _leave(number: int, frame: Any) -> None:
    raise Terminated


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code. Nothing but a line on stderr comes of an error, unless `--debug` is given.

    SIGTERM leaves every block before it ends the process, which by itself it would end on the spot.
    """
    try:
        before = _signal.signal(_signal.SIGTERM, _leave)
    except ValueError:  # not the main thread, the only one that Python lets handle signals
        return _main(arguments)
    try:
        return _main(arguments)
    except Terminated:
        _signal.signal(_signal.SIGTERM, _signal.SIG_DFL)
        os.kill(os.getpid(), _signal.SIGTERM)
        return 143
    finally:
        _signal.signal(_signal.SIGTERM, before)


def _main(arguments: Sequence[str] | None) -> int:
    given = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    try:
        with Interrupts() as interrupts:
            code, line = _outcome(given, interrupts)
    except KeyboardInterrupt:
        code, line = 130, "interrupted"
    if arguments is None:
        _handle(_signal.SIG_IGN)  # the process ends: Ctrl-C has nothing left to stop
    if line is not None:
        print("regard:", " ".join(part.strip() for part in line.splitlines()), file=sys.stderr)
    return code


def _outcome(given: list[str], interrupts: Interrupts) -> tuple[int, str | None]:
    """The exit code of a command, and what there is to say on stderr."""
    try:
        code = _run(given)
    except BrokenPipeError:  # the reader has left, as `head` does; what is still to be flushed goes nowhere
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1, None
    except KeyboardInterrupt:
        return 130, "interrupted"
    except Exception as error:
        told = _told(error, given)
        if told is not None:
            return told
        if interrupts.came:  # what was being imported then may fail in another way
            return 130, "interrupted"
        if "--debug" in given:
            raise
        return 1, _error_line(error)
    return code, "interrupted" if code == 130 else None  # typer catches the interrupt of a running command itself


def _run(given: list[str]) -> int:
    _tolerate_narrow_encodings()
    import typer

    from regard.cli.app import app

    code = typer.main.get_command(app).main(args=given, prog_name="regard", standalone_mode=False)
    sys.stdout.flush()
    return code if isinstance(code, int) else 0


def _told(error: Exception, given: list[str]) -> tuple[int, str] | None:
    """Exit code and line of what is no failure: wrong usage, or a command that was stopped and has kept something."""
    import typer

    from regard.cli.output import Stopped

    if isinstance(error, Stopped):
        return 130, str(error)
    if isinstance(error, typer.TyperException):
        return error.exit_code, _usage_line(error, given)
    return None


def _usage_line(error: Any, given: list[str]) -> str:
    context = getattr(error, "ctx", None)  # what a command itself refuses comes without
    n_words = next((i for i, word in enumerate(given) if word.startswith("-")), len(given))
    place = " ".join(["regard", *given[:n_words]]) if context is None else context.command_path
    return f"{error.format_message().rstrip().rstrip('.')} (see '{place} --help')"


def _error_line(error: Exception) -> str:
    from regard.errors import RegardError

    if isinstance(error, RegardError):
        return str(error)
    if isinstance(error, OSError):
        return f"{error.filename}: {error.strerror}" if error.filename else str(error)
    for kind, line in ERROR_LINES.items():
        if isinstance(error, kind):
            return line
    return f"internal error, {type(error).__name__}: {error}; --debug shows where"


def _tolerate_narrow_encodings() -> None:
    """Where an output cannot hold a Greek letter, or half a character, print a question mark rather than fail."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace" if stream is sys.stdout else "backslashreplace")
