"""Formulas take the place of words, and what stands after them stays where it was."""

import re

from regard.claims.syntax.sentence.quantities import blank, pad_if_room, write_over

WORDS = re.compile(r"is equal to|has mean (?P<mean>\w)")


def test_places_after_a_formula_stay():
    text = "x is equal to y"
    assert write_over(WORDS, "=", text).index("y") == text.index("y")
    assert write_over(WORDS, lambda found: f"~ {found['mean']}", "x has mean 0.").index(".") == 12


def test_blank_leaves_spaces_only():
    assert blank(WORDS, "x is equal to y") == "x" + " " * 13 + "y"


def test_formula_without_room_leaves_the_words():
    found = WORDS.search("is equal to")
    assert pad_if_room("=", found) == "          ="
    assert pad_if_room("a formula that is longer", found) == "is equal to"
