import json

import numpy as np

from regard.claims.sheets.formulas import FoundClaim
from regard.claims.sheets.totals import Answer, answer_from_record, answer_record, total_by_question
from regard.claims.syntax.tree import Span
from regard.claims.verdict.records import Counterexample, Rate, Verdict


def test_an_answer_survives_json():
    example = Counterexample({"n": 2}, {"x": np.array([1.0, 2.0])}, left=np.array([1.0]), right=0.5, gap=0.5)
    reading = Verdict("x = 1", "attention", "holds", "")
    verdict = Verdict(
        "x = 1", "attention", "fails", "why", "how", example, (Rate("C", "power", 1.0, 2.0),), Span(0, 1), "x = 2",
        ("note",), (reading,),
    )  # fmt: skip
    answer = Answer(FoundClaim("x = 1", 3, sentence="So $x = 1$.", given=("y = 2",), sheet="a.md"), verdict)
    again = answer_from_record(json.loads(json.dumps(answer_record(answer))))
    assert again.found == answer.found
    assert again.verdict.facts() == verdict.facts()
    assert (again.verdict.where, again.verdict.rates) == (Span(0, 1), verdict.rates)


def test_what_is_not_understood_is_no_mistake():
    answers = [
        Answer(FoundClaim("x = 1", 1), Verdict("x = 1", "attention", "not-understood", "")),
        Answer(FoundClaim("x = 1", 2), Verdict("x = 1", "attention", "not-understood", "")),
        Answer(FoundClaim("y = 1", 3), Verdict("y = 1", "attention", "fails", "")),
    ]
    (total,) = total_by_question(answers)
    assert (total.mistake, total.times) == ("y = 1", 1)
