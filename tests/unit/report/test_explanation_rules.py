"""A sentence about a rule says what its table says."""

import pytest

from regard.records import Finding, RuleCount
from regard.report import explanation


def count(ratio=1.745, verdict="goes with errors", seen=(57, 119)):
    return RuleCount("long", "long?", 455, 1658, *seen, ratio, 1.3, 2.35, verdict)


def test_sentence_finding_and_table_have_one_number():
    row = dict(zip(explanation.RULE_HEADINGS, explanation.format_rule(count()), strict=True))
    said = explanation.write_rule(count())
    found = explanation.write_finding(Finding("long", "35 words", (), 1.745, "goes with errors"))
    for line in (said, found):
        assert f"{row['ratio']} times as common where it was wrong" in line
    assert row["of errors"] in said
    assert row["of right answers"] in said
    assert said == (
        f"long: seen in 12.5 % of errors and 7.2 % of right answers: {row['ratio']} times as common where it was wrong"
    )


@pytest.mark.parametrize("verdict", ["says little", "goes with right answers", "too few to tell"])
def test_only_what_goes_with_errors_is_called_common_there(verdict):
    assert explanation.write_rule(count(0.96, verdict)).endswith(f"right answers: {verdict}")


def test_what_is_never_seen_has_no_ratio():
    assert explanation.format_rule(count(3.62, "never seen here", (0, 0)))[2:] == ["–", "–", "never seen here"]
    assert explanation.format_share(0, 0) == "–"


def test_where_every_answer_is_right_there_is_no_ratio():
    alone = RuleCount("long", "long?", 0, 400, 0, 8, 23.59, 2.98, 186.88, "nothing to compare")
    assert explanation.format_rule(alone) == ["–", "2.0 %", "–", "–", "nothing to compare"]
