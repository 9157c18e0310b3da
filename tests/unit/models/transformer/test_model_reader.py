"""Reading id by id: the windows by which texts are scored, and one normalisation by hand."""

import numpy as np
import pytest
from tests.support.texts import VERSE
from tests.support.transformers import random_model

from regard.models.transformer.model import normalise
from regard.models.transformer.network import EPSILON


@pytest.mark.parametrize(
    "sizes", [{}, {"context": 4, "stride": 2}, {"context": 5, "stride": 5}, {"layers": 1, "heads": 4}]
)
def test_reading_one_by_one_is_the_forward_pass_over_windows(sizes: dict[str, int]) -> None:
    model = random_model(**sizes)
    ids = model.tokeniser.encode(VERSE[:40]).ids
    reader, read = model.reader(), []
    for token in ids:
        read.append(reader.next_log_probs())
        reader.read(int(token))
    expected = np.concatenate(list(model.next_log_probs_along(ids)))
    np.testing.assert_allclose(read, expected, rtol=1e-4, atol=1e-4)


def test_ids_may_be_read_in_a_row_before_the_question() -> None:
    model = random_model(context=4, stride=2)
    ids = model.tokeniser.encode(VERSE[:11]).ids.tolist()
    slow, fast = model.reader(), model.reader()
    for token in ids:
        slow.next_log_probs()
        slow.read(token)
        fast.read(token)
    np.testing.assert_allclose(fast.next_log_probs(), slow.next_log_probs(), rtol=1e-5, atol=1e-5)


def test_readers_of_one_model_do_not_touch_each_other() -> None:
    model = random_model()
    one, other = model.reader(), model.reader()
    fresh = other.next_log_probs()
    for token in model.tokeniser.encode("the sea").ids:
        one.read(int(token))
    one.next_log_probs()
    np.testing.assert_array_equal(other.next_log_probs(), fresh)


def test_normalising_by_hand() -> None:
    found = normalise(np.array([[3.0, 4.0]]), np.array([1.0, 2.0]))
    np.testing.assert_allclose(found, np.array([[3.0, 8.0]]) / np.sqrt(12.5 + EPSILON))
