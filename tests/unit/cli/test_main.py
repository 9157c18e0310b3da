"""The entry point: help, version, exit codes, and one line for every error."""

import contextlib
import io
import signal
import subprocess
import sys
import threading
import time
from functools import partial

import numpy as np
import pytest

from regard import __version__
from regard.cli.app import COMMANDS, KeyIndices, load_command
from regard.cli.main import main
from regard.errors import RegardError


@pytest.fixture
def failing(monkeypatch):
    """Makes `regard attend` fail in a given way."""

    def fail_with(error):
        def fail(*_):
            raise error

        monkeypatch.setattr("regard.studies.attention.array_files.read_queries", fail)
        return ["attend", "--queries", "q.npy", "--keys", "k.npy"]

    return fail_with


def test_version(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"regard {__version__}\n"


@pytest.mark.parametrize("arguments", [[], ["--help"]])
def test_help_names_every_command(capsys, arguments):
    assert main(arguments) == 0
    out = capsys.readouterr().out
    assert out.startswith("Usage: regard [OPTIONS] COMMAND [ARGS]...")
    assert all(f"\n  {name} " in out for name in COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself_by_example(capsys, name):
    assert main([name, "--help"]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"Usage: regard {name} ")
    assert f"  Example:\n    regard {name}" in out


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_json_and_debug(name):
    command = load_command(name)
    for each in getattr(command, "commands", {name: command}).values():
        options = {option for parameter in each.params for option in parameter.opts}
        assert {"--json", "--debug"} <= options


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["atend"], "No such command 'atend'. Did you mean 'attend'? (see 'regard --help')"),
        (["--vrsion"], "No such option: --vrsion (Possible options: --version) (see 'regard --help')"),
        (["design"], "Missing command (see 'regard design --help')"),
        (["attend", "--keys", "k.npy"], "Missing option '--queries' (see 'regard attend --help')"),
        (
            ["design", "average", "--keys", "k.npy", "--subset", "0;1"],
            "Invalid value for '--subset': expected whole numbers with commas between, as in 0,1,5; got '0;1' "
            "(see 'regard design average --help')",
        ),
        (
            ["study", "one-vs-many", "--csv", "/"],
            "Invalid value for '--csv': expected a name that ends in .csv; got '/' "
            "(see 'regard study one-vs-many --help')",
        ),
        (
            ["study", "one-vs-many", "--seed", "9223372036854775808"],
            "Invalid value for '--seed': expected a whole number up to 9223372036854775807; got 9223372036854775808 "
            "(see 'regard study one-vs-many --help')",
        ),
        (
            ["train", "recurrent", "--text", "a.txt", "--out", "a", "--threads", "1000000"],
            "Invalid value for '--threads': Input should be less than or equal to 1024 "
            "(see 'regard train recurrent --help')",
        ),
        (
            ["design", "robust", "--keys", "k.npy"],
            "Invalid value for '--target', '--target-weights': expected one of them, not both or none "
            "(see 'regard design robust --help')",
        ),
        (
            ["design", "copy", "--keys", "k.npy", "--index", "0", "--out", "q.txt"],
            "Invalid value for '--out': expected a name that ends in .npy; got 'q.txt' "
            "(see 'regard design copy --help')",
        ),
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_2(capsys, arguments, message):
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == f"regard: {message}\n"


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (RegardError("keys and\nqueries differ"), "keys and queries differ"),
        (FileNotFoundError(2, "No such file or directory", "a.npy"), "a.npy: No such file or directory"),
        (OSError("disk on fire"), "disk on fire"),
        (OSError(28, "No space left on device"), "No space left on device"),
        (ZeroDivisionError("by zero"), "internal error, ZeroDivisionError: by zero; --debug shows where"),
    ],
)
def test_a_failure_is_one_line_and_exit_code_1(capsys, failing, error, message):
    assert main(failing(error)) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == f"regard: {message}\n"


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (MemoryError("Unable to allocate 7 PiB"), "this takes more memory than there is; ask for less"),
        (RecursionError("maximum recursion depth"), "something is nested too deeply; write it flatter"),
    ],
)
def test_what_python_gives_up_on_is_told_in_plain_words(capsys, failing, error, message):
    assert main(failing(error)) == 1
    assert capsys.readouterr().err == f"regard: {message}\n"


