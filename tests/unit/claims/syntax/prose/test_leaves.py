"""Numbers in words, symbols and their lists."""

import pytest

from regard.claims.syntax.prose.leaves import LEAVES
from regard.claims.syntax.prose.tokens import tokenise_sentence


def _read(leaf, text):
    return dict(LEAVES[leaf](tokenise_sentence(text), 0))


@pytest.mark.parametrize(
    ("text", "signs"),
    [("one half", "1/2"), ("three quarters", "3/4"), ("zero", "0"), ("one-third", "1/3"), ("a quarter", "1/4")],
)
def test_numbers_in_words(text, signs):
    found = _read("expr", text)
    assert found[max(found)].signs == signs


def test_lists_of_symbols():
    found = _read("syms", "x, y and z")
    assert found[max(found)] == ("x", "y", "z")
    found = _read("syms", "k_1, …, k_n")
    assert found[max(found)] == ("k_i",)


def test_what_is_said_of_the_last_of_a_list_is_said_of_all():
    found = _read("symrel", "x, y ∈ ℝ^n")
    assert found[max(found)] == ("x ∈ ℝ^n", "y ∈ ℝ^n")


def test_definitions_are_those_of_plain_letters():
    (thing,) = _read("defined", "P = A A^T").values()
    assert (thing.signs, thing.given) == ("P", ("P = A A^T",))
    assert not _read("defined", "σ'(x) = 1")
    assert not _read("defined", "E[X] = 0")


def test_no_commentary_has_words_that_matter():
    assert max(_read("commentary", "a short calculation gives")) == 4
    assert not _read("commentary", "unless")
    assert max(_read("commentary", "this is not so")) == 2


def test_a_reason_ends_at_the_comma():
    assert set(_read("reason", "the trace is cyclic, we have")) == {4}
