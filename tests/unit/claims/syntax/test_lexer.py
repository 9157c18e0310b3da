"""Characters to tokens in three notations, and the cursor that walks along them."""

import pytest

from regard.claims.syntax.cursor import Cursor
from regard.claims.syntax.lexer import plain_letter, split_run, tokenise
from regard.claims.syntax.tree import MAX_NESTING
from regard.errors import NotUnderstood


def kinds(text):
    return [(token.kind, token.value) for token in tokenise(text)[0]]


def test_latex_and_unicode_give_the_same_tokens():
    assert kinds("α ≤ 2.5") == [("name", "alpha"), ("relation", "≤"), ("number", "2.5"), ("end", "")]
    assert kinds(r"\alpha \leq 2.5") == kinds("α ≤ 2.5") == kinds("α <= 2.5")


def test_raised_characters_stand_in_braces():
    assert [value for _, value in kinds("A⁻¹")] == ["A", "^", "{", "-", "1", "}", ""]


def test_letters_run_together_and_words_separate_statements():
    assert kinds("AA for b")[:3] == [("letters", "AA"), ("separator", "for"), ("letters", "b")]
    assert split_run("Calphalog") == ["C", "alpha", "log"]
    assert (plain_letter("ŷ"), plain_letter("=")) == (("y", "hat"), None)


def test_what_means_nothing_is_refused_at_its_place():
    with pytest.raises(NotUnderstood, match="'♥', BLACK HEART SUIT is not understood") as error:
        tokenise("q = ♥")
    assert error.value.span == (4, 5)


def test_a_cursor_takes_insists_and_points():
    cursor = Cursor(tokenise("q12 )")[0])
    cursor.split_first(1)
    assert (cursor.take().value, cursor.ahead(1).value) == ("q", ")")
    assert cursor.span_from(0).end == 1
    cursor.take()
    assert not cursor.takes("(")
    with pytest.raises(NotUnderstood, match="'\\)' does not fit here; expected '\\('"):
        cursor.insist("(")
    assert (cursor.takes(")"), cursor.take().kind, cursor.take().kind) == (True, "end", "end")


def test_brackets_may_not_be_too_deep():
    cursor = Cursor(tokenise("x")[0], depth=MAX_NESTING)
    with pytest.raises(NotUnderstood, match=f"at most {MAX_NESTING} brackets"), cursor.deeper():
        pass
