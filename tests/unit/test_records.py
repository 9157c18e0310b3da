"""Records: what is derived from their numbers, and how they are shown."""

import math

import numpy as np
import pytest

from regard.records import (
    Caution,
    ClassificationResult,
    Decision,
    PerplexityResult,
    ScoredText,
    SurpriseMap,
)


def perplexity_result(**changes):
    given = {
        "model": "m", "text": "t", "unit": "word", "tokens": 4,
        "line_ends": 1, "unknown_share": 0.25, "perplexity": 8.0,
        "perplexity_known": 6.0, "perplexity_by_base": {}, "characters": 10, "bytes": 20, "token_nats": 3.0,
        "spelling_nats": 2.0, "restoration_nats": 1.0, "choice_nats": 0.5, "adaptive": False, "prepare": (),
        "cautions": (Caution("kind", "be wary of <b>", {}),), "surprise": SurpriseMap("abcdefghij", np.zeros(10)),
    }  # fmt: skip
    return PerplexityResult(**given | changes)


def test_all_costs_of_a_text_add_up():
    result = perplexity_result()
    assert result.nats == 6.5
    assert result.nats_per_character == 0.65
    assert result.bits_per_character == pytest.approx(0.65 / math.log(2), rel=1e-15)
    assert result.bits_per_byte == pytest.approx(6.5 / 20 / math.log(2), rel=1e-15)
    assert result.warnings == ("be wary of <b>",)


def test_tokens_cover_the_text():
    scored = ScoredText("ab c", "word", np.array([0, 3]), np.array([2, 4]), np.zeros(2), np.ones(2, bool))
    assert [scored.token(i) for i in range(len(scored))] == ["ab", "c"]


def test_records_with_arrays_are_shown_in_one_line():
    result = ClassificationResult(("no", "yes"), 4, 0.75, 0.2, 0.5, 0.1, np.eye(2, dtype=int), ())
    assert repr(result) == (
        "ClassificationResult(labels=['no', 'yes'], n=4, accuracy=0.75, standard_error=0.2, nats=0.5, "
        "calibration_error=0.1, confusion=int64[2 × 2], reliability=[])"
    )
    assert len(repr(perplexity_result(text="x" * 1000))) <= 160


def test_a_decision_is_shown_in_one_line_and_escaped():
    decision = Decision(text="<b> good\n" * 100, label="pos", probabilities={"neg": 0.25, "pos": 0.75})
    assert repr(decision) == (
        "Decision(text='<b> good <b> good <b> good <b> good <b>…', label='pos', probabilities={neg: 0.25, pos: 0.75})"
    )
    shown = decision._repr_html_()
    assert "<caption>Decision</caption>" in shown
    assert "&lt;b&gt; good" in shown
    assert "<b>" not in shown
