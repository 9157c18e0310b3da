"""The search for an instance on which a statement is false."""

from tests.support.claim_trials import ready

from regard.claims.check import check
from regard.claims.verdict.search import search_everywhere


def test_it_finds_a_draw_or_none(unchecked):
    assert search_everywhere(*ready(r"\sum_i α_i = 1")).against is None
    found = search_everywhere(*ready("α_i = 1"))
    assert found.against is not None
    assert (found.n_instances, found.n_sizes) == (40, 5)


def test_without_a_hunt_no_step_is_taken(unchecked):
    assert search_everywhere(*ready("α_i ≤ 1"), with_hunt=False).n_steps == 0
    assert search_everywhere(*ready("α_i ≤ 1")).n_steps > 0


def test_what_is_undefined_on_most_instances_does_not_hold(unchecked):
    found = check("P = u u^T, u^T u = 1 ⇒ P^{-1} = P")
    assert found.verdict == "undecided"
    assert found.reason == "a side is not defined on 24 of 34 instances, on the others it holds"
