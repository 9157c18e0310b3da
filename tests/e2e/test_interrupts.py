"""Ctrl-C and readers that leave, with real processes: never a traceback."""

import signal
import subprocess
import sys
import time
from functools import partial

import pytest

WHEN_RUNNING = """
import sys
from regard.cli.main import main
print("here", flush=True)
sys.exit(main())
"""
HEED = partial(signal.signal, signal.SIGINT, signal.default_int_handler)
COMMANDS = [
    ("--help",),
    ("study", "one-vs-many", "--keys", "40", "--draws", "300000"),
    ("train", "ngram", "--text", "python-manual", "--out", "model"),
    ("check", "q = C(k_a + k_b)", "--setting", "orthonormal-keys"),
]


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
@pytest.mark.parametrize("milliseconds", [0, 20, 60, 150, 400])
def test_an_interrupt_at_any_time_is_one_line(tmp_path, words, milliseconds):
    """From the import of `main` on: how long Python itself takes to start is not ours, and has no handler yet."""
    script = tmp_path / "regard"  # by this name a process is known as ours, and heeds Ctrl-C before `main` is called
    script.write_text(WHEN_RUNNING)
    process = subprocess.Popen(
        [sys.executable, str(script), *words],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=HEED,  # noqa: PLW1509
    )
    assert process.stdout.readline() == "here\n"
    time.sleep(milliseconds / 1000)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate()
    is_too_late = process.returncode in (0, 1) and err == ""
    assert is_too_late or (process.returncode, err) == (130, "regard: interrupted\n")


@pytest.mark.parametrize(("name", "is_ours"), [("regard", True), ("mine.py", False)])
def test_an_interrupt_while_the_package_is_imported(tmp_path, name, is_ours):
    """One line from the first import on; somebody else's program that imports Regard keeps its own way."""
    script = tmp_path / name
    script.write_text("import signal, regard\nsignal.raise_signal(signal.SIGINT)\n")
    done = subprocess.run(
        [sys.executable, str(script)],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=HEED,
    )
    if is_ours:
        assert (done.returncode, done.stderr) == (130, "regard: interrupted\n")
    else:
        assert done.returncode == -signal.SIGINT
        assert "KeyboardInterrupt" in done.stderr


CUT_OFF = """
import sys
from regard.cli import main

async def unfinished(): ...

def import_that_is_cut_off(words):
    global left
    left = unfinished()
    raise KeyboardInterrupt

main._run = import_that_is_cut_off
sys.exit(main.main())
"""


def test_what_an_interrupt_cuts_off_is_not_warned_about():
    """As `import types` is, between making a coroutine and closing it."""
    done = subprocess.run([sys.executable, "-c", CUT_OFF, "--help"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (130, "regard: interrupted\n")


@pytest.mark.parametrize(
    "words", [("--help",), ("check", "--settings"), ("data", "show", "python-manual", "--characters", "1000000")]
)
def test_a_reader_that_takes_one_line_and_leaves(tmp_path, words):
    process = subprocess.Popen(
        [sys.executable, "-m", "regard", *words],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline()
    process.stdout.close()
    err = process.stderr.read()
    process.stderr.close()
    assert process.wait() in (0, 1)
    assert err == ""


BROKEN = """
import io, signal, sys
from regard.cli.main import main

class Stream:
    is_broken = False
    def reconfigure(self, errors):
        self.is_broken = True
        signal.raise_signal(signal.SIGINT)
        self.is_broken = False
    def write(self, text):
        if self.is_broken:
            raise io.UnsupportedOperation("not writable")
        return sys.__stderr__.write(text)
    def flush(self):
        sys.__stderr__.flush()

sys.stderr = Stream()
sys.exit(main())
"""


def test_an_interrupt_while_streams_are_prepared(tmp_path):
    """Amid `reconfigure` a real stream can do nothing: an exception there left none to print the line to."""
    script = tmp_path / "regard"
    script.write_text(BROKEN)
    command = [sys.executable, str(script), "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, preexec_fn=HEED)
    assert (done.returncode, done.stderr) == (130, "regard: interrupted\n")
