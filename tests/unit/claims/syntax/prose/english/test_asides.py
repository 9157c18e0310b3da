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
        "Whether or not A and B commute, x = 1.",
        "x = 1, no matter whether they commute.",
        "x = 1, with or without ties.",
        "x = 1, however large C is.",
        "However large C, x = 1.",
        "x = 1, as one easily checks.",
        "x = 1, as is easily seen.",
    ],
)
def test_asides_are_left_out(sentence):
    assert read_prose(sentence).claims == ("x = 1",)


@pytest.mark.parametrize(
    "sentence",
    [
        "Whether or not X and Y are independent, x = 1.",  # what is assumed otherwise
        "Whether or not they sum to one, x = 1.",
        "Whether or not the keys are orthonormal, x = 1.",
        "x = 1, with or without the sigmoid.",
    ],
)
def test_what_lifts_an_assumption_is_not_left_out(sentence):
    assert read_prose(sentence) is None


def test_what_restricts_is_not_left_out():
    assert read_prose("Only when the keys are short, x = 1.") is None
