"""What a model knows besides its predictions, and the helpers of every family."""

import numpy as np
import pytest
from tests.support.tiny_model import Unigram

from regard.errors import ValueRangeError
from regard.models.base import make_background, make_background_from_counts, opening_line, select_log_probs
from regard.text.digest import digest
from regard.text.tokenise.tokenisers import CharacterTokeniser, WordTokeniser
from regard.text.tokenise.tokens import count_words

PLAY = "ROMEO:\nAy.\n\nJULIET:\nAy me.\n\nROMEO:\nShe speaks.\n"


def test_the_opening_is_the_commonest_line_with_a_letter() -> None:
    assert opening_line(PLAY) == "ROMEO:"
    assert opening_line("--\n--\n--\nNote:\nx\nNote:\n") == "Note:"


def test_no_line_that_comes_once_or_is_long_opens_a_text() -> None:
    assert opening_line("one\ntwo\n") == ""
    assert opening_line(("x" * 61 + "\n") * 3) == ""
    assert opening_line(("x" * 60 + "\n") * 3) == "x" * 60


def test_a_background_knows_text_versions_and_notes() -> None:
    tokeniser = CharacterTokeniser.fit(PLAY)
    found = make_background(PLAY, tokeniser.encode(PLAY), tokeniser, preset="small")
    assert found.digest.n_characters == len(PLAY)
    assert found.digest.sha256 == digest(PLAY).sha256
    assert (found.notes["preset"], found.notes["opening"]) == ("small", "ROMEO:")
    assert set(found.notes["versions"]) == {"regard", "numpy", "python"}


def test_a_speller_learns_from_counts_what_it_learns_from_the_text() -> None:
    text = "the cat the dog\nthe cat zyzzyva zyzzyva\n"
    tokeniser = WordTokeniser(["<unk>", "</s>", "cat", "dog", "the"])
    found = make_background_from_counts(count_words([text]), digest(text), tokeniser)
    expected = make_background(text, tokeniser.encode(text), tokeniser)
    words = ["zyzzyva", "cats", ""]
    np.testing.assert_allclose(found.speller.nats(words), expected.speller.nats(words))


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
