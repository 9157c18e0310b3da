"""The background of a model: its opening line, its notes, and its speller from a text or from counts."""

import numpy as np

from regard.models.background import digest, make_background, make_background_from_counts, opening_line
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
