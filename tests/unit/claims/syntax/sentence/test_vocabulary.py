"""The words that part formulas: each kind is in the whole vocabulary, and no letter of a formula is a word."""

from regard.claims.syntax.sentence import vocabulary


def test_every_kind_of_word_is_in_the_vocabulary():
    kinds = (vocabulary.GIVENS, vocabulary.OPENERS, vocabulary.IMPLIES, vocabulary.JOINS, vocabulary.PROPERTIES)
    assert all(kind <= vocabulary.ALL_WORDS for kind in kinds)


def test_words_that_lead_on_end_what_is_given():
    assert "get" in vocabulary.LEAD_ON <= vocabulary.ALL_WORDS


def test_no_letter_is_a_word():
    assert not {word for word in vocabulary.ALL_WORDS if len(word) == 1 and word.isascii() and word.isalpha()}
