"""The page of the tour: everything escaped, every part of an answer shown, what is missing or failed told in place."""

import base64
import gzip
from dataclasses import replace

import pytest
from tests.unit.report.tour.test_answers import ANSWER, QUESTION

from regard.report.tour.answers import Answer, Question, Tour, read_answer
from regard.report.tour.page import MAX_ANSWERS, tour_page, unpack_answers

PARTS = {"A": "Attention", "B": "Gradients"}
HOSTILE = "<script>alert(1)</script>"


def page(*answers, missing=()):
    return tour_page(Tour(answers, seed=7, quick=True, version="0.1.0"), parts=PARTS, missing=missing)


@pytest.mark.parametrize(
    "shown",
    ['href="#A3"', '<section id="A3">', "q = C(μ<sub>a</sub> + μ<sub>b</sub>).", "0.39", "1e-13",
     "manual (sha256 ab12), seed 7, regard 0.1.0",
     "data:image/svg+xml;base64,", "to be", "fails", "a note", "prefers-color-scheme: dark", "@media print"],
)  # fmt: skip
def test_every_part_of_an_answer_is_shown(shown):
    assert shown in page(ANSWER)


def test_texts_are_escaped_and_scripts_forbidden():
    shown = page(replace(ANSWER, sentences=(HOSTILE,), notes=(HOSTILE,), python=HOSTILE, command=HOSTILE))
    assert "<script" not in shown
    assert shown.count("&lt;script&gt;") == 4
    assert "default-src 'none'" in shown.replace("&#x27;", "'")


def test_a_question_that_failed_or_is_missing_is_told_in_its_place():
    failed = Answer(question=Question("A1", "Copying", "When?"), failure="CorpusError: no text")
    shown = page(failed, ANSWER, missing=[Question("B1", "Softmax", "What?")])
    assert (
        shown.index('id="A1"') < shown.index("CorpusError: no text") < shown.index('id="A3"') < shown.index('id="B1"')
    )
    assert "Not answered yet: the run was stopped. The same command with --resume goes on." in shown
    assert " – failed" in shown


def test_the_page_holds_its_answers():
    kept = unpack_answers(page(ANSWER))
    assert (kept["seed"], kept["quick"]) == (7, True)
    assert read_answer(kept["answers"][0]) == ANSWER
    assert unpack_answers("<p>another page</p>") is None
    assert unpack_answers('<template id="answers">abcd</template>') is None


@pytest.mark.parametrize(
    "packed",
    [
        gzip.compress(b"x" * 1000)[:40] + b"damaged" + bytes(8),
        gzip.compress(b"[" * 100_000),
        gzip.compress(b'{"seed": "' + b" " * MAX_ANSWERS + b'"}', compresslevel=1),
    ],
    ids=["damaged", "nested", "a bomb"],
)
def test_a_hostile_page_holds_no_answers(packed):
    assert unpack_answers(f'<template id="answers">{base64.b64encode(packed).decode()}</template>') is None


def test_an_index_is_set_below_the_line():
    shown = page(replace(ANSWER, sentences=("½(v_a + v_b), not <b>_b",)))
    assert "½(v<sub>a</sub> + v<sub>b</sub>), not &lt;b&gt;_b" in shown


def test_the_lab_is_linked_with_the_numbers():
    assert 'href="http://127.0.0.1:8642/chapter/look-up/?scale=5"' in page(
        replace(ANSWER, link="chapter/look-up/?scale=5")
    )
    assert QUESTION.text in page(ANSWER)
