"""How many files of Regard a newcomer reads to follow one command: those in which a function runs.

    python benchmarks/followed_files.py            the counts of a few commands
    python benchmarks/followed_files.py --list     the files, too
    python benchmarks/followed_files.py -- check 'c = v_a'        of any other command

`chapter NAME` stands for the cells of a chapter of the lab. Each command runs in a fresh process, so that nothing is
remembered from the one before. Code that runs while a module is imported does not count: it is read where a name is
looked up, not followed.
"""

from __future__ import annotations

import argparse
import csv
import importlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "regard"
GOAL = 25
CHAPTER = "chapter"
TEXT = "the cat sat on the mat .\nthe dog sat on the log .\n" * 30
REVIEWS = [("a lovely film with superb music", "good"), ("a boring plot and a clumsy actor", "bad")] * 30
AVERAGING = ("train", "averaging", "--out", "classifier", "--data", "reviews.csv", "--vectors", "none", "--epochs", "1")
PREPARATIONS = (AVERAGING,)
COMMANDS = (
    ("study", "one-vs-many"),
    ("train", "ngram", "--text", "text.txt", "--out", "trigram"),
    ("perplexity", "trigram", "--text", "text.txt"),
    ("check", r"\sum_i \alpha_i = 1"),
    ("check", "M = A^T", "--setting", "two-subspaces"),
    ("check", "q = C(k_a + k_b)", "--setting", "orthonormal-keys"),
    ("check", "c = v_a"),
    ("classify", "classifier", "a superb plot", "--explain"),
    (CHAPTER, "reviews"),
)


def main() -> None:
    """Print the count of each command, and how often the goal is met."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--list", action="store_true", help="name the files, too")
    parser.add_argument("--follow", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("command", nargs="*", help="a command of regard; after --")
    given = parser.parse_args()
    if given.follow:
        print(json.dumps(follow(given.command)))
        return
    commands = [tuple(given.command)] if given.command else COMMANDS
    with tempfile.TemporaryDirectory() as folder:
        if not given.command:
            prepare(Path(folder))
        for command in commands:
            files = followed_files(command, Path(folder))
            print(f"{len(files):4}  regard {' '.join(command)}")
            if given.list or given.command:
                print(*(f"      {file}" for file in files), sep="\n")
    print(f"goal  at most {GOAL}")


def prepare(folder: Path) -> None:
    """Write the texts that the commands read, and train the classifier that one of them asks."""
    (folder / "text.txt").write_text(TEXT, encoding="utf-8")
    with (folder / "reviews.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("text", "label"), *REVIEWS])
    for command in PREPARATIONS:
        followed_files(command, folder)


def followed_files(command: tuple[str, ...], folder: Path) -> list[str]:
    """The files of the package in which a function runs during the command, which runs in `folder`."""
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent), "OMP_NUM_THREADS": "1"}
    line = [sys.executable, str(Path(__file__).resolve()), "--follow", "--", *command]
    done = subprocess.run(line, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"regard {' '.join(command)} did not run: {done.stderr.strip()}")
    files: list[str] = json.loads(done.stdout.splitlines()[-1])
    return files


def follow(command: list[str]) -> list[str]:
    """Run a command in this process, and note each file of the package in which a function is called."""
    run = _chapter_run(command[1]) if command[0] == CHAPTER else _command_run()
    called: set[str] = set()

    def note(frame: FrameType, event: str, argument: Any) -> None:
        file = frame.f_code.co_filename
        if event == "call" and file not in called and file.startswith(str(PACKAGE)) and not _is_import(frame):
            called.add(file)

    sys.setprofile(note)
    try:
        code = run(command)
    finally:
        sys.setprofile(None)
    if code == 2:
        raise SystemExit(f"wrong usage: {command}")
    return sorted(str(Path(file).relative_to(PACKAGE)) for file in called)


def _command_run() -> Callable[[list[str]], Any]:
    from regard.cli.main import main

    return main


def _chapter_run(name: str) -> Callable[[list[str]], Any]:
    """What Python computes when the page of a chapter asks it to confirm a text."""
    view = importlib.import_module(f"regard.lab.chapters.{name}.view")
    return lambda _: view.confirm(view.TextInput("a superb plot")) and None


def _is_import(frame: FrameType | None) -> bool:
    """Whether this frame runs a module's own code, or was called by it: decorators, tables that functions fill."""
    while frame is not None and frame.f_code.co_name != "follow":
        if frame.f_code.co_name == "<module>":
            return True
        frame = frame.f_back
    return False


if __name__ == "__main__":
    main()
