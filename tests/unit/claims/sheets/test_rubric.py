import pytest

from regard.claims.sheets.formulas import FoundClaim
from regard.claims.sheets.rubric import Question, find_question, grade, read_rubric
from regard.claims.sheets.totals import Answer
from regard.claims.verdict.records import Verdict
from regard.errors import InputFileError

RUBRIC = [Question("1b", 2.0, accepted=("M = A A^T",)), Question("1c", 3.0)]


def answer(question, outcome, text="x = 1", role="answer", sheet="ada.md"):
    found = FoundClaim(text, 1, question=question, role=role, sheet=sheet)
    return Answer(found, Verdict(text, "attention", outcome, ""))


def test_a_file_of_questions(tmp_path):
    (tmp_path / "r.toml").write_text('[[question]]\nname = "1b"\npoints = 2\naccepted = ["M = A A^T"]\n')
    assert read_rubric(tmp_path / "r.toml") == [RUBRIC[0]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected tables"),
        ("question = 3", "expected tables"),
        ("[[question]]\nname = '1'", "points missing; expected at least name and points"),
        ("[[question]]\nname = 1\npoints = 2", "name is 1; expected a text"),
        ("[[question]]\nname = '1'\npoints = '2'", "points is '2'; expected a number"),
        ("[[question]]\nname = '1'\npoints = true", "points is True; expected a number"),
        ("[[question]]\nname = '1'\npoints = -1", "points is -1; expected a number from 0"),
        ("[[question]]\nname = '1'\npoints = nan", "points is nan; expected a number from 0"),
        ("[[question]]\nname = '1'\npoints = 1\naccepted = [1]", "accepted holds what is no text"),
        ("[[question]]\nname = '1'\npoints = 1\nworth = 2", "'worth' is not known; expected name, points"),
        ("[[", "not TOML"),
    ],
)
def test_what_is_no_rubric_is_told(tmp_path, text, message):
    (tmp_path / "r.toml").write_text(text)
    with pytest.raises(InputFileError, match=message):
        read_rubric(tmp_path / "r.toml")


def test_a_heading_names_its_question():
    assert find_question(RUBRIC, "1b") is RUBRIC[0]
    assert find_question(RUBRIC, "Exercise 1c: averaging") is RUBRIC[1]
    assert find_question(RUBRIC, "2") is None


def test_points():
    answers = [
        answer("1b", "fails", "M = A A^T"),  # accepted whatever the checker says
        answer("1b", "holds", role="reason"),
        answer("1c", "holds"),
        answer("1c", "fails"),
    ]
    assert [(each.points, each.of, each.is_settled) for each in grade(answers, RUBRIC)] == [
        (2, 2, True),
        (1.5, 3, True),
    ]


def test_what_was_not_understood_waits_for_a_person():
    first, second = grade([answer("1b", "not-understood", "y ? 2")], RUBRIC)
    assert (first.points, first.review) == (0, ("line 1: y ? 2",))
    assert second.review == ("no formula was found under this question",)
