"""The tables agree with each other."""

from regard.claims.syntax.letters import FUNCTIONS, GREEK, LOOK_ALIKES, MAYBE_FUNCTIONS, NAME_COMMANDS, WORDS


def test_greek_letters_have_the_names_of_their_commands():
    assert (GREEK["λ"], GREEK["µ"], GREEK["ϵ"], GREEK["Σ"]) == ("lambda", "mu", "epsilon", "Sigma")
    assert set(GREEK.values()) <= set(NAME_COMMANDS.values()) <= {*WORDS, *GREEK.values()}


def test_letters_that_look_alike_are_read_as_latin_ones():
    assert (LOOK_ALIKES["а"], LOOK_ALIKES["Α"]) == ("a", "A")
    assert all(letter.isascii() and not sign.isascii() for sign, letter in LOOK_ALIKES.items())


def test_no_name_is_always_and_only_maybe_a_function():
    assert not set(FUNCTIONS) & set(MAYBE_FUNCTIONS)
