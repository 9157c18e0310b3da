"""Word vectors to start from: by name, in a file, at hand, or none."""

import pytest
from tests.support.texts import VERSE

from regard.errors import CorpusError
from regard.studies.training.glove import find_start_vectors, find_vectors, train_glove


def test_vectors_in_a_file_or_at_hand(tmp_path, monkeypatch):
    monkeypatch.setenv("REGARD_CACHE", str(tmp_path / "cache"))
    vectors = train_glove(VERSE, width=3, n_sweeps=1, out=tmp_path / "vectors.txt", progress=False)
    assert find_vectors(vectors) is vectors
    assert list(find_vectors(tmp_path / "vectors.txt").words) == list(vectors.words)
    content = (tmp_path / "vectors.txt").read_text()
    (tmp_path / "vectors.txt").write_text(f"{content}the 1 2 3\n")
    notes = []
    find_vectors(str(tmp_path / "vectors.txt"), note=notes.append)
    assert [str(tmp_path / "vectors.txt") in note for note in notes] == [True]
    with pytest.raises(CorpusError, match="python-manual is a text; expected a file of word vectors"):
        find_vectors("python-manual")


def test_without_glove_at_hand_there_are_none(tmp_path, monkeypatch):
    monkeypatch.setenv("REGARD_DATA", str(tmp_path))
    assert find_start_vectors(None) == ("none", None)
    assert find_start_vectors("none") == ("none", None)
    vectors = train_glove(VERSE, width=3, n_sweeps=1, progress=False)
    assert find_start_vectors(vectors) == ("given", vectors)
