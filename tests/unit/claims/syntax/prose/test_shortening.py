"""What may be left out of a sentence."""

from regard.claims.syntax.prose.shortening import shorten
from regard.claims.syntax.prose.tokens import tokenise_sentence


def _texts(sentence):
    return [
        (" ".join(token.text for token in tokens), unread) for tokens, unread in shorten(tokenise_sentence(sentence))
    ]


def test_a_heading_and_a_reason_are_left_out():
    assert ("x = y", ()) in _texts("The norm is convex: x = y")
    assert ("the norm is x", ()) in _texts("the norm is x, since y = z")


def test_a_conclusion_that_is_left_out_is_told():
    assert ("the norm is x", ("so it is not y",)) in _texts("the norm is x, so it is not y")


def test_a_condition_is_no_heading():
    assert all(not text.startswith("x = y") for text, _ in _texts("If A is symmetric: x = y"))


def test_words_on_random_variables_announce_their_entropies():
    assert ("H(X|Y) ≤ H(X)", ()) in _texts("Learning Y never makes X more uncertain: H(X|Y) ≤ H(X)")
