"""Tables of results: what cannot be compared is said, and only that."""

import dataclasses

import numpy as np
import pytest

from regard.evaluation.cautions import table_cautions
from regard.records import PerplexityResult, SurpriseMap

ROW = PerplexityResult(
    model="a",
    text="text",
    unit="word",
    tokens=10,
    line_ends=1,
    unknown_share=0.1,
    perplexity=100.0,
    perplexity_known=120.0,
    perplexity_by_base={},
    characters=50,
    bytes=50,
    token_nats=46.0,
    spelling_nats=10.0,
    restoration_nats=1.0,
    choice_nats=0.0,
    adaptive=False,
    prepare=(),
    cautions=(),
    surprise=SurpriseMap("", np.zeros(0)),
)


def other(**changes):
    return dataclasses.replace(ROW, model="b", **changes)


def kinds(*results):
    return [caution.kind for caution in table_cautions(results)]


def test_like_results_can_be_compared():
    assert kinds(ROW) == []
    assert kinds(ROW, other(perplexity=90.0, unknown_share=0.11)) == []


def test_units():
    (caution,) = table_cautions([ROW, other(unit="character", perplexity=6.8976, unknown_share=0.0)])
    assert caution.message == (
        "perplexities in different units stand in one column: 100 per word (a), 6.898 per character (b); "
        "compare bits per character instead"
    )


def test_unknown_shares():
    (caution,) = table_cautions([ROW, other(unknown_share=0.8, perplexity=2.0, spelling_nats=90.0)])
    assert caution.kind == "unknown-shares"
    assert caution.message == (
        "on text, b leaves 80 % unknown and has perplexity 2, a 10 % and 100: "
        "in bits per character they are 3.9530 and 1.6447"
    )


def test_unknown_shares_on_different_texts_are_no_matter():
    assert kinds(ROW, other(unknown_share=0.8, text="another")) == []


def test_modes():
    (caution,) = table_cautions([ROW, other(adaptive=True)])
    assert caution.kind == "modes"
    assert caution.evidence == {"adaptive": ["b"], "static": ["a"]}
    assert kinds(dataclasses.replace(ROW, adaptive=True), other(adaptive=True)) == []


def test_costs_add_up():
    assert ROW.nats == pytest.approx(57)
    assert ROW.bits_per_byte == pytest.approx(ROW.bits_per_character)
