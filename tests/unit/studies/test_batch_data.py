"""What workers are sent comes out as it went in, and is known by its checksum."""

import numpy as np
from tests.support.reviews import labelled_reviews

from regard.cluster import SharedBytes
from regard.records import LabelledTexts
from regard.studies.batch_data import pack, pack_texts, pack_vectors, unpack, unpack_texts, unpack_vectors
from regard.text.vectors.word_vectors import WordVectors


def test_numbers_keep_every_digit_and_arrays_every_bit():
    arrays = {"right": np.array([True, False]), "hashes": np.array([2**64 - 1], np.uint64), "none": np.zeros((0, 3))}
    record, found = unpack(pack([0.1 + 0.2, "é", None], arrays))
    assert record == [0.1 + 0.2, "é", None]
    for name, array in arrays.items():
        assert (found[name].dtype, found[name].shape, found[name].tobytes()) == (
            array.dtype,
            array.shape,
            array.tobytes(),
        )


def test_texts_with_half_characters():
    data = LabelledTexts(("good \ud800", "bad"), np.array([1, 0]), ("no", "yes"))
    again = unpack_texts(pack_texts(data))
    assert (again.texts, again.labels, again.label_ids.tolist()) == (data.texts, data.labels, [1, 0])


def test_vectors():
    vectors = WordVectors(["a", "b"], np.arange(6, dtype=np.float32).reshape(2, 3))
    again = unpack_vectors(pack_vectors(vectors))
    assert (again.words, again.vectors.tobytes()) == (["a", "b"], vectors.vectors.tobytes())


def test_what_is_shared_is_equal_by_its_checksum_and_shows_no_content():
    one, other = pack_texts(labelled_reviews(4)), pack_texts(labelled_reviews(6))
    assert one == SharedBytes.of(one.content) != other
    assert len({one, SharedBytes.of(one.content), other}) == 2
    assert repr(one) == f"SharedBytes(checksum='{one.checksum}')"
