"""What chapter 9 says of claims."""

import contextlib
import io

import pytest

from regard.claims.check import check
from regard.claims.meaning.settings import builtin_settings
from regard.lab.chapters.check import view as checking
from regard.lab.chapters.check.view import (
    EXAMPLES,
    Asked,
    letters_table,
    patient_verdict,
    place_of,
    python_for,
    typeset,
    verdict_at_once,
    verdict_html,
)
from regard.lab.jobs import Report, WorkStopped

SLOW = Asked(r"E[\|k_a\|^3] = E[\|k_b\|^3]", "noisy-keys")
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
    verdict = patient_verdict(EXAMPLES[name])(Report(nothing))
    assert (verdict.verdict in ("holds", "holds-in-limit")) == (name in RIGHT)
    assert verdict.verdict in ("holds", "holds-in-limit", "fails")
    assert typeset(EXAMPLES[name].claim)


def test_a_missing_hypothesis_is_the_difference():
    with_any, with_orthonormal = EXAMPLES["copying with any keys"], EXAMPLES["copying with orthonormal keys"]
    assert with_any.claim == with_orthonormal.claim
    assert verdict_at_once(with_any).verdict == "fails"
    assert verdict_at_once(with_orthonormal).verdict == "holds-in-limit"


def test_a_claim_is_typeset_statement_by_statement():
    assert typeset("q = C k_a; c ≈ v_a") == ("q = C k_{a}", r"c \approx v_{a}")
    assert typeset("q = k_a + * k_b") is None


def test_what_takes_long_is_not_waited_for(monkeypatch):
    monkeypatch.setattr(checking, "AT_ONCE_SECONDS", 0.02)
    verdict_at_once.cache_clear()
    assert verdict_at_once(SLOW) is None
    verdict_at_once.cache_clear()


def test_it_can_be_stopped_and_tells_how_it_stands(monkeypatch):
    monkeypatch.setattr(checking, "EVERY_SECONDS", 0.0)
    asked = 0

    def stop():
        nonlocal asked
        asked += 1
        if asked > 20:
            raise WorkStopped

    report = Report(stop)
    with pytest.raises(WorkStopped):
        patient_verdict(SLOW)(report)
    assert report.line == "trying instances for 0 s; at most 10 s of processor time"


@pytest.mark.parametrize(
    ("claim", "place"),
    [
        ("q = k_a + * k_b", "q = k_a + * k_b\n          ^ at character 11"),
        ("q = k_a;\nc = = v_a", "c = = v_a\n    ^ at line 2, character 5"),
    ],
)
def test_the_place_of_a_mistake_is_told(claim, place):
    verdict = verdict_at_once(Asked(claim, "orthonormal-keys"))
    assert verdict.verdict == "not-understood"
    assert place_of(verdict) == place


def test_a_broken_goal_is_told_as_such():
    verdict = verdict_at_once(Asked("q = k_a", "attention", "c = ="))
    assert verdict.reason.startswith("of the goal, '=' does not fit here")
    assert place_of(verdict).startswith("c = =\n    ^ at character 5")
    assert verdict_at_once(Asked("q = C k_a", "orthonormal-keys", r"c \approx v_a")).verdict == "holds-in-limit"


def test_too_long_a_claim_is_told():
    verdict = verdict_at_once(Asked("x" * 5000, "attention"))
    assert verdict.reason.startswith("a claim may have 4000 characters; this one has 5000")


def test_what_was_typed_is_escaped():
    verdict = verdict_at_once(Asked("q = <b>k_a</b>", "attention"))
    shown = verdict_html(verdict)
    assert "<b>" not in shown
    assert "&lt;b&gt;" in shown
    assert "<strong>Not understood</strong>" in shown


def test_a_verdict_tells_what_is_near_and_what_was_tried():
    shown = verdict_html(verdict_at_once(EXAMPLES["one summand, transposed"]))
    assert "<strong>Fails</strong>: the goal is M s = v_a" in shown
    assert "Nearest: instead M s = c holds" in shown
    assert "Tried: shapes alone" in shown


@pytest.mark.parametrize("setting", builtin_settings().values(), ids=lambda setting: setting.name)
def test_every_letter_of_a_setting_is_listed(setting):
    table = letters_table(setting)
    assert table.startswith(f"**{setting.name}**")
    assert table.count("\n| $") == sum(not spec.hidden for spec in setting.symbols)


@pytest.mark.parametrize(
    "asked", [Asked("PP = 2^{CE}"), Asked(r"q = k_a; c \ne `'", "attention"), EXAMPLES["one summand out of a sum"]]
)
def test_the_shown_python_gives_the_shown_verdict(asked):
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        exec(python_for(asked), {})  # our own text, the claim quoted in it
    verdict = verdict_at_once(asked)
    assert text.getvalue().startswith(f"{verdict.verdict}: {verdict.reason}\n")
    if asked.setting:
        assert verdict == check(asked.claim, setting=asked.setting)
