"""Words that restrict nothing."""

import pytest

from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    "sentence",
    [
        "Whatever the keys are, x = 1.",
        "In general, x = 1.",
        "No matter how large n is, x = 1.",
        "x = 1 regardless of n.",
    ],
)
def test_asides_are_left_out(sentence):
    assert read_prose(sentence).claims == ("x = 1",)


def test_what_restricts_is_not_left_out():
    assert read_prose("Only when the keys are short, x = 1.") is None
