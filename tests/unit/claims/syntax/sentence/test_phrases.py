"""Phrases become signs of equal length, and words before a colon a comment."""

import pytest

from regard.claims.syntax.sentence.phrases import mark_phrases, take_comments


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("p = q if and only if r = s", "⇔"),
        ("p = q as long as r = s", "if"),
        ("p = q implies r = s", "⇒"),
        ("p = q does not hold", "¬"),
        ("there is an x such that x = 1", "∃"),
        ("p = q for every x", "∀"),
        ("x is at most 3", "≤"),
        ("x is proportional to y", "∝"),
    ],
)
def test_each_phrase_is_one_sign_and_keeps_its_place(text, sign):
    marked = mark_phrases(text)
    assert sign in marked
    assert len(marked) == len(text)


def test_names_that_contain_a_word_are_left_alone():
    assert mark_phrases("x_if = then_1") == "x_if = then_1"


def test_a_condition_before_a_colon_is_no_comment():
    assert take_comments("for all vectors and matrices: x = y") == ("for all vectors and matrices: x = y", [])
