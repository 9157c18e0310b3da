"""Where a complaint points."""

import pytest

from regard.claims.syntax.grammar import parse
from regard.errors import NotUnderstood


def test_a_complaint_names_the_token_and_what_was_expected():
    message = r"^'\)' does not fit here; expected a number, a name or a bracket$"
    with pytest.raises(NotUnderstood, match=message) as raised:
        parse("x = )")
    assert raised.value.span == (4, 5)
