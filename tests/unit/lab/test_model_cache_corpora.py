"""Texts for the lab, and what stands in for one that is out of reach."""

import pytest

from regard.errors import CorpusError
from regard.lab import model_cache
from regard.lab.jobs import Report
from regard.lab.model_cache import EMBEDDED, MAX_CHARACTERS, OFFERED, lab_text
from regard.text.corpora.sources import SOURCES


def test_all_that_is_offered_is_known_and_the_first_is_embedded():
    assert set(OFFERED) <= set(SOURCES)
    assert SOURCES[EMBEDDED].is_embedded


def test_a_text_that_is_not_here_is_replaced_and_told(monkeypatch, tmp_path):
    monkeypatch.setenv("REGARD_DATA", str(tmp_path))
    found = lab_text("tinyshakespeare", Report(lambda: None))
    assert found.name == EMBEDDED
    assert found.note.startswith("tinyshakespeare cannot be had on this machine; the Python manual")
    assert "assignment" in found.text


def test_a_text_that_is_here_has_no_note(monkeypatch, tmp_path):
    (tmp_path / "tinyshakespeare.txt").write_text("To be.\n")
    monkeypatch.setenv("REGARD_DATA", str(tmp_path))
    found = lab_text("tinyshakespeare", Report(lambda: None))
    assert (found.name, found.text, found.note) == ("tinyshakespeare", "To be.\n", "")


def test_a_long_text_is_cut_and_told(tmp_path):
    path = tmp_path / "long.txt"
    path.write_text("ab" * MAX_CHARACTERS)
    found = lab_text(str(path), Report(lambda: None))
    assert len(found.text) == MAX_CHARACTERS
    assert found.note.endswith("the first 1,200,000 are used.")


def test_without_the_embedded_text_there_is_an_error(monkeypatch):
    def nothing(name, **_):
        raise CorpusError(f"no {name}")

    monkeypatch.setattr(model_cache, "find_corpus", nothing)
    with pytest.raises(CorpusError, match="no python-manual"):
        lab_text(EMBEDDED, Report(lambda: None))
