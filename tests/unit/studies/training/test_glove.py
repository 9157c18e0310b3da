"""Word vectors in one call."""

from tests.support.texts import VERSE

from regard.studies.training.glove import train_glove
from regard.text.vectors.glove_text import read_vectors


def test_one_call_gives_vectors_and_writes_them(tmp_path):
    vectors = train_glove(VERSE, width=3, n_sweeps=2, out=tmp_path / "vectors.txt", progress=False)
    assert vectors.vectors.shape == (len(vectors.words), 3)
    assert list(read_vectors(tmp_path / "vectors.txt").words) == list(vectors.words)
