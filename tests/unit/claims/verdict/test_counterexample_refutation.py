"""A counterexample is told only where it is one, and as small as it can be had."""

from tests.support.claim_trials import ready

from regard.claims.verdict.counterexample import refute, violation
from regard.claims.verdict.search import search_everywhere


def test_what_is_false_fails_with_a_small_example(unchecked):
    trials, statement = ready("α_i > 1")
    against = search_everywhere(trials, statement).against
    assert violation(trials, statement)(against)
    found = refute(trials, statement, against, violation(trials, statement), "tried")
    assert (found.verdict, found.how) == ("fails", "tried")
    assert found.counterexample.sizes == {"n": 2, "d": 1}


def test_what_the_second_evaluation_does_not_confirm_is_undecided(unchecked):
    trials, statement = ready(r"\sum_i α_i = 1")
    draw = next(trials.batches(1))
    assert not violation(trials, statement)(draw)
    found = refute(trials, statement, draw, lambda _: True, "tried")
    assert (found.verdict, found.counterexample) == ("undecided", None)