@pytest.mark.parametrize(
    "ask", [lambda: np.zeros(10**20), lambda: np.zeros((2**40, 2**40)), lambda: np.arange(10**25)], ids=range(3)
)
def test_an_array_larger_than_any_memory(capsys, monkeypatch, ask):
    monkeypatch.setattr("regard.studies.attention.array_files.read_queries", lambda *_: ask())
    assert main(["attend", "--queries", "q.npy", "--keys", "k.npy"]) == 1
    assert capsys.readouterr().err == "regard: this takes more memory than there is; ask for less\n"


def test_a_tensor_larger_than_any_memory(capsys, monkeypatch):
    torch = pytest.importorskip("torch")
    for size in (2**50, 2**62):
        monkeypatch.setattr(
            "regard.studies.attention.array_files.read_queries", lambda *_, size=size: torch.empty(size)
        )
        assert main(["attend", "--queries", "q.npy", "--keys", "k.npy"]) == 1
        assert capsys.readouterr().err == "regard: this takes more memory than there is; ask for less\n"


@pytest.mark.usefixtures("heeds_interrupts")
def test_an_interrupt_that_a_library_turns_into_another_error(capsys, monkeypatch):
    def interrupted(_):
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            raise ImportError("a module is only half there") from None

    monkeypatch.setattr("typer.main.get_command", interrupted)
    assert main(["--help"]) == 130
    assert capsys.readouterr().err == "regard: interrupted\n"


@pytest.mark.usefixtures("heeds_interrupts")
@pytest.mark.parametrize(("word", "code", "line"), [("--help", 130, "regard: interrupted\n"), ("lab", 0, "")])
def test_an_interrupt_that_a_library_swallows(capsys, monkeypatch, word, code, line):
    """It is told all the same; only the lab is meant to be ended by it."""

    def swallow(_):
        with contextlib.suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        return 0

    monkeypatch.setattr("regard.cli.main._run", swallow)
    assert main([word]) == code
    assert capsys.readouterr().err == line


@pytest.mark.usefixtures("heeds_interrupts")
def test_an_interrupt_in_a_finaliser_comes_again(capsys, monkeypatch):
    class Finalised:
        def __del__(self):
            signal.raise_signal(signal.SIGINT)

    def interrupted(_):
        Finalised()
        time.sleep(60)
        raise AssertionError("the interrupt was lost")

    monkeypatch.setattr("typer.main.get_command", interrupted)
    assert main(["--help"]) == 130
    assert capsys.readouterr().err == "regard: interrupted\n"
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.usefixtures("heeds_interrupts")
def test_an_interrupt_comes_again_where_a_busy_machine_starts_its_thread_late(capsys, monkeypatch):
    """The thread that sends it runs long before the main thread has gone on from starting it."""
    start = threading.Timer.start

    def start_late(timer):
        start(timer)
        time.sleep(0.3)

    class Finalised:
        def __del__(self):
            signal.raise_signal(signal.SIGINT)

    def interrupted(_):
        Finalised()
        time.sleep(60)
        lost.append("the interrupt")

    lost = []
    monkeypatch.setattr("threading.Timer.start", start_late)
    monkeypatch.setattr("typer.main.get_command", interrupted)
    assert main(["--help"]) == 130
    assert lost == []
    assert capsys.readouterr().err == "regard: interrupted\n"


def test_debug_shows_the_traceback(failing):
    with pytest.raises(RegardError, match="as it was raised"):
        main([*failing(RegardError("as it was raised")), "--debug"])


def test_an_interrupt_is_exit_code_130(capsys, failing):
    assert main(failing(KeyboardInterrupt())) == 130
    assert capsys.readouterr().err == "regard: interrupted\n"


def test_an_interrupt_before_the_command_runs(capsys, monkeypatch):
    def interrupted(_):
        raise KeyboardInterrupt

    monkeypatch.setattr("typer.main.get_command", interrupted)
    assert main(["--help"]) == 130
    assert capsys.readouterr().err == "regard: interrupted\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "closed", "code", "other"),
    [
        ("--version", ">&-", 0, ""),
        ("check 'k_a = k_a'", ">&-", 0, ""),
        ("sample nowhere", "2>&-", 1, ""),
        ("--version", "2>&-", 0, f"regard {__version__}\n"),
    ],
)
def test_an_output_that_is_closed(words, closed, code, other):
    """Whoever closes an output does not want it; the other one gets no more for that."""
    line = f'exec "$0" -m regard {words} {closed}'
    done = subprocess.run(["sh", "-c", line, sys.executable], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout + done.stderr) == (code, other)


