import gzip

import numpy as np
import pytest

from regard.errors import OutputFileError, ShapeError, ValueRangeError, VocabularyError
from regard.text.vectors.glove_text import read_vectors
from regard.text.vectors.word_vectors import WordVectors, write_vectors


def some(words, *rows):
    return WordVectors(words, np.array(rows, np.float32))


def test_words_are_looked_up_by_name():
    vectors = some(["a", "nan", '"'], [1, 2], [3, 4], [5, 6])
    assert [vectors.row(word) for word in ("a", "nan", '"', "b")] == [0, 1, 2, None]
    assert vectors.rows(["b", '"', "a"]).tolist() == [-1, 2, 0]
    assert "nan" in vectors
    assert "b" not in vectors
    assert (len(vectors), vectors.width) == (3, 2)


def test_a_matrix_for_other_words_says_what_it_found():
    vectors = some(["a", "b"], [1, 2], [3, 4])
    matrix, is_found = vectors.matrix_for(["b", "x", "b"], fill=0.5)
    assert matrix.tolist() == [[3, 4], [0.5, 0.5], [3, 4]]
    assert matrix.dtype == np.float32
    assert is_found.tolist() == [True, False, True]


def test_missing_words_drawn_at_random_look_like_the_others():
    rng = np.random.default_rng(0)
    known = rng.normal([1.0, -2.0], [0.1, 3.0], (500, 2)).astype(np.float32)
    vectors = WordVectors([f"w{k}" for k in range(500)], known)
    words = [*vectors.words, *(f"x{k}" for k in range(4000))]
    matrix, is_found = vectors.matrix_for(words, rng=np.random.default_rng(1))
    drawn = matrix[~is_found]
    np.testing.assert_allclose(drawn.mean(axis=0), [1.0, -2.0], atol=0.4)
    np.testing.assert_allclose(drawn.std(axis=0), [0.1, 3.0], rtol=0.15)
    again, _ = vectors.matrix_for(words, rng=np.random.default_rng(1))
    assert (matrix == again).all()


def test_with_no_word_found_all_are_drawn():
    matrix, is_found = some(["a"], [1, 2]).matrix_for(["x"] * 5000, rng=np.random.default_rng(0))
    assert not is_found.any()
    assert matrix.std() == pytest.approx(2**-0.5, rel=0.05)


def test_the_nearest_words_point_the_same_way():
    vectors = some(["a", "b", "c", "zero"], [1, 0], [2, 2], [-1, 0], [0, 0])
    assert [word for word, _ in vectors.nearest("a", 2)] == ["b", "zero"]
    assert vectors.nearest("a", 9)[0][1] == pytest.approx(2**-0.5)
    with pytest.raises(VocabularyError, match="'x' has no vector among these 4 words"):
        vectors.nearest("x")


def test_words_and_vectors_must_be_as_many():
    with pytest.raises(ShapeError, match="got 1 words and 2 vectors"):
        some(["a"], [1.0], [2.0])


@pytest.mark.parametrize("name", ["v.txt", "v.txt.gz"])
def test_what_is_written_is_read_back_bit_by_bit(tmp_path, name):
    rng = np.random.default_rng(0)
    words = ["nan", "null", '"', "#", "naïve", "日本", ". . .", "a\xa0b", "\u2028", "-1.5"]
    sizes = 10.0 ** rng.integers(-30, 30, (10, 99))
    vectors = WordVectors(words, (rng.standard_normal((10, 99)) * sizes).astype(np.float32))
    write_vectors(vectors, tmp_path / name)
    found = read_vectors(tmp_path / name)
    assert found.words == words
    assert (found.vectors == vectors.vectors).all()
    assert [path.name for path in tmp_path.iterdir()] == [name]
    if name.endswith(".gz"):
        assert gzip.decompress((tmp_path / name).read_bytes()).count(b"\n") == 10


@pytest.mark.parametrize("word", ["", " ", "a\nb", "room 101", " a", "a\t", "\ufeffa", "a\0", "\ud800"])
def test_a_word_that_would_be_read_as_another_is_not_written(tmp_path, word):
    with pytest.raises(VocabularyError, match="cannot be written as a word of GloVe text"):
        write_vectors(some([word], [1.0, 2.0]), tmp_path / "v.txt")
    assert not list(tmp_path.iterdir())


def test_numbers_that_are_none_are_not_written_and_leave_the_old_file(tmp_path):
    (tmp_path / "v.txt").write_text("old")
    with pytest.raises(ValueRangeError, match="must be finite"):
        write_vectors(some(["a"], [1.0, np.nan]), tmp_path / "v.txt")
    assert (tmp_path / "v.txt").read_text() == "old"


def test_a_file_that_cannot_be_written_leaves_nothing(tmp_path):
    (tmp_path / "v.txt").mkdir()
    with pytest.raises(OutputFileError, match=r"cannot write .*v.txt: it is a folder; "):
        write_vectors(some(["a"], [1.0, 2.0]), tmp_path / "v.txt")
    assert [path.name for path in tmp_path.iterdir()] == ["v.txt"]
    with pytest.raises(OutputFileError, match=r"cannot write .*v.txt: there is no folder .*absent; "):
        write_vectors(some(["a"], [1.0, 2.0]), tmp_path / "absent" / "v.txt")
