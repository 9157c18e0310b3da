"""Where lines begin, and what is refused."""

import numpy as np
import pytest

from regard.errors import ArgumentError, ValueRangeError
from regard.models.ngram.model import NgramConfig, fit_ngram, start_mark, with_marks
from regard.text.tokenise.tokenisers import fit_tokeniser


def test_each_line_opens_with_a_mark() -> None:
    tokeniser = fit_tokeniser("a b a b", unit="word")
    mark = start_mark(tokeniser)
    assert mark == 4
    ids = tokeniser.encode("a b\nb\n").ids  # 2 3 1 3 1
    marked, is_id = with_marks(ids, tokeniser)
    np.testing.assert_array_equal(marked, [4, 2, 3, 1, 4, 3, 1])
    np.testing.assert_array_equal(marked[is_id], ids)
    np.testing.assert_array_equal(is_id, [False, True, True, True, False, True, True])


def test_nothing_stays_nothing_and_characters_have_no_marks() -> None:
    words, letters = (fit_tokeniser("a b a b", unit=unit) for unit in ("word", "char"))
    assert len(with_marks(np.zeros(0, np.int64), words)[0]) == 0
    assert start_mark(letters) is None
    ids = letters.encode("ab").ids
    np.testing.assert_array_equal(with_marks(ids, letters)[0], ids)


@pytest.mark.usefixtures("unchecked")
def test_an_unknown_method_is_refused_instead_of_taken_for_another() -> None:
    with pytest.raises(ValueRangeError, match="there is no method 'kn'; choose from kneser-ney, mixing"):
        NgramConfig(method="kn")  # type: ignore[arg-type]


@pytest.mark.usefixtures("unchecked")
def test_what_is_no_text_is_refused_with_the_name_of_what_takes_paths() -> None:
    model = fit_ngram("a b a b", NgramConfig(order=2))
    with pytest.raises(ArgumentError, match=r"expected a text, a str; got bytes: regard\.evaluate"):
        model.perplexity(b"a b")  # type: ignore[arg-type]
