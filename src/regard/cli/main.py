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

from regard import _end_at_once

TYPE_CHECKING = False  # as in typing, likewise
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

ERROR_LINES: dict[type[Exception], str] = {
    MemoryError: "this takes more memory than there is; ask for less",
    RecursionError: "something is nested too deeply; write it flatter",
}
"""What Python itself gives up on, for people."""
TOO_LARGE = (
    "Maximum allowed dimension exceeded",
    "Maximum allowed size exceeded",
    "array is too big",
    "DefaultCPUAllocator: can't allocate memory",
    "Storage size calculation overflowed",
)
"""How NumPy and torch say, without a MemoryError, that an array is larger than any memory."""


class Interrupts:
    """Ctrl-C, for as long as a command runs: an exception, and remembered where a library swallows or renames it.

    Afterwards it does what it did before; where the process ends with the command (`is_last`), nothing any more.
    """

    def __init__(self, *, is_last: bool) -> None:
        self.came = False
        self._after = _signal.SIG_IGN if is_last else _signal.default_int_handler

    def __enter__(self) -> Interrupts:
        self._hook = sys.unraisablehook
        # A shell starts background jobs with interrupts ignored, which is to stay so.
        is_heeded = _signal.getsignal(_signal.SIGINT) in (_signal.default_int_handler, _end_at_once)
        self._is_ours = is_heeded and _handle(self._raise)
        if self._is_ours:
            sys.unraisablehook = self._raise_again
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_ours:
            _handle(self._after)
            sys.unraisablehook = self._hook

    def _raise(self, number: int, frame: Any) -> None:
        self.came = True
        if not _is_raising_again(frame):  # else it would be lost, and is about to come again anyway
            raise KeyboardInterrupt

    def _raise_again(self, unraisable: Any) -> None:
        """An interrupt that fell into a finaliser, which cannot raise anything, comes again a moment later."""
        if isinstance(unraisable.exc_value, KeyboardInterrupt):
            import threading

            again = threading.Timer(0.01, _interrupt_main_thread)
            again.daemon = True
            again.start()
        else:
            self._hook(unraisable)


def _is_raising_again(frame: Any) -> bool:
    """Whether this frame is `_raise_again` or was called by it; what is raised there goes nowhere."""
    while frame is not None and frame.f_code is not Interrupts._raise_again.__code__:
        frame = frame.f_back
    return frame is not None


def _interrupt_main_thread() -> None:
    """Send a real signal, as Ctrl-C does: it also ends what waits in the main thread; `interrupt_main` would not.

    On a busy machine the main thread may still be starting this one: the signal waits until it has gone on.
    """
    import threading
    import time

    main_thread = threading.main_thread().ident
    while _is_raising_again(sys._current_frames().get(main_thread)):  # type: ignore[arg-type]
        time.sleep(0.01)
    if hasattr(_signal, "pthread_kill"):
        _signal.pthread_kill(main_thread, _signal.SIGINT)
    else:
        _thread.interrupt_main()


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
    # A process that was started with SIGTERM ignored is to go on ignoring it.
    if _signal.getsignal(_signal.SIGTERM) is not _signal.SIG_DFL:
        return _main(arguments, [])
    try:
        _signal.signal(_signal.SIGTERM, _leave)
    except ValueError:  # not the main thread, the only one that Python lets handle signals
        return _main(arguments, [])
    pending: list[str] = []
    try:
        return _main(arguments, pending)
    except Terminated as ended:
        _signal.signal(_signal.SIGTERM, _signal.SIG_DFL)
        _print_line(_pending_line(ended, pending))
        os.kill(os.getpid(), _signal.SIGTERM)
        return 143
    finally:
        _signal.signal(_signal.SIGTERM, _signal.SIG_DFL)


def _pending_line(ended: Terminated, pending: list[str]) -> str | None:
    """The error line that was not yet printed when SIGTERM came: torchrun ends this process when another has gone.

    The error may still be on its way out, through blocks that take their time to end, or be a line that waits.
    """
    from regard.errors import ClusterError

    error: BaseException | None = ended
    while error is not None and not isinstance(error, ClusterError):
        error = error.__context__
    return str(error) if error is not None else next(iter(pending), None)


