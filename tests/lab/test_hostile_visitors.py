"""A hostile visitor of the lab, in short; `make faults` asks far more."""

import itertools
import re

import pytest
from tests.faults.hostile_visitors import (
    Target,
    ask_hostile_questions,
    judge,
    names_and_origins,
    traversal,
)


@pytest.fixture
def target(lab_address):
    return Target(lab_address)


def test_nothing_is_told_and_nothing_fails(target):
    tried = [*names_and_origins(target), *itertools.islice(traversal(target), 0, None, 60)]
    assert [finding for finding in tried if finding[1]] == []


def test_hostile_questions_are_refused_or_answered(target):
    assert [finding for finding in ask_hostile_questions(target, 2, is_brief=True) if finding[1]] == []


def test_a_forged_name_is_replaced_by_a_signed_one_that_is_kept(target):
    def asked_with(cookie):
        text = target.ask("GET", "/chapter/look-up/", Cookie=f"regard_visitor_{target.port}={cookie}")[1]
        return re.findall(rf"(?i)set-cookie: regard_visitor_{target.port}=([^;]+)", text)

    (given,) = asked_with("forged.0")
    assert asked_with(given) == []


@pytest.mark.parametrize(
    ("status", "text", "is_well"),
    [
        (400, "no", True),
        (500, "no", False),
        (400, "/usr/lib/site-packages/x.py", False),
        (400, "Traceback (most", False),
    ],
)
def test_what_counts_as_wrong(status, text, is_well):
    assert (judge(status, text, {400}) == "") == is_well
