"""How the cursor walks along tokens, and where its complaints point."""

import pytest

from regard.claims.syntax.cursor import Cursor
from regard.claims.syntax.grammar import parse
from regard.claims.syntax.lexer import tokenise
from regard.claims.syntax.tree import MAX_NESTING
from regard.errors import NotUnderstood


def test_a_complaint_names_the_token_and_what_was_expected():
    message = r"^'\)' does not fit here; expected a number, a name or a bracket$"
    with pytest.raises(NotUnderstood, match=message) as raised:
        parse("x = )")
    assert raised.value.span == (4, 5)


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
