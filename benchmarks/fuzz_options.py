"""Every argument and option of every command with senseless values: one line of complaint, soon, in little memory.

    python benchmarks/fuzz_options.py            all of them, a few minutes
    python benchmarks/fuzz_options.py study      the commands whose names hold this word

Each call is a process of its own, forked from one in which everything is loaded, with bounds on time and memory.
What is printed is what went wrong: a traceback, an internal error, a warning of Python's, more than one line or none,
another exit code, no end. A call that was rightly at work when its time was over is listed in LONG_WORK.
"""

from __future__ import annotations

import itertools
import json
import os
import resource
import signal
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from regard.cli.main import main

CPU_SECONDS = 10
WALL_SECONDS = 300
"""For what waits rather than computes; many times the CPU time, as the machine may be busy."""
MEMORY_BYTES = 6 * 2**30
DEEP = ("deep.json", "deep.toml")
NUMBERS = ("0", "-1", "1e400", "nan", "-inf", "1e200", "1e-320", "99999999999999999999", "1000000", "")
TEXTS = ("", "-", "none", "/", "x" * 5000, "\x00", "é\udcff", ",", "1,,2", "1e200", "nan", *DEEP, "nan.json")
SHOWN_CHARACTERS = 300
TEXT = "the sea is deep.\nthe old ship sails.\n" * 40
REVIEWS = "label,text\n" + "good,a fine film\nbad,a dull film\n" * 20
BASES: dict[str, list[str]] = {
    "attend": ["--queries", "x.json", "--keys", "x.json"],
    "check": ["q = k_a"],
    "classify": ["films", "a fine film"],
    "data get": ["text.txt"],
    "data list": [],
    "data show": ["text.txt"],
    "design average": ["--keys", "x.json", "--subset", "0,1"],
    "design copy": ["--keys", "x.json", "--index", "0"],
    "design mix": ["--keys", "x.json", "--weights", "w.json"],
    "design reach": ["--keys", "x.json"],
    "design robust": ["--keys", "noisy.toml", "--target", "0"],
    "perplexity": ["letters", "--text", "text.txt"],
    "sample": ["letters", "--length", "5"],
    "study averaging": ["--data", "reviews.csv", "--vectors", "none", "--epochs", "1", "--only", "depth"],
    "study errors": ["films", "--data", "reviews.csv"],
    "study models": ["--text", "text.txt", "--models", "bigram-char", "--length", "5"],
    "study one-vs-many": ["--keys", "4", "--scales", "1"],
    "train averaging": ["--data", "reviews.csv", "--vectors", "none", "--epochs", "1", "--out", "new"],
    "train bigram": ["--text", "text.txt", "--hidden", "2", "--iterations", "2", "--vocabulary", "5", "--out", "new"],
    "train glove": ["--text", "text.txt", "--width", "2", "--sweeps", "1", "--out", "new.txt"],
    "train mixture": ["letters", "letters", "--text", "text.txt", "--no-adaptive", "--out", "new"],
    "train ngram": ["--text", "text.txt", "--out", "new"],
    "train recurrent": ["--text", "text.txt", "--preset", "course", "--steps", "1", "--out", "new"],
    "train transformer": ["--text", "text.txt", "--preset", "small", "--steps", "1", "--out", "new"],
}
"""A call of each command that is soon done; the lab, which serves until it is told to end, is left out."""
HUGE = ("99999999999999999999", "1000000")
LONG_WORK: dict[tuple[str, str], tuple[tuple[str, ...], str]] = {
    ("sample", "--length"): (HUGE, "a long text is drawn and shown as it comes"),
    ("study averaging", "--seeds"): (HUGE, "so many runs, with a bar that shows how far they are"),
    ("study models", "--length"): (HUGE, "a long sample of each model"),
    ("study models", "--models"): (("",), "nothing stands for all models"),
    ("train bigram", "--iterations"): (HUGE, "so many steps of L-BFGS, unless nothing is left to gain"),
    ("train glove", "--sweeps"): (HUGE, "so many sweeps; Ctrl-C ends them"),
    ("train recurrent", "--valid"): (DEEP, "200,000 characters are scored"),
    ("train recurrent", "--steps"): (HUGE, "so many steps; Ctrl-C keeps what was learnt"),
    ("train transformer", "--steps"): (HUGE, "so many steps; Ctrl-C keeps what was learnt"),
    ("train transformer", "--valid"): (DEEP, "200,000 characters are scored"),
}
"""Command and option: values with which the work is long, and why it is not refused."""


@dataclass(frozen=True)
class Call:
    """Words after `regard`, and how it ended."""

    words: list[str]
    code: int
    err: str

    @property
    def is_long_work(self) -> bool:
        """Whether its time was over while it did what was asked for."""
        if self.code not in (-signal.SIGXCPU, -signal.SIGALRM) or self.err:  # on a busy machine the alarm comes first
            return False
        option, _, value = self.words[-1].partition("=")
        return any(
            " ".join(self.words).startswith(f"{command} ") and option == name and value in values
            for (command, name), (values, _) in LONG_WORK.items()
        )

    @property
    def fault(self) -> str | None:
        """What is wrong with how it ended."""
        if self.is_long_work:
            return None
        if self.code < 0:
            return f"killed by {signal.Signals(-self.code).name} ({CPU_SECONDS} s of CPU time, {WALL_SECONDS} s in all)"
        if "Traceback" in self.err or "internal error" in self.err:
            return "an internal error"
        if "Warning: " in self.err:
            return "a warning of Python's"
        if self.code not in (0, 1, 2):
            return f"exit code {self.code}"
        # a claim that is false or not understood is a verdict, which `regard check` prints
        if self.code != 0 and self.words[0] != "check":
            return self._wrong_complaint()
        return None

    def _wrong_complaint(self) -> str | None:
        """What is wrong with the line that says why it failed; above it there may be lines of progress."""
        lines = self.err.splitlines()
        if not lines or not lines[-1].startswith("regard: "):
            return "failed, but the last line does not say why"
        n_complaints = sum(line.startswith("regard: ") for line in lines)
        return "wrong usage, but not told in one line" if self.code == 2 and n_complaints != 1 else None


