"""Characters to tokens in three notations."""

import pytest

from regard.claims.syntax.lexer import plain_letter, split_run, tokenise
from regard.errors import NotUnderstood


def kinds(text):
    return [(token.kind, token.value) for token in tokenise(text)[0]]


def test_latex_and_unicode_give_the_same_tokens():
    assert kinds("α ≤ 2.5") == [("name", "alpha"), ("relation", "≤"), ("number", "2.5"), ("end", "")]
    assert kinds(r"\alpha \leq 2.5") == kinds("α ≤ 2.5") == kinds("α <= 2.5")


def test_raised_characters_stand_in_braces():
    assert [value for _, value in kinds("A⁻¹")] == ["A", "^", "{", "-", "1", "}", ""]


def test_one_sign_may_be_a_product_by_entries_or_two_primes():
    assert kinds("(A x) .* h")[-3:-1] == [("sign", "∘"), ("letters", "h")]
    assert kinds("σ″(x)") == kinds("σ''(x)")


def test_letters_run_together_and_words_separate_statements():
    assert kinds("AA for b")[:3] == [("letters", "AA"), ("separator", "for"), ("letters", "b")]
    assert split_run("Calphalog") == ["C", "alpha", "log"]
    assert (plain_letter("ŷ"), plain_letter("=")) == (("y", "hat"), None)


def test_what_means_nothing_is_refused_at_its_place():
    with pytest.raises(NotUnderstood, match="'♥', BLACK HEART SUIT is not understood") as error:
        tokenise("q = ♥")
    assert error.value.span == (4, 5)
