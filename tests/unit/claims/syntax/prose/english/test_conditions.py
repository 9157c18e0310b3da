"""What is taken as given behind if, with and where."""

import pytest

from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        ("If x = 1 and z = 3, then y = 2.", ("Let x = 1. Let z = 3. Then y = 2",)),
        ("If x = 1 for some a > 0, then y = 2.", ("Let x = 1. Let a > 0. Then y = 2",)),
        ("If x_i = 1 for all i, then y = 2.", ("Let x_i = 1 for all i. Then y = 2",)),
        ("With T very small, x tends to 0.", ("Let T → 0. Then x → 0",)),
    ],
)
def test_conditions(sentence, claims):
    assert read_prose(sentence).claims == claims


@pytest.mark.parametrize(
    "sentence",
    ["If x = 1 for all z, then y = 2.", "If x = 1 for some z = 2, then y = 2.", "If never mind, then y = 2."],
)
def test_a_condition_that_is_not_plain_is_refused(sentence):
    assert read_prose(sentence) is None


@pytest.mark.parametrize(
    ("sentence", "given"),
    [
        ("With J the cross-entropy of p and q, J > 0.", "J = H(p, q)"),
        ("If not all z_i are equal, x = 1.", "max_i z_i > min_i z_i"),
        ("With g ~ N(0, 1) independent of x, x = 1.", "g ~ N(0, 1)"),
        ("For the growing scale C = 2 n, x = C.", "C = 2 n"),
        ("With soft labels, that is y_i ≥ 0 and sum(y) = 1, x = 1.", "y_i ≥ 0"),
    ],
)
def test_what_is_given(sentence, given):
    assert f"Let {given}." in read_prose(sentence).claims[0]


def test_a_letter_that_is_no_entry_is_not_equal_to_others():
    assert read_prose("If not all z are equal, x = 1.") is None
