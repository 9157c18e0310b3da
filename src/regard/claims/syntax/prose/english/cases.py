"""Two cases, each with a condition of its own: for g > 0 this, and for g < 0 that."""

from __future__ import annotations

from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.phrases import Clause, bind, given_by


def each_case(condition: Clause, first: Clause, other: Clause, second: Clause) -> Clause:
    """A if C, and B if D: neither condition is one of the other statement.

    Raises: Unreadable where a condition is more than one relation, or a part was not read.
    """
    second = bind(second, first.subject)
    conditions = [given_by(one) for one in (condition, bind(other, condition.subject))]
    if first.unread or second.unread or any(len(one) != 1 for one in conditions):
        raise Unreadable
    claims = tuple(
        f"{said} if {one[0]}"
        for clause, one in zip((first, second), conditions, strict=True)
        for said in clause.claims
        if _is_plain(said, one[0])
    )
    if len(claims) != len(first.claims) + len(second.claims) or not first.claims or not second.claims:
        raise Unreadable
    return Clause(claims, (*first.given, *second.given), first.subject)


def _is_plain(said: str, condition: str) -> bool:
    """Whether a statement and its condition are formulas that `if` can join."""
    return not any(word in one for one in (said, condition) for word in (" if ", " iff ", "does not hold", " for "))


_IF = "if/when/whenever/for/where"

RULES: tuple[Rule, ...] = (
    Rule(
        "body",
        f"{_IF} <clause1> ,? then? <clause1> ,? and/while/but/whereas {_IF} <clause1> ,? then? <clause1>",
        each_case,
    ),
    Rule(
        "body",
        f"<clause1> ,? {_IF} <clause1> ,? and/while/but/whereas <clause1> ,? {_IF} <clause1>",
        lambda first, condition, second, other: each_case(condition, first, other, second),
    ),
    Rule(
        "body",
        f"{_IF} <clause1> ,? then? <clause1> , {_IF} <clause1> ,? then? <clause1>",
        each_case,
    ),
    Rule(
        "body",
        f"<clause1> ,? {_IF} <clause1> , <clause1> ,? {_IF} <clause1>",
        lambda first, condition, second, other: each_case(condition, first, other, second),
    ),
)
