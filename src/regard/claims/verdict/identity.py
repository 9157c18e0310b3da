"""Whether both sides of an equation are rational functions of what was drawn: then one that holds is an identity.

A polynomial that is not zero vanishes at a random point with probability zero, and draws are points with sixteen random
digits; agreement to eighty digits on several of them leaves no room for a coincidence.
"""

from __future__ import annotations

from fractions import Fraction

from regard.claims.meaning.statements import Task
from regard.claims.meaning.terms import (
    Apply,
    Combine,
    Constant,
    Entry,
    Identity,
    Index,
    IndexedSum,
    Ones,
    Ref,
    SizeOf,
    Stack,
    Statement,
    Term,
    Zeros,
    subterms,
    symbols_in,
    with_dependencies,
)

RATIONAL_FUNCTIONS = frozenset(
    {"negative", "transpose", "inverse", "trace", "det", "diag", "sum", "mean", "dot", "vector", "delta"}
)
LAWS = frozenset(
    {"normal", "symmetric", "definite", "semidefinite", "orthonormal", "positive", "probabilities", "distribution"}
)
_TWO = Fraction(2)
NODES = (Constant, SizeOf, Index, Identity, Ones, Zeros, Ref, Stack, Entry)


def is_rational_identity(task: Task, statement: Statement) -> bool:
    """Whether an equation that holds on random draws holds as an identity of rational functions."""
    if statement.comparison != "=" or task.premises:
        return False
    sides = (statement.left, statement.right)
    names = with_dependencies(symbols_in(sides[0]) | symbols_in(sides[1]), task.definitions)
    bodies = [body for name in names if name in task.definitions for body in _bodies(task, name)]
    laws = {spec.law for spec in task.setting.symbols if spec.name in names and spec.name not in task.definitions}
    return laws - {None} <= LAWS and all(_is_rational(term) for term in (*sides, *bodies))


def _bodies(task: Task, name: str) -> list[Term]:
    definition = task.definitions[name]
    return [definition.body, *(body for _, body in definition.special)]


def _is_rational(term: Term) -> bool:
    match term:
        case Apply():
            is_known = term.function in RATIONAL_FUNCTIONS
        case Combine(operator="^"):
            if isinstance(term.left, Apply) and term.left.function == "norm" and term.right == Constant(_TWO):
                return _is_rational(term.left.arguments[0])
            is_known = isinstance(term.right, Constant) and term.right.value.denominator == 1
        case Combine():
            is_known = True
        case IndexedSum():
            is_known = term.operator in "+*"
        case _:
            is_known = isinstance(term, NODES)
    return is_known and all(_is_rational(child) for child in subterms(term))
