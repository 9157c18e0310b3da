"""What the documentation shows is what happens: its Python examples run, its command lines print what stands there.

In a ```console block, `$ regard …` is run, and everything after it up to the next command must be what it prints.
`$ cat FILE` shows a file, which the commands further down the page find in their folder. Other commands are left to
the reader. After a wanted change of some output,

    python -m tests.e2e.test_documentation

writes the new outputs into the pages.
"""

import doctest
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted(page for page in [ROOT / "README.md", *ROOT.glob("docs/**/*.md")] if "_build" not in page.parts)
FENCE = re.compile(r"^```.*$", re.MULTILINE)
SCRIPT = re.compile(r"^```python\n(?!>>> )(.*?)^```$", re.MULTILINE | re.DOTALL)
CONSOLE = re.compile(r"(?<=^```console\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)
STEP = re.compile(r"^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
LIKE_HERE = {"COLUMNS": "80", "PYTHONUTF8": "1"}


def pages_with(mark):
    return [pytest.param(page, id=str(page.relative_to(ROOT))) for page in PAGES if mark in page.read_text("utf-8")]


@pytest.mark.parametrize("page", pages_with(">>> "))
def test_python_examples(page, unchecked):
    text = FENCE.sub("", page.read_text("utf-8"))  # a closing fence would count as output
    examples = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    told = []
    assert runner.run(examples, out=told.append).failed == 0, "".join(told)


@pytest.mark.parametrize("page", pages_with("```python"))
def test_python_scripts(page, unchecked):
    scripts = SCRIPT.findall(page.read_text("utf-8"))
    for script in scripts:
        exec(compile(script, str(page), "exec"), {})


@pytest.mark.parametrize("page", pages_with("```console"))
def test_command_lines(page, tmp_path):
    text = page.read_text("utf-8")
    assert replayed(text, tmp_path) == text


def replayed(text, folder):
    """A page with what its commands really print, wherever that is not what stands there."""
    return CONSOLE.sub(lambda block: STEP.sub(lambda step: step_replayed(step, folder), block[0]), text)


def step_replayed(step, folder):
    program, *arguments = shlex.split(step[1].replace("\\\n", " "))
    if program == "cat":
        (folder / arguments[0]).write_text(step[2], "utf-8")
    if program != "regard":
        return step[0]
    printed = run(arguments, folder)
    # A search ends where the error no longer falls: the error is sharp, the place, a flat valley, is not.
    digits = 0.03 if "robust" in arguments else 1e-5
    return step[0] if is_same(step[2], printed, digits=digits) else f"$ {step[1]}\n{printed}"


def run(arguments, folder):
    done = subprocess.run(
        [sys.executable, "-m", "regard", *arguments],
        cwd=folder,
        env=os.environ | LIKE_HERE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    return done.stdout


def is_same(shown, printed, *, digits=1e-5):
    """The same words and numbers; the last digit, and what is below 1e-12, are the machine's own."""
    if skeleton(shown) != skeleton(printed):
        return False
    shown_numbers, numbers = (list(map(float, NUMBER.findall(text))) for text in (shown, printed))
    return numbers == pytest.approx(shown_numbers, rel=digits, abs=1e-12)


def skeleton(text):
    return [" ".join(NUMBER.sub("#", line).split()) for line in text.splitlines()]


def test_a_different_output_is_noticed():
    assert is_same("share  0.500001\nerror  1.3e-14\n", "share 0.500002\nerror 1.41e-14\n")
    assert not is_same("share  0.51\n", "share  0.52\n")
    assert not is_same("share  0.51\n", "part  0.51\n")
    assert not is_same("one\n", "one\n\ntwo\n")


if __name__ == "__main__":
    for page in PAGES:
        with tempfile.TemporaryDirectory() as folder:
            page.write_text(replayed(page.read_text("utf-8"), Path(folder)), "utf-8")
