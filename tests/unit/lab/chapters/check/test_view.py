"""What chapter 9 says of claims."""

import re

import pytest

from regard.claims.meaning.setting import builtin_settings
from regard.claims.verdict.records import Verdict
from regard.lab.chapters.check import view
from regard.lab.chapters.check.view import (
    ClaimInput,
    WrittenClaim,
    error_place,
    find_verdict,
    letter_table,
    try_claim,
    typeset,
    verdict_facts,
)
from regard.lab.jobs import JobProgress, WorkStopped

SLOW = ClaimInput(r"E[\|k_a\|^3] = E[\|k_b\|^3]", "noisy-keys", "")


def nothing():
    """No wish to stop."""


def facts_on(claim, setting="", goal=""):
    return try_claim(ClaimInput(claim, setting, goal), JobProgress(nothing))


def test_a_missing_hypothesis_is_the_difference():
    claim = r"q = C k_a; \alpha_a \to 1"
    assert (facts_on(claim, "attention")["tone"], facts_on(claim, "orthonormal-keys")["tone"]) == ("bad", "limit")


def test_the_square_of_a_sum_is_not_marked_as_wrong():
    facts = facts_on("(a+b)^2 = a^2 + 2ab + b^2")
    assert (facts["name"], facts["tone"], facts["example"]) == ("Holds", "good", None)


def test_what_fails_in_one_reading_only_is_not_marked_as_wrong():
    wrong = Verdict("x", "general", "fails", "for matrices it is false")
    right = Verdict("x", "general", "holds", "for numbers it is true")
    facts = verdict_facts(Verdict("x", "general", "undecided", "it depends", readings=(wrong, right)))
    assert (facts["name"], facts["tone"]) == ("It depends on how this is read", "open")
    assert [one["name"] for one in facts["readings"]] == ["Fails", "Holds"]


def test_a_claim_is_typeset_statement_by_statement():
    [query, goal] = typeset(WrittenClaim("q = C k_a; c ≈ v_a"))["formulas"]
    assert query[0] == goal[0] == "math"
    assert query[1] == ["mrow", ["mi", "q"]]
    assert typeset(WrittenClaim("q = k_a + * k_b")) == {"formulas": []}


def test_it_can_be_stopped_and_tells_how_it_stands(monkeypatch):
    monkeypatch.setattr(view, "EVERY_SECONDS", 0.0)
    n_reports = 0

    def stop():
        nonlocal n_reports
        n_reports += 1
        if n_reports > 20:
            raise WorkStopped

    progress = JobProgress(stop)
    with pytest.raises(WorkStopped):
        try_claim(SLOW, progress)
    assert re.fullmatch(r"(trying examples|tried for \d+ s); at most 10 s of processor time", progress.message)


@pytest.mark.parametrize(
    ("claim", "place"),
    [
        ("q = k_a + * k_b", "q = k_a + * k_b\n          ^ at character 11"),
        ("q = k_a;\nc = = v_a", "c = = v_a\n    ^ at line 2, character 5"),
    ],
)
def test_the_place_of_a_mistake_is_told(claim, place):
    facts = facts_on(claim, "orthonormal-keys")
    assert (facts["tone"], facts["place"]) == ("open", place)


def test_a_broken_goal_is_told_as_such():
    verdict = find_verdict(ClaimInput("q = k_a", "attention", "c = ="))
    assert verdict.reason.startswith("in the goal, '=' does not fit here")
    assert error_place(verdict).startswith("c = =\n    ^ at character 5")
    assert find_verdict(ClaimInput("q = C k_a", "orthonormal-keys", r"c \approx v_a")).verdict == "holds-in-limit"


def test_a_verdict_tells_what_is_near_what_was_tried_and_its_numbers():
    facts = facts_on("M = A^\\top", "two-subspaces")
    assert facts["reason"].startswith("the goal is M s = v_a")
    assert facts["nearest"].startswith("instead M s = c holds")
    assert facts["tried"] == "shapes alone"
    example = facts_on("q = k_a + k_b", "orthonormal-keys")["example"]
    assert [row["name"] for row in example["rows"]] == ["n", "d", "a", "b", "k", "q", "v"]
    assert example["rows"][5]["value"] == "[1, 1, 0]"
    assert len(example["sides"]["left"]["entries"]) == 3


@pytest.mark.parametrize("setting", builtin_settings().values(), ids=lambda setting: setting.name)
def test_every_letter_of_a_setting_is_listed(setting):
    found = letter_table(setting)
    assert found["setting"] == setting.name
    assert len(found["rows"]) == sum(not spec.hidden for spec in setting.symbols)
    assert all(formula[0] == "math" for row in found["rows"] for formula in row["formulas"])
