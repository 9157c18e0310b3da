"""One verdict for several statements, or for two ways to read a text."""

import pytest

from regard.claims.check import check
from regard.claims.verdict.records import Verdict, choose_reading, join_parts, write_statement


def _verdict(name, claim="Let x = 1. Then y = 2"):
    return Verdict(claim, "general", name, f"it {name}")


def test_one_that_fails_is_enough():
    found = join_parts("text", [_verdict("holds"), _verdict("fails")], (), ())
    assert (found.verdict, found.claim, found.reason) == ("fails", "text", "y = 2: it fails")


def test_all_have_to_hold():
    assert join_parts("text", [_verdict("holds"), _verdict("holds-in-limit")], (), ()).verdict == "holds-in-limit"
    assert join_parts("text", [_verdict("holds"), _verdict("not-understood")], (), ()).verdict == "not-understood"


def test_words_that_were_not_read_allow_to_fail_but_not_to_hold():
    assert join_parts("text", [_verdict("fails")], (), ("so it goes",)).verdict == "fails"
    found = join_parts("text", [_verdict("holds")], (), ("so it goes",))
    assert found.verdict == "not-understood"
    assert "so it goes" in found.reason


def test_two_readings_that_disagree_decide_nothing():
    assert choose_reading(_verdict("holds"), _verdict("fails")).verdict == "undecided"
    assert choose_reading(_verdict("holds"), _verdict("not-understood")).verdict == "holds"
    assert choose_reading(_verdict("undecided"), _verdict("fails")).verdict == "fails"
    assert choose_reading(_verdict("ill-formed"), _verdict("not-understood")).verdict == "not-understood"


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("The trace of a projection equals its rank.", "holds"),
        ("Every orthogonal matrix has determinant 1.", "fails"),
        ("For x ~ N(0, I_d), the squared norm ‖x‖² has mean d and variance d.", "fails"),
        ("For x ~ N(0, I_d), the squared norm ‖x‖² has mean d and variance 2d.", "holds"),
    ],
)
def test_sentences_are_judged_statement_by_statement(claim, verdict):
    found = check(claim)
    assert found.verdict == verdict, found
    assert found.claim == claim


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("PP ≥ 1", "PP ≥ 1"),
        ("Let q = 0. Then c = 0", "c = 0, given q = 0"),
        ("Let x is unit. Let y is onehot. Let the keys be orthonormal. Then α_1 = 0.5",
         "α_1 = 0.5, given x is a unit vector, y is one-hot and the keys are orthonormal"),
    ],
)  # fmt: skip
def test_a_statement_is_shown_before_what_is_given(text, shown):
    assert write_statement(text) == shown
