"""What chapter 9 says of claims."""

import contextlib
import io
import re

import pytest

from regard.claims.check import check
from regard.claims.meaning.setting import builtin_settings
from regard.lab.chapters.check import view
from regard.lab.chapters.check.view import (
    EXAMPLES,
    Question,
    error_place,
    letters_table,
    python_for,
    quick_verdict,
    typeset,
    verdict_html,
    verdict_job,
)
from regard.lab.jobs import JobProgress, WorkStopped

SLOW = Question(r"E[\|k_a\|^3] = E[\|k_b\|^3]", "noisy-keys")
RIGHT = {  # by hand; the rest of the examples are wrong
    "weights sum to one",
    "copying with orthonormal keys",
    "an average with a large factor",
    "one summand out of a sum",
    "pulling, keys a little noisy",
    "pushing, one length varies",
    "the gradient of cross-entropy",
}


def nothing():
    """No wish to stop."""


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_are_right_or_wrong_as_they_should_be(name):
    verdict = verdict_job(EXAMPLES[name])(JobProgress(nothing))
    assert (verdict.verdict in ("holds", "holds-in-limit")) == (name in RIGHT)
    assert verdict.verdict in ("holds", "holds-in-limit", "fails")
    assert typeset(EXAMPLES[name].claim)


def test_a_missing_hypothesis_is_the_difference():
    with_any, with_orthonormal = EXAMPLES["copying with any keys"], EXAMPLES["copying with orthonormal keys"]
    assert with_any.claim == with_orthonormal.claim
    assert quick_verdict(with_any).verdict == "fails"
    assert quick_verdict(with_orthonormal).verdict == "holds-in-limit"


def test_a_claim_is_typeset_statement_by_statement():
    assert typeset("q = C k_a; c ≈ v_a") == ("q = C k_{a}", r"c \approx v_{a}")
    assert typeset("q = k_a + * k_b") is None


def test_what_takes_long_is_not_waited_for(monkeypatch):
    monkeypatch.setattr(view, "AT_ONCE_SECONDS", 0.02)
    quick_verdict.cache_clear()
    assert quick_verdict(SLOW) is None
    quick_verdict.cache_clear()


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
        verdict_job(SLOW)(progress)
    assert re.fullmatch(r"trying instances for \d+ s; at most 10 s of processor time", progress.message)


@pytest.mark.parametrize(
    ("claim", "place"),
    [
        ("q = k_a + * k_b", "q = k_a + * k_b\n          ^ at character 11"),
        ("q = k_a;\nc = = v_a", "c = = v_a\n    ^ at line 2, character 5"),
    ],
)
def test_the_place_of_a_mistake_is_told(claim, place):
    verdict = quick_verdict(Question(claim, "orthonormal-keys"))
    assert verdict.verdict == "not-understood"
    assert error_place(verdict) == place


def test_a_broken_goal_is_told_as_such():
    verdict = quick_verdict(Question("q = k_a", "attention", "c = ="))
    assert verdict.reason.startswith("in the goal, '=' does not fit here")
    assert error_place(verdict).startswith("c = =\n    ^ at character 5")
    assert quick_verdict(Question("q = C k_a", "orthonormal-keys", r"c \approx v_a")).verdict == "holds-in-limit"


def test_too_long_a_claim_is_told():
    verdict = quick_verdict(Question("x" * 5000, "attention"))
    assert verdict.reason.startswith("a claim may have 4000 characters; this one has 5000")


def test_what_was_typed_is_escaped():
    verdict = quick_verdict(Question("q = <b>k_a</b>", "attention"))
    shown = verdict_html(verdict)
    assert "<b>" not in shown
    assert "&lt;b&gt;" in shown
    assert "<strong>Not understood</strong>" in shown


def test_a_verdict_tells_what_is_near_and_what_was_tried():
    shown = verdict_html(quick_verdict(EXAMPLES["one summand, transposed"]))
    assert "<strong>Fails</strong>: the goal is M s = v_a" in shown
    assert "Nearest: instead M s = c holds" in shown
    assert "Tried: shapes alone" in shown


@pytest.mark.parametrize("setting", builtin_settings().values(), ids=lambda setting: setting.name)
def test_every_letter_of_a_setting_is_listed(setting):
    table = letters_table(setting)
    assert table.startswith(f"**{setting.name}**")
    assert table.count("\n| $") == sum(not spec.hidden for spec in setting.symbols)


@pytest.mark.parametrize(
    "question",
    [Question("PP = 2^{CE}"), Question(r"q = k_a; c \ne `'", "attention"), EXAMPLES["one summand out of a sum"]],
)
def test_the_shown_python_gives_the_shown_verdict(question):
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        exec(python_for(question), {})  # our own text, the claim quoted in it
    verdict = quick_verdict(question)
    assert text.getvalue().startswith(f"{verdict.verdict}: {verdict.reason}\n")
    if question.setting:
        assert verdict == check(question.claim, setting=question.setting)
