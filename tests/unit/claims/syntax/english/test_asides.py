"""Sentences of this kind, and what becomes of them."""

import pytest

from regard.claims.syntax.english.rewriting import rewrite


@pytest.mark.parametrize(
    ("text", "expected"),
    [("tr(AB) = tr(BA), since the trace is cyclic.", "tr(AB) = tr(BA).")],
)
def test_becomes(text, expected):
    assert rewrite(text)[0] == expected