def _main(arguments: Sequence[str] | None, pending: list[str]) -> int:
    """Run one command; the exit code. A line that is still to be printed stands in `pending`."""
    try:
        _prepare_streams()  # before an interrupt raises anything: amid `reconfigure` that ends the stream
        given = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
        with Interrupts(is_last=arguments is None) as interrupts:
            code, line = _outcome(given, interrupts, pending)
    except KeyboardInterrupt:
        if arguments is None:
            _handle(_signal.SIG_IGN)
        code, line = 130, "interrupted"
    if code == 130 and arguments is None:  # what was cut off halfway (an import's coroutine) has nothing to warn of
        import warnings

        warnings.simplefilter("ignore")
    _print_line(line)
    pending.clear()
    _forget_interrupt()
    return code


def _forget_interrupt() -> None:
    """Let the process end with our exit code.

    An interrupt that passes an `exec` of text, as in the making of a dataclass, is noted by CPython as unhandled even
    where it is handled afterwards, and `python -m regard` then kills itself by SIGINT in the end. The next text that is
    run takes the note back; `namedtuple` runs one.
    """
    from collections import namedtuple

    namedtuple("Nothing", ())


def _print_line(line: str | None) -> None:
    if line is not None and sys.stderr is not None:
        print("regard:", " ".join(part.strip() for part in line.splitlines()), file=sys.stderr)


def _outcome(given: list[str], interrupts: Interrupts, pending: list[str]) -> tuple[int, str | None]:
    """The exit code of a command, and what there is to say on stderr."""
    try:
        code = _run(given)
    except BrokenPipeError:  # the reader has left, as `head` does; what is still to be flushed goes nowhere
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1, None
    except KeyboardInterrupt:
        return 130, "interrupted"
    except Exception as error:
        outcome = _usage_or_stop(error)
        if outcome is not None:
            return outcome
        if interrupts.came:  # what was being imported then may fail in another way
            return 130, "interrupted"
        if "--debug" in given:
            raise
        pending.append(_error_line(error))
        return 1, pending[0]
    # Typer catches the interrupt of a running command itself; a library may swallow it. Only the lab is to end by it.
    is_interrupted = code == 130 or (interrupts.came and given[0] != "lab")
    return (130, "interrupted") if is_interrupted else (code, None)


def _run(given: list[str]) -> int:
    import typer

    from regard.cli.app import app

    code = typer.main.get_command(app).main(args=given, prog_name="regard", standalone_mode=False)
    sys.stdout.flush()
    return code if isinstance(code, int) else 0


def _usage_or_stop(error: Exception) -> tuple[int, str] | None:
    """Exit code and line of what is no failure: wrong usage, or a command that was stopped and has kept something."""
    import typer

    from regard.cli.output import Stopped

    if isinstance(error, Stopped):
        return 130, str(error)
    if isinstance(error, typer.TyperException):
        context = getattr(error, "ctx", None)
        place = "regard" if context is None else context.command_path
        return error.exit_code, f"{error.format_message().rstrip().rstrip('.')} (see '{place} --help')"
    return None


def _error_line(error: Exception) -> str:
    from regard.errors import RegardError

    if isinstance(error, RegardError):
        return str(error)
    if isinstance(error, OSError):
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror or str(error)
    for kind, line in ERROR_LINES.items():
        if isinstance(error, kind):
            return line
    if any(message in str(error) for message in TOO_LARGE):
        return ERROR_LINES[MemoryError]
    return f"internal error, {type(error).__name__}: {error}; --debug shows where"


def _prepare_streams() -> None:
    """Where an output is closed (`>&-`), print to nowhere; where it cannot hold a Greek letter, a question mark."""
    for name, errors in (("stdout", "replace"), ("stderr", "backslashreplace")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115  # until the process ends
        reconfigure = getattr(getattr(sys, name), "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors=errors)
