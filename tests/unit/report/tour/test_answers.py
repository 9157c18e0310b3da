"""Answers of the tour as records: kept as JSON and read again without loss."""

import dataclasses
import json

import pytest

from regard.report.tour.answers import Answer, Drawing, Number, Question, Sample, Table, Tour, TriedClaim, read_answer

QUESTION = Question("A3", "Noisy keys", "Which query averages?")
ANSWER = Answer(
    question=QUESTION,
    sentences=("q = C(μ_a + μ_b).",),
    numbers=(Number("variance", 0.39, 1e-13, "exact", 7, "manual", "ab12", "0.1.0"),),
    tables=(Table("scales", ("C", "design"), ((1.0, "pull"), (2.0, "push"))),),
    drawings=(Drawing("a key", "<svg></svg>"),),
    samples=(Sample("drawn", "to be"),),
    claims=(TriedClaim("q = k", "attention", "", "fails", "no"),),
    notes=("a note",),
)


def test_an_answer_survives_json():
    assert read_answer(json.loads(json.dumps(dataclasses.asdict(ANSWER)))) == ANSWER


def test_a_number_is_found_by_its_name():
    assert ANSWER.number("variance").value == 0.39
    with pytest.raises(KeyError):
        ANSWER.number("mean")


def test_drawings_are_left_out_unless_asked_for():
    tour = Tour((ANSWER,), seed=7, quick=True, version="0.1.0")
    assert "drawings" not in tour.as_json()["answers"][0]
    assert tour.as_json(drawings=True)["answers"][0]["drawings"] == ({"caption": "a key", "svg": "<svg></svg>"},)


@pytest.mark.parametrize(("verdict", "true"), [("holds", True), ("holds-in-limit", True), ("fails", False)])
def test_a_claim_is_true_in_the_limit_too(verdict, true):
    assert TriedClaim("c = v", "attention", "", verdict, "").is_true is true
