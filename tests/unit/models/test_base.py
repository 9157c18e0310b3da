"""The helpers of every family of models."""

import numpy as np
import pytest
from tests.support.tiny_model import Unigram

from regard.errors import ValueRangeError
from regard.models.base import select_log_probs
from regard.text.tokenise.tokenisers import CharacterTokeniser


def test_of_each_row_the_id_that_stands_there_is_selected() -> None:
    tables = [np.log([[0.5, 0.3, 0.2], [0.1, 0.2, 0.7]]), np.log([[0.25, 0.5, 0.25]])]
    np.testing.assert_allclose(np.exp(select_log_probs(tables, np.array([1, 2, 0]))), [0.3, 0.7, 0.25])
    assert select_log_probs([], np.array([], dtype=np.int64)).shape == (0,)


def test_a_model_that_cannot_adapt_or_unlearn_says_so() -> None:
    model = Unigram.fit("abba", CharacterTokeniser.fit("abba"))
    assert not model.can_adapt
    with pytest.raises(ValueRangeError, match="cannot learn from the text it scores; leave adaptive off"):
        model.score("ab", adaptive=True)
    with pytest.raises(ValueRangeError, match="cannot unlearn what it was trained on"):
        model.unlearn(np.array([0, 1]))
