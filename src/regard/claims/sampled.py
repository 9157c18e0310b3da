"""Statements about moments that no exact law gives, judged by the sequential test."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from regard.claims.meaning.resolved import Statement
from regard.claims.trial.draws import Batch
from regard.claims.trial.limit import Limit, possible_limits
from regard.claims.trial.sequential import ERROR_PROBABILITY, Sampled, sampled_everywhere
from regard.claims.trial.sides import Trials
from regard.claims.verdict import Judged

FARTHER = 1e4
"""The scale at which a limit is looked at."""


def judge_sampled(trials: Trials, statement: Statement) -> Judged:
    """Moments that no exact law gives: a sequential test, in a limit at a far scale."""
    limits = trials.limits_of(statement) if statement.comparison in ("≈", "→") else {}
    everywhere = replace(statement, comparison="=") if limits else statement
    found = sampled_everywhere(trials, everywhere, lambda draw: draw)
    if found.answer == "yes":
        return Judged("holds", f"no difference found; one of {found.resolution:.1%} would have been", _by_test(found))
    for limit in possible_limits(limits):
        found = sampled_everywhere(trials, statement, partial(_at_far, limit))
        if found.answer == "yes":
            words = f"at scale {FARTHER:g} the sides differ by less than 1 %, so as {limit.words}"
            return Judged("holds-in-limit", words, _by_test(found))
    if found.answer == "undecided":
        return _undecided(statement, found)
    words = f"the sides differ by {found.gap:.3g} of their size at {_sizes_text(found.draw)}"
    return Judged("fails", words, _by_test(found), span=statement.span)


def _by_test(found: Sampled) -> str:
    risk = f"probability of a wrong rejection at most {ERROR_PROBABILITY:g}"
    return f"sequential test on samples of {found.n_instances} instances, {risk}"


def _undecided(statement: Statement, found: Sampled) -> Judged:
    """Neither shown nor refuted: no verdict is given that might be wrong."""
    within = f"{found.gap:.2g} of their size, give or take {found.resolution:.2g}"
    reason = (
        f"not decided: after {found.n_samples} samples the sides differ by {within}; "
        f"to say more would risk an error of more than {ERROR_PROBABILITY:g}"
    )
    return Judged("not-understood", reason, _by_test(found), span=statement.span)


def _at_far(limit: Limit, draw: Batch) -> Batch:
    return limit.at(draw, FARTHER)


def _sizes_text(draw: Batch) -> str:
    return ", ".join(f"{name} = {size}" for name, size in draw.sizes.items())
