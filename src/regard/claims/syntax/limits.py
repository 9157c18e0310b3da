"""How much of a claim is read: past these sizes no derivation is meant; up to them none costs more than a moment."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from regard.claims.syntax.tree import (
    Binary,
    Call,
    Claim,
    Derivative,
    Node,
    Number,
    OneOf,
    Relation,
    Span,
    SumOver,
    Symbol,
)
from regard.errors import NotUnderstood

MAX_CHARACTERS = 4000
MAX_NESTING = 24  # brackets in brackets; each costs some ten calls of the parser
MAX_NODES = 3000  # with every reading of what is ambiguous counted out
MAX_DEPTH = 120  # of the tree: whoever walks it calls itself so often
MAX_STATEMENTS = 40
MAX_DIGITS = 40
MAX_DECIMAL_EXPONENT = 300  # beyond, float64 has no such number
MAX_POWER = 1000
MAX_TOWER = 3  # e^{-x^2} is a tower of two
MAX_NESTED_SUMS = 3  # each multiplies the work by the number of keys
MAX_TERMS = 1000  # of a sum whose bounds are numbers


def check_length(text: str) -> None:
    """Refuses a text that is too long, before anything else is done with it."""
    if len(text) > MAX_CHARACTERS:
        raise NotUnderstood(
            f"a claim may have {MAX_CHARACTERS} characters; this one has {len(text)}",
            span=(MAX_CHARACTERS, MAX_CHARACTERS),
            expected="the end of the claim",
        )


def check_size(claim: Claim) -> None:
    """Refuses a claim whose tree is too large, too deep, or a tower of powers.

    Nodes are visited children first and each object once, without recursion: readings share their parts, so that a
    short text can stand for a tree of millions.
    """
    sizes: dict[int, _Size] = {}
    for statement in claim.statements:
        for node in _children_first(statement):
            size = _size(node, [sizes[id(child)] for child in children(node)])
            sizes[id(node)] = size
            if size.nodes > MAX_NODES or size.depth > MAX_DEPTH:
                raise _too_much("too long or too ambiguous to be tried; split it or add brackets", node.span)
            if size.tower > MAX_TOWER:
                raise _too_much(f"a tower of more than {MAX_TOWER} powers", node.span)
            if size.sums > MAX_NESTED_SUMS:
                raise _too_much(f"more than {MAX_NESTED_SUMS} sums within each other", node.span)
            _check_numbers(node)


class _Size(NamedTuple):
    """How large a tree is: nodes, levels, powers on each other's exponents, sums within each other."""

    nodes: int = 0
    depth: int = 0
    tower: int = 0
    sums: int = 0


def _size(node: Node | Relation, below: list[_Size]) -> _Size:
    largest = [max(column) for column in zip(*below, strict=True)] if below else [0, 0, 0, 0]
    tower = largest[2]
    if isinstance(node, Binary) and node.operator == "^":
        tower = max(tower, 1 + below[1].tower)
    elif isinstance(node, Call) and node.function == "exp":
        tower += 1
    nodes = 1 + sum(size.nodes for size in below)
    return _Size(nodes, 1 + largest[1], tower, largest[3] + isinstance(node, SumOver))


def children(node: Node | Relation) -> tuple[Node, ...]:
    """What a node is made of, from left to right."""
    match node:
        case Binary() | Relation():
            return (node.left, node.right)
        case Call():
            return node.arguments
        case SumOver():
            return (*(bound for bound in (node.first, node.last) if bound is not None), node.body)
        case Derivative():
            return (node.of, node.by)
        case OneOf():
            return node.readings
        case Number() | Symbol():
            return ()


def _children_first(top: Relation) -> Iterator[Node | Relation]:
    seen: set[int] = set()
    stack: list[tuple[Node | Relation, bool]] = [(top, False)]
    while stack:
        node, is_open = stack.pop()
        if is_open:
            yield node
        elif id(node) not in seen:
            seen.add(id(node))
            stack.append((node, True))
            stack.extend((child, False) for child in children(node))


def _check_numbers(node: Node | Relation) -> None:
    """Refuses 9**9**9, and a sum up to a million."""
    if isinstance(node, Binary) and node.operator == "^" and (_constant_size(node.right) or 0) > MAX_POWER:
        raise _too_much(f"a power above {MAX_POWER}", node.right.span)
    if isinstance(node, SumOver):
        for bound in (node.first, node.last):
            if bound is not None and (_constant_size(bound) or 0) > MAX_TERMS:
                raise _too_much(f"a sum of more than {MAX_TERMS} terms", bound.span)


def _constant_size(node: Node) -> float | None:
    """The size of a number that is written out, as 9**9; None where a symbol is involved. Never large itself."""
    match node:
        case Number():
            return float(min(abs(node.value), Fraction(10**9)))
        case Call(function="negative", arguments=(inner,)):
            return _constant_size(inner)
        case Binary():
            left, right = _constant_size(node.left), _constant_size(node.right)
            return None if left is None or right is None else _combined(node.operator, left, right)
    return None


def _combined(operator: str, left: float, right: float) -> float:
    if operator == "^":
        return math.exp(min(right * math.log(max(left, 1e-9)), 20.0))
    if operator == "/":
        return min(left / right, 1e9) if right else 1e9
    return min(left + right if operator in "+-" else left * right, 1e9)


def _too_much(what: str, span: Span) -> NotUnderstood:
    return NotUnderstood(what, span=(span.start, span.end), expected="something smaller")