def test_sigterm_that_is_ignored_stays_so():
    program = (
        "import os, signal, sys\n"
        "from regard.cli import main as module\n"
        "module._run = lambda given: os.kill(os.getpid(), signal.SIGTERM) or 0\n"
        "sys.exit(module.main(['--help']))"
    )
    for ignored, code in ((True, 0), (False, -signal.SIGTERM)):
        action = signal.SIG_IGN if ignored else signal.SIG_DFL
        done = subprocess.run(
            [sys.executable, "-c", program],
            preexec_fn=partial(signal.signal, signal.SIGTERM, action),
            check=False,
        )
        assert done.returncode == code


WHILE_AN_ERROR_LEAVES = """
def run(given):
    try:
        raise ClusterError("one has gone")
    finally:
        signal.raise_signal(signal.SIGTERM)
module._run = run
"""
BEFORE_ITS_LINE_IS_PRINTED = """
def run(given):
    raise ClusterError("one has gone")
def leave(self, *error, leave=module.Interrupts.__exit__):
    signal.raise_signal(signal.SIGTERM)
    leave(self, *error)
module._run = run
module.Interrupts.__exit__ = leave
"""


@pytest.mark.parametrize("program", [WHILE_AN_ERROR_LEAVES, BEFORE_ITS_LINE_IS_PRINTED])
def test_sigterm_does_not_swallow_that_a_process_was_lost(program):
    """Torchrun sends it as soon as it sees that one has gone."""
    start = "import signal, sys\nfrom regard.cli import main as module\nfrom regard.errors import ClusterError\n"
    done = subprocess.run(
        [sys.executable, "-c", f"{start}{program}sys.exit(module.main(['--help']))"],
        preexec_fn=partial(signal.signal, signal.SIGTERM, signal.SIG_DFL),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (-signal.SIGTERM, "regard: one has gone\n")


@pytest.mark.usefixtures("heeds_interrupts")
def test_a_second_interrupt_while_the_process_ends():
    """The first is told of; the second comes when the line is being printed, and stops nothing any more."""
    program = (
        "import signal, sys\n"
        "from regard.cli import main as module\n"
        "class Interrupting:\n"
        "    def write(self, text):\n"
        "        signal.raise_signal(signal.SIGINT)\n"
        "        return sys.__stderr__.write(text)\n"
        "    def flush(self):\n"
        "        sys.__stderr__.flush()\n"
        "module._run = lambda given: signal.raise_signal(signal.SIGINT)\n"
        "sys.stderr = Interrupting()\n"
        "sys.exit(module.main())"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (130, "regard: interrupted\n")


@pytest.mark.usefixtures("heeds_interrupts")
def test_an_interrupt_while_a_dataclass_is_made(tmp_path):
    """CPython counts one that passes an exec as unhandled; `python -m` then ended by a signal instead of our code."""
    program = (
        "import sys\n"
        "from regard.cli import main as module\n"
        "module._run = lambda given: exec('raise KeyboardInterrupt')\n"
        "sys.exit(module.main())"
    )
    (tmp_path / "program.py").write_text(program)
    command = [sys.executable, "-m", "program"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (130, "regard: interrupted\n")


def test_indices_as_typed():
    assert KeyIndices.parse("0,1, 5") == [0, 1, 5]


def test_an_encoding_without_greek_is_enough(monkeypatch):
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="ascii"))
    assert main(["--version"]) == 0
    print("Σ αᵢ = 1", flush=True)
    assert written.getvalue().endswith(b"? ?? = 1\n")


STALLED = """
import sys, time
from regard.cli.main import main
from regard.text.corpora.corpus import Corpus

def stall(self, size=0):
    yield "half"
    if sys._getframe(1).f_code.co_name == "get":
        print("writing", flush=True)
        time.sleep(60)

Corpus.chunks = stall
sys.exit(main(["data", "get", "a.txt", "--out", "b.txt"]))
"""


@pytest.mark.usefixtures("heeds_interrupts")  # what a process ignores, those that it starts ignore too
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_leaves_no_unfinished_file(tmp_path, number):
    (tmp_path / "a.txt").write_text("a")
    (tmp_path / "b.txt").write_text("old")
    command = [sys.executable, "-c", STALLED]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "writing\n"
        assert len(list(tmp_path.iterdir())) == 3
        process.send_signal(number)
        assert process.wait(timeout=30) == (-signal.SIGTERM if number == signal.SIGTERM else 130)
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"a.txt": "a", "b.txt": "old"}
