"""Where lines begin, and what is refused."""

import subprocess
import sys

import numpy as np
import pytest

from regard.models.ngram.model import start_mark, with_marks
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


WRONG = {
    'NgramConfig(method="kn")': "ValueRangeError: there is no method 'kn'; choose from kneser-ney, mixing",
    'fit_ngram("a b a b", NgramConfig(order=2)).perplexity(b"a b")': (
        "ArgumentError: expected a text, a str; got bytes: regard.evaluate(model, …) also takes names and paths"
    ),
}


@pytest.mark.parametrize("call", WRONG)
def test_what_users_get_wrong_is_said_at_the_call(call: str) -> None:
    """In a process of its own: here annotations are checked, which would be the first to complain."""
    code = f"from regard.models.ngram.model import NgramConfig, fit_ngram\n{call}"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert found.stderr.splitlines()[-1].endswith(WRONG[call])
