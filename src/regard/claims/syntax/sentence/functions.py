"""Functions that a claim defines: f(x) = xᵀ A x. Where f(y) is written afterwards, the body with y for x is meant."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, replace
from typing import TypeVar, cast

from regard.claims.syntax.tree import Binary, Call, Claim, Derivative, Node, OneOf, Relation, Symbol, walk
from regard.errors import NotUnderstood

FUNCTION_LETTERS = frozenset({"f", "g", "h", "phi", "psi", "L", "J", "F", "ell"} | {"zeta", "eta", "xi", "rho", "LSE"})
MAX_FUNCTIONS = 8
Tree = TypeVar("Tree", bound="Node | Relation")


def apply_functions(claim: Claim) -> Claim:
    """The claim with every function that it defines put in place; its definition is dropped."""
    for _ in range(MAX_FUNCTIONS):
        found = next(_used_definitions(claim), None)
        if found is None:
            break
        claim = _replace_everywhere(claim, *found)
    _refuse_undefined(claim)
    return claim


_APPLIED = re.compile(
    r"(?<![A-Za-z\\])(?P<name>[fgh])\s*\(\s*(?:E|𝔼|\\mathbb\{E\})\s*[\[(]|E\s*\[\s*(?P<inner>[fgh])\s*\("
)


def _refuse_undefined(claim: Claim) -> None:
    """f(E[X]) of a function that nothing defines is no product with E[X].

    Raises: NotUnderstood.
    """
    found = _APPLIED.search(claim.text)
    name = (found["name"] or found["inner"]) if found is not None else ""
    if found is not None and any(name in _names(one) for one in claim.relations):
        raise NotUnderstood(
            f"{name} is a function that is not defined", span=found.span(), expected=f"what {name}(x) is, as a formula"
        )


def _used_definitions(claim: Claim) -> Iterator[tuple[Relation, str, Symbol]]:
    """Definitions of functions that other statements of the claim use."""
    for relation in (*claim.premises, *claim.statements):
        found = _defined(relation)
        others = [one for one in claim.relations if one is not relation]
        if found is not None and (claim.more or any(found[0] in _names(one) for one in others)):
            yield relation, *found


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
    if isinstance(node, Binary) and node.operator == "*" and _ends_with(node.left, name):
        assert isinstance(node.left, Binary)  # x f(y) was read as (x f) y
        node = replace(node, left=node.left.left, right=replace(node, left=node.left.right, right=node.right))
    if isinstance(node, Binary) and _is_call(node, name):
        return cast(Tree, _substitute(body, argument, node.right))
    n_primes = _count_primes(node, name)
    if n_primes and isinstance(node, Binary) and isinstance(node.right, Symbol):
        derived = _substitute(body, argument, node.right)
        for _ in range(n_primes):
            derived = Derivative(derived, node.right, node.span)
        return cast(Tree, derived)
    if isinstance(node, Symbol) and node.name == name and not node.subscripts:
        return cast(Tree, body)
    return cast(Tree, _rebuild(node, lambda child: _put(child, body, name, argument)))


def substitute(claim: Claim, old: Symbol, new: Symbol) -> Claim:
    """The claim with one symbol for another."""
    relations = [
        tuple(cast(Relation, _substitute(cast(Node, one), old, new)) for one in group)
        for group in (claim.statements, claim.premises, claim.context)
    ]
    return replace(claim, statements=relations[0], premises=relations[1], context=relations[2])


def _is_call(node: Node, name: str) -> bool:
    return isinstance(node, Binary) and node.operator == "*" and node.left == Symbol(name)


def _ends_with(node: object, name: str) -> bool:
    """Whether a product ends in f or f'."""
    return isinstance(node, Binary) and node.operator == "*" and _primes_of(node.right, name) is not None


def _count_primes(node: object, name: str) -> int:
    """How many primes f has in f'(x), which was read as fᵀ x."""
    return (_primes_of(node.left, name) or 0) if isinstance(node, Binary) and node.operator == "*" else 0


def _primes_of(node: Node, name: str) -> int | None:
    n_primes = 0
    while isinstance(node, Call) and node.function == "transpose":
        node, n_primes = node.arguments[0], n_primes + 1
    return n_primes if node == Symbol(name) else None


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
