"""Sums over pairs: Σ_{i≠j} α_i α_j over all pairs, where no other place of the claim has the j.

With a j from outside, α_j (1 − Σ_{i≠j} α_i), it is one sum, over i alone. Σ_{i<j} and Σ_{i≤j} are read likewise.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import cast

from regard.claims.syntax.tree import (
    Binary,
    Call,
    Claim,
    Derivative,
    Node,
    OneOf,
    Relation,
    SumOver,
    Symbol,
    children,
    map_relations,
    walk,
)

_COUNTING = frozenset("ijklmrst")
"""Letters that run over pairs; a and b are fixed places."""


def expand_double_sums(claim: Claim) -> Claim:
    """The claim with a second sum around each sum over pairs."""
    parts = (claim, *claim.more)
    relations = [one for part in parts for one in (*part.relations, *part.context)]
    inner = [node for one in relations for node in _all_nodes(one) if isinstance(node, SumOver) and _second(node)]
    names = {_second(node) for node in inner}
    free = {name for one in relations for name in _free_letters(one)}
    free |= {name for part in parts for name in (*part.universal, *part.single)}
    wanted = {name for name in names if name not in free}
    return map_relations(claim, lambda one: cast(Relation, _expand(one, wanted))) if wanted else claim


def _second(node: SumOver) -> str:
    """The other index of a sum over pairs: j of Σ_{i≠j} α_i α_j; nothing for other sums."""
    bounds = [one for one in (node.first, node.last) if one is not None]
    apart = {*node.excluded, *(leaf.name for one in bounds for leaf in walk(one) if isinstance(leaf, Symbol))}
    inside = {word for leaf in _all_nodes(node.body) if isinstance(leaf, Symbol) for word in leaf.subscripts}
    found = sorted(apart & inside & _COUNTING)
    return found[0] if len(found) == 1 and node.index in inside and node.operator in "+*" else ""


def _free_letters(node: Node | Relation) -> Iterator[str]:
    """The indices that a tree has outside of sums over them, and outside of sums over pairs."""
    if isinstance(node, SumOver):
        bound = {node.index, _second(node)}
        below = [one for one in (node.first, node.last, node.body) if one is not None]
        yield from (name for one in below for name in _free_letters(one) if name not in bound)
        yield from (name for name in node.excluded if name not in bound)
        return
    if isinstance(node, Symbol):
        yield from (node.name, *node.subscripts)
    for child in children(node):
        yield from _free_letters(child)


def _all_nodes(node: Node | Relation) -> Iterator[Node | Relation]:
    yield node
    for child in children(node):
        yield from _all_nodes(child)


def _expand(node: Node | Relation, names: set[str], bound: frozenset[str] = frozenset()) -> Node | Relation:
    """A tree with Σ_j around each sum over pairs i ≠ j that no sum over j stands around."""
    if isinstance(node, SumOver):
        second = _second(node)
        body = cast(Node, _expand(node.body, names, bound | {node.index, second}))
        found = replace(node, body=body)
        is_pair = second in names and second not in bound
        return SumOver(second, (), found, operator=node.operator, span=node.span) if is_pair else found
    below = tuple(cast(Node, _expand(child, names, bound)) for child in children(node))
    return node if below == children(node) else _rebuild(node, below)


def _rebuild(node: Node | Relation, below: tuple[Node, ...]) -> Node | Relation:
    """The node with other children, from left to right."""
    match node:
        case Binary() | Relation():
            return replace(node, left=below[0], right=below[1])
        case Call():
            return replace(node, arguments=below)
        case OneOf():
            return replace(node, readings=below)
        case Derivative():
            return replace(node, of=below[0])
    return node
