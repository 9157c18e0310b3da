"""Steps of preparation: the edits that each makes. What they make of whole texts is tried in test_prepare.py."""

import pytest

from regard.text.normalise.steps import (
    digits,
    digits_n,
    drop_punctuation,
    fold_unicode,
    is_abbreviation,
    join_lines,
    lower,
    split_lines,
    split_words,
    squeeze_spaces,
)


def test_marks_vanish_with_the_accent_before_them_in_one_go():
    assert list(fold_unicode("é\u0301\u0302")) == [(0, 1, "e"), (1, 2, ""), (2, 3, "")]
    assert list(fold_unicode("\u0301")) == [(0, 1, "")]


@pytest.mark.parametrize(
    ("step", "text", "edits"),
    [
        (lower, "aBİ", [(1, 2, "b"), (2, 3, "i̇")]),
        (digits, "1,2 x1", [(0, 1, "DG"), (1, 2, ""), (2, 3, "DG")]),
        (digits_n, "(1,250) x1", [(1, 6, "N")]),
        (squeeze_spaces, " a  b\t\n", [(0, 1, ""), (3, 4, ""), (5, 6, "")]),
        (join_lines, "a \n b\n\nc", [(1, 4, " ")]),
        (split_lines, "Go. On", [(3, 4, "\n")]),
        (split_words, "can't.", [(2, 2, " "), (5, 5, " ")]),
        (drop_punctuation, "a , b", [(2, 4, "")]),
    ],
)
def test_the_edits_of_a_step(step, text, edits):
    assert list(step(text)) == edits
    for plain in ("", "abc"):
        assert list(step(plain)) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [("Mr.", True), ("U.S.", True), ("J.", True), ("i.e.", True), ("I.", False), ("cat.", False), ("Mr!", False)],
)
def test_abbreviations_and_initials(text, expected):
    assert is_abbreviation(text, len(text) - 1) == expected
