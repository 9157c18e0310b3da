"""Patterns of English."""

from regard.claims.syntax.english.patterns import SYMBOLS, phrase


def test_symbols_are_listed_in_the_usual_ways():
    for text in ("x", "k_i", r"$\alpha$", "x and y", "x, y and z", "A, B"):
        assert phrase(SYMBOLS).fullmatch(text), text
    for text in ("xy", "the", "x or y"):
        assert not phrase(SYMBOLS).fullmatch(text), text
