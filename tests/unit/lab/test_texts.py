"""Texts for the lab, and what is used instead of one that is out of reach."""

import pytest

from regard.errors import CorpusError
from regard.lab import texts
from regard.lab.texts import EMBEDDED, MAX_CHARACTERS, OFFERED, LabText, read_text, read_text_or_manual
from regard.text.corpora.sources import SOURCES


def test_all_that_is_offered_is_known_and_the_first_is_embedded():
    assert set(OFFERED) <= set(SOURCES)
    assert SOURCES[EMBEDDED].is_embedded


def test_a_text_that_is_not_here_is_replaced_and_the_note_says_so(monkeypatch, tmp_path):
    monkeypatch.setenv("REGARD_DATA", str(tmp_path))
    found = read_text_or_manual("tinyshakespeare")
    assert found.name == EMBEDDED
    assert found.note.startswith("tinyshakespeare cannot be found or fetched; the Python manual")
    assert "save it as tinyshakespeare.txt in a folder, and set REGARD_DATA to that folder" in found.note
    assert "assignment" in found.text
    with pytest.raises(CorpusError):
        read_text("tinyshakespeare")


def test_a_text_that_is_here_has_no_note(monkeypatch, tmp_path):
    (tmp_path / "tinyshakespeare.txt").write_text("To be.\n")
    monkeypatch.setenv("REGARD_DATA", str(tmp_path))
    messages = []
    found = read_text_or_manual("tinyshakespeare", lambda share, message="": messages.append((share, message)))
    assert found == LabText("tinyshakespeare", "To be.\n")
    assert messages == [(None, "reading tinyshakespeare")]


def test_a_long_text_is_cut_and_the_note_says_so(tmp_path):
    path = tmp_path / "long.txt"
    path.write_text("ab" * MAX_CHARACTERS)
    found = read_text(str(path))
    assert len(found.text) == MAX_CHARACTERS
    assert found.note.endswith("long.txt has 2,400,000 characters; the first 1,200,000 are used.")


def test_without_the_embedded_text_there_is_an_error(monkeypatch):
    def nothing(name, **_):
        raise CorpusError(f"no {name}")

    monkeypatch.setattr(texts, "find_corpus", nothing)
    with pytest.raises(CorpusError, match="no python-manual"):
        read_text_or_manual(EMBEDDED)


def test_fetching_is_shown(monkeypatch):
    messages = []

    def fetch(name, progress):
        progress(0.25, "fetching shakespeare: 1.5 of 6.0 MB")
        raise CorpusError("there is no network")

    monkeypatch.setattr(texts, "find_corpus", fetch)
    with pytest.raises(CorpusError, match="there is no network"):
        read_text("shakespeare", lambda share, message="": messages.append((share, message)))
    assert messages[-1] == (0.25, "fetching shakespeare: 1.5 of 6.0 MB")


def test_two_texts_of_one_name_have_two_keys():
    assert LabText("a/b", "x").key.startswith("a-b-")
    assert LabText("a/b", "x").key != LabText("a/b", "y").key
