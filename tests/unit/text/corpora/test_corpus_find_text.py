"""Which text a caller means: one rule, and one clear line where it is doubtful."""

from pathlib import Path

import pytest

from regard.errors import ArgumentError, CorpusError
from regard.text.corpora.corpus import find_text


def test_a_line_break_makes_a_text():
    assert find_text("to be\n").text == "to be\n"
    assert find_text("python-manual\n").text == "python-manual\n"  # not the corpus of that name
    assert find_text("to be\n").name == "the text"


def test_a_name_without_one_is_a_corpus_or_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("verse.txt").write_text("the sea\n")
    for source in ("verse.txt", Path("verse.txt"), find_text("verse.txt")):
        assert find_text(source).text == "the sea\n"
    assert find_text("python-manual").origin == "embedded"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("to be or not", r"there is no file 'to be or not' .*; a text itself has a line break in it: add '\\n'"),
        ("to be " * 50, r"'to be to be .*…' is too long for the name of a corpus or a file; a text itself has"),
        ("nothing-of-the-kind", r"there is no file 'nothing-of-the-kind' and no corpus of that name"),
        (" ", "got an empty string"),
        (Path("nowhere/verse.txt"), "there is no file 'nowhere/verse.txt'"),
        (Path("/"), "/ is a folder, not a file"),
    ],
)
def test_what_is_doubtful_is_refused(source, message):
    with pytest.raises(CorpusError, match=message):
        find_text(source)


def test_what_is_no_text_is_refused():
    with pytest.raises((ArgumentError, TypeError)):
        find_text(b"to be\n")
