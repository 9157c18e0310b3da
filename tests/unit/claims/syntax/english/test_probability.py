"""Sentences of this kind, and what becomes of them."""

import pytest

from regard.claims.syntax.english.rewriting import rewrite


@pytest.mark.parametrize(("text", "expected"), [("E[x] = 0", "E[x] = 0")])
def test_becomes(text, expected):
    assert rewrite(text)[0] == expected
