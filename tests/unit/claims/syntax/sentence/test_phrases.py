"""Phrases become signs of equal length, and words before a colon a comment."""

import pytest

from regard.claims.syntax.grammar import parse
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


@pytest.mark.parametrize(
    "text",
    [
        "x_i > 0 for i = 1, …, n",
        "x_i > 0 ∀ i = 1, ..., n",
        "x_i > 0 for all i = 1..n",
        "x_i > 0 for every i in {1, …, n}",
    ],
)
def test_indices_that_run_over_all(text):
    assert parse(text).universal == ("i",)


def test_laws_of_which_all_are_drawn_apart():
    [given] = parse("X_i i.i.d. ~ N(0, 1) ⇒ x = 1").premises
    assert given.comparison == "~"


@pytest.mark.parametrize("place", ["0⁺", "0^+", "0+", "0^{+}", "0"])
def test_a_limit_from_one_side(place):
    assert [one.comparison for one in parse(f"x → 1 as T → {place}").premises] == ["→"]


def test_arrows_up_and_down_are_limits():
    for arrow in ("↓", "→", r"\downarrow", r"\to"):
        assert parse(f"x = 1 as T {arrow} 0").premises[0].comparison == "→"
