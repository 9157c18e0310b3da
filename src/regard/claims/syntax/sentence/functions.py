"""Functions that a claim defines: f(x) = xᵀ A x. Where f(y) is written afterwards, the body with y for x is meant."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TypeVar, cast

from regard.claims.syntax.tree import Binary, Claim, Node, OneOf, Relation, Symbol, walk

FUNCTION_LETTERS = frozenset({"f", "g", "h", "phi", "psi", "L", "J", "F", "ell"})
Tree = TypeVar("Tree", bound="Node | Relation")


def apply_functions(claim: Claim) -> Claim:
    """The claim with every function that it defines put in place; its definition is dropped."""
    for relation in (*claim.premises, *claim.statements):
        found = _defined(relation)
        if found is None:
            continue
        name, argument = found
        others = [one for one in claim.relations if one is not relation]
        if not any(name in _names(one) for one in others) and not claim.more:
            continue
        claim = _replace_everywhere(claim, relation, name, argument)
    return claim


def _defined(relation: Relation) -> tuple[str, Symbol] | None:
    """f and x of f(x) = …, where x is in the body and f is not."""
    left = relation.left
    if isinstance(left, OneOf):
        left = left.readings[-1]
    if relation.comparison != "=" or not isinstance(left, Binary) or left.operator != "*":
        return None
    name, argument = left.left, left.right
    if not (isinstance(name, Symbol) and isinstance(argument, Symbol)) or name.name not in FUNCTION_LETTERS:
        return None
    names = _names(relation.right)
    return (name.name, argument) if argument.name in names and name.name not in names and not name.subscripts else None


def _names(tree: Node | Relation) -> set[str]:
    return {node.name for node in walk(tree) if isinstance(node, Symbol)}


def _replace_everywhere(claim: Claim, definition: Relation, name: str, argument: Symbol) -> Claim:
    def change(relations: tuple[Relation, ...]) -> tuple[Relation, ...]:
        return tuple(_put(one, definition.right, name, argument) for one in relations if one is not definition)

    more = tuple(
        replace(one, statements=change(one.statements), premises=change(one.premises), context=change(one.context))
        for one in claim.more
    )
    return replace(
        claim,
        statements=change(claim.statements),
        premises=change(claim.premises),
        context=change(claim.context),
        more=more,
    )


def _put(tree: Tree, body: Node, name: str, argument: Symbol) -> Tree:
    """The tree with f(y), and f alone, replaced."""
    node: object = tree
    if isinstance(node, OneOf) and any(_is_call(reading, name) for reading in node.readings):
        node = next(reading for reading in node.readings if _is_call(reading, name))
    if isinstance(node, Binary) and _is_call(node, name):
        return cast(Tree, _substitute(body, argument, node.right))
    if isinstance(node, Symbol) and node.name == name and not node.subscripts:
        return cast(Tree, body)
    return cast(Tree, _rebuild(node, lambda child: _put(child, body, name, argument)))


def _is_call(node: Node, name: str) -> bool:
    return isinstance(node, Binary) and node.operator == "*" and node.left == Symbol(name)


def _substitute(body: Node, argument: Symbol, value: Node) -> Node:
    if body == argument:
        return value
    return cast(Node, _rebuild(body, lambda child: _substitute(child, argument, value)))


def _rebuild(node: object, change: object) -> object:
    """A node with its parts changed; what a derivative is taken by stays."""
    changes: dict[str, object] = {}
    for one in fields(node):  # type: ignore[arg-type]
        value = getattr(node, one.name)
        if one.name in ("by", "span"):
            continue
        if isinstance(value, tuple) and value and hasattr(value[0], "span"):
            changes[one.name] = tuple(change(child) for child in value)  # type: ignore[operator]
        elif hasattr(value, "span"):
            changes[one.name] = change(value)  # type: ignore[operator]
    return replace(node, **changes) if changes else node  # type: ignore[type-var]
