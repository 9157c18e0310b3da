"""Vectors of one entry, and attention to one key: what nobody means who does not say so.

0 < α_i < 1 is true of two keys or more, and false of one, whose weight is 1. Where a claim lets n be 1 (`for n ≥ 1`,
`for all n`), that counts; where it says nothing of n, a note tells what was not taken to be meant.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from regard.claims.meaning.stated_sizes import with_one
from regard.claims.meaning.terms import Statement
from regard.claims.syntax.tree import Claim
from regard.claims.trial.trials import Trials
from regard.claims.verdict.judge import judge_statement
from regard.claims.verdict.records import StatementVerdict

EXACT = ("=", "<", "≤", ">", "≥")


def judge_at_one(trials: Trials, statement: Statement, tree: Claim, found: StatementVerdict) -> StatementVerdict:
    """The verdict where sizes of one are meant only if the claim says so; a note tells where they change it."""
    if trials.task.setting.broadcasts:
        return _beyond_one(trials, statement, found)
    setting = trials.task.setting
    row = with_one(setting, tree) if setting.counts not in trials.task.stated_sizes else None
    if found.verdict != "holds" or row is None or statement.comparison not in EXACT or trials.task.random:
        return found
    compiled = replace(trials.task.compiled, setting=replace(setting, sizes=(row,)))
    alone = Trials(replace(trials.task, compiled=compiled, rows=(0,)), deadline=trials.deadline)
    if judge_statement(alone, statement).verdict != "fails":
        return found
    words = f"for {setting.counts} = 1 it fails, which was not taken to be meant"
    return replace(found, notes=(*found.notes, words))


def _beyond_one(trials: Trials, statement: Statement, found: StatementVerdict) -> StatementVerdict:
    """The verdict for sizes above 1, where a counterexample has a vector of one entry only."""
    sizes = trials.task.setting.sizes
    shown = found.counterexample.sizes if found.verdict == "fails" and found.counterexample is not None else {}
    rows = tuple(row for row in trials.task.rows if min(sizes[row].values()) > 1)
    of_one = {name for name, size in shown.items() if size == 1}
    if not of_one or not rows or of_one <= trials.task.from_one:
        return found
    if any(_is_one_sided(spec.shape, shown) for spec in trials.task.setting.symbols):
        return found
    again = judge_statement(Trials(replace(trials.task, rows=rows), deadline=trials.deadline), statement)
    if again.verdict not in ("holds", "holds-in-limit"):
        return found
    words = ", ".join(f"{name} = {size}" for name, size in shown.items() if size == 1)
    return replace(again, notes=(*again.notes, f"for {words} it fails, which was not taken to be meant"))


def _is_one_sided(shape: tuple[object, ...], sizes: Mapping[str, int]) -> bool:
    """Whether a matrix has one row, or one column, of several entries: it may be, as nobody said that it is square."""
    known = [sizes.get(str(size)) for size in shape]
    return None not in known and 1 in known and known != [1, 1]