def write_inputs() -> None:
    """Small files of every kind that commands read, in the present folder."""
    files = {
        "text.txt": TEXT,
        "reviews.csv": REVIEWS,
        "x.json": "[[1, 0], [0, 1], [1, 1]]",
        "w.json": "[0.5, 0.5, 0]",
        "nan.json": "[[NaN, 1], [Infinity, 1e400]]",
        "deep.json": "[" * 100_000 + "]" * 100_000,
        "deep.toml": "x = " + "[" * 100_000 + "]" * 100_000,
        "noisy.toml": '[keys]\nmean = "orthonormal"\ncount = 3\n[noise]\nisotropic = 0.01\n',
    }
    for name, content in files.items():
        Path(name).write_text(content)
    for words in (
        ["train", "ngram", "--text", "text.txt", "--out", "letters"],
        ["train", "averaging", "--data", "reviews.csv", "--vectors", "none", "--epochs", "1", "--out", "films"],
    ):
        assert main([*words, "--json"]) == 0, words


def leaf_commands() -> Iterator[tuple[str, Any]]:
    """Each command that does something, by its words."""
    from regard.cli.app import COMMANDS, load_command

    for name in COMMANDS:
        command = load_command(name)
        if hasattr(command, "commands"):
            for each, leaf in command.commands.items():
                yield f"{name} {each}", leaf
        else:
            yield name, command


def calls(name: str, command: Any) -> Iterator[list[str]]:
    """The base call with one argument and one option after the other set to one value after the other."""
    words, base = name.split(), BASES.get(name, [])
    arguments = list(itertools.takewhile(lambda word: not word.startswith("--"), base))
    for place, value in itertools.product(range(len(arguments)), TEXTS):
        yield [*words, *base[len(arguments) :], "--", *arguments[:place], value, *arguments[place + 1 :]]
    for parameter in command.params:
        option = next((each for each in parameter.opts if each.startswith("--")), None)
        if option is None or getattr(parameter, "is_flag", False) or option in ("--help",):
            continue
        kind = str(parameter.type_descriptor.annotation)
        for value in NUMBERS if "int" in kind or "float" in kind else TEXTS:
            rest = list(base)
            if option in rest:
                del rest[rest.index(option) : rest.index(option) + 2]
            yield [*words, *rest, f"{option}={value}"]


def call(words: list[str]) -> Call:
    """Run the words in a child that may use so much time and memory and no more."""
    with tempfile.TemporaryFile() as err:
        child = os.fork()
        if child == 0:
            signal.alarm(WALL_SECONDS)
            resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS + 1))
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
            nothing = os.open(os.devnull, os.O_RDWR)
            for place, file in ((0, nothing), (1, nothing), (2, err.fileno())):
                os.dup2(file, place)
            os._exit(_code(words))
        _, status = os.waitpid(child, 0)
        err.seek(0)
        return Call(words, os.waitstatus_to_exitcode(status), err.read().decode("utf-8", "replace"))


def _code(words: list[str]) -> int:
    try:
        return main(words)
    except BaseException:
        import traceback

        traceback.print_exc()
        return 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()


def main_loop(wanted: str) -> int:
    """Print every fault; the number of them."""
    n_calls = n_faults = n_long = 0
    home = Path.cwd()
    for name, command in list(leaf_commands()):
        if wanted not in name or name.split()[0] == "lab":
            continue
        for words in calls(name, command):
            with tempfile.TemporaryDirectory() as folder:
                _fill(Path(folder), home)
                os.chdir(folder)
                done = call(words)
                os.chdir(home)
            n_calls += 1
            n_long += done.is_long_work
            if done.fault:
                n_faults += 1
                shown = " ".join(json.dumps(word[:60], ensure_ascii=True) for word in words)
                print(f"{done.fault}: regard {shown}\n    {done.err.strip()[-SHOWN_CHARACTERS:]!r}", flush=True)
    print(f"{n_calls} calls, {n_faults} faults; {n_long} were at work for longer, as they were asked to be")
    return n_faults


def _fill(folder: Path, home: Path) -> None:
    """Links to the inputs, so that what a call writes is gone with its folder."""
    for path in home.iterdir():
        (folder / path.name).symlink_to(path)


if __name__ == "__main__":
    os.environ.pop("REGARD_DATA", None)
    with tempfile.TemporaryDirectory() as inputs:
        os.chdir(inputs)
        write_inputs()
        import regard.training.network.recurrent
        import regard.training.network.transformer  # noqa: F401

        sys.exit(min(main_loop(" ".join(sys.argv[1:])), 100))
