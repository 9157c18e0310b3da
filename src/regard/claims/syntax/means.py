"""Means: T of (1/T) Σ_t x_t and of (Π_t p_t)^{−1/T} is the number of terms, and factors under a root are positive.

Read as a letter for any number, T would put a mean off by a factor. Of other numbers than positive ones such a root
would be complex, or real by chance where two factors are negative; p_t is a probability. What has no such mean stays
as it is.
"""

from __future__ import annotations

from dataclasses import fields, replace
from fractions import Fraction
from typing import cast

from regard.claims.syntax.tree import (
    Binary,
    Call,
    Claim,
    Node,
    Number,
    OneOf,
    Relation,
    SumOver,
    Symbol,
    children,
    map_relations,
    walk,
)

COUNTS = frozenset("nmdNMTKVLHBDJS")
"""Letters that people take for how many there are."""


def complete_means(claim: Claim) -> Claim:
    """The claim with what its means leave unsaid: how many terms there are, and that factors are positive."""
    return with_positive_factors(bound_means(claim))


def bound_means(claim: Claim) -> Claim:
    """The claim with the upper end of every index of which a mean is taken; any other claim as it is."""
    everything = [one for each in (claim, *claim.more) for one in each.relations]
    if not any(isinstance(node, SumOver) for one in everything for node in walk(one)):
        return claim
    counts = {letter for one in everything for letter in _divisors_of_means(one)} & COUNTS
    inside = {name for one in everything for name in _names_in_bodies(one)}
    indexed = {node.name for one in everything for node in walk(one) if isinstance(node, Symbol) and node.subscripts}
    counts -= inside | indexed
    if len(counts) != 1:
        return claim
    [letter] = counts
    return map_relations(claim, lambda one: cast(Relation, _bounded(one, letter)))


def _divisors_of_means(tree: Node | Relation) -> set[str]:
    """The letters that a sum without an end is divided by, or of which a product is a root."""
    found: set[str] = set()
    nodes = children(tree) if isinstance(tree, Relation) else (tree,)
    for node in (one for each in nodes for one in walk(each)):
        if isinstance(node, Binary) and node.operator == "/" and _sums(node.left):
            found |= _letter(node.right)
        if isinstance(node, Binary) and node.operator in "*·":
            factors = _factors(node)
            divisors = {letter for one in factors for letter in _letter_below(one)}
            found |= divisors if any(_sums(one) for one in factors) else set()
        if isinstance(node, Binary) and node.operator == "^" and _sums(node.left):
            found |= _letter_below(node.right)
    return found


def _factors(node: Node) -> list[Node]:
    if isinstance(node, Binary) and node.operator in "*·":
        return [*_factors(node.left), *_factors(node.right)]
    return [node]


def _sums(node: Node) -> bool:
    """Whether this is a sum or product over an index of which no end is said, or such a one as a factor."""
    if isinstance(node, Call) and node.function == "negative":
        return _sums(node.arguments[0])
    if isinstance(node, OneOf):
        return _sums(node.readings[0])
    if isinstance(node, Binary) and node.operator in "*·":
        return any(_sums(one) for one in _factors(node))
    return _has_no_end(node)


def _has_no_end(node: Node) -> bool:
    return isinstance(node, SumOver) and node.operator in "+*" and node.last is None and not node.excluded


def _letter(node: Node) -> set[str]:
    return {node.name} if isinstance(node, Symbol) and not node.subscripts else set()


def _letter_below(node: Node) -> set[str]:
    """T of 1/T and −1/T."""
    if isinstance(node, Call) and node.function == "negative":
        return _letter_below(node.arguments[0])
    if isinstance(node, Binary) and node.operator == "/" and _is_one(node.left):
        return _letter(node.right)
    return set()


def _is_one(node: Node) -> bool:
    inner = node.arguments[0] if isinstance(node, Call) and node.function == "negative" else node
    return inner == Number(Fraction(1))


def _names_in_bodies(tree: Relation) -> set[str]:
    """Letters below a sum: T of Σ_j e^{z_j/T} counts nothing."""
    bodies = [node.body for node in walk(tree) if isinstance(node, SumOver)]
    return {node.name for body in bodies for node in walk(body) if isinstance(node, Symbol)}


def _bounded(node: object, letter: str) -> object:
    changes: dict[str, object] = {}
    for one in fields(node):  # type: ignore[arg-type]
        value = getattr(node, one.name)
        if isinstance(value, tuple) and value and hasattr(value[0], "span"):
            changes[one.name] = tuple(_bounded(child, letter) for child in value)
        elif hasattr(value, "span"):
            changes[one.name] = _bounded(value, letter)
    if isinstance(node, SumOver) and _has_no_end(node):
        changes |= {"first": node.first or Number(Fraction(1)), "last": Symbol(letter)}
    return replace(node, **changes) if changes else node  # type: ignore[type-var]


PROBABILITIES = frozenset("pq")
"""Letters of the probabilities of tokens."""
_PERPLEXITY = frozenset({"PP", "PPL"})
"""With such a name, the setting knows what p_t is."""


def with_positive_factors(claim: Claim) -> Claim:
    """The claim with the factors of its geometric means as positive, where it says nothing of them itself."""
    everything = [one for each in (claim, *claim.more) for one in each.relations]
    nodes = [node for one in everything for node in walk(one)]
    if any(isinstance(node, Symbol) and node.name in _PERPLEXITY for node in nodes):
        return claim
    said = {node.name for one in claim.premises for node in walk(one) if isinstance(node, Symbol)}
    factors = {one.name: one for node in nodes if (one := _factor(node)) is not None and one.name not in said}
    given = [relation for one in factors.values() for relation in _range_of(one)]
    if not given:
        return claim
    parts = [replace(one, premises=(*one.premises, *given), more=()) for one in (claim, *claim.more)]
    return replace(parts[0], more=tuple(parts[1:]))


def _factor(node: Node) -> Symbol | None:
    """p_t of (Π_t p_t)^{−1/T}; None for anything else."""
    if not (isinstance(node, Binary) and node.operator == "^" and isinstance(node.left, SumOver)):
        return None
    body = node.left.body
    is_plain = isinstance(body, Symbol) and body.subscripts == (node.left.index,) and node.left.operator == "*"
    return body if is_plain and isinstance(body, Symbol) and _is_fraction(node.right) else None


def _is_fraction(node: Node) -> bool:
    """Whether an exponent is 1/T or −1/T."""
    inner = node.arguments[0] if isinstance(node, Call) and node.function == "negative" else node
    return isinstance(inner, Binary) and inner.operator == "/" and isinstance(inner.right, Symbol)


def _range_of(factor: Symbol) -> list[Relation]:
    """p_t > 0, and p_t ≤ 1 of a probability."""
    above = Relation(">", factor, Number(Fraction(0)), factor.span)
    below = Relation("≤", factor, Number(Fraction(1)), factor.span)
    return [above, below] if factor.name in PROBABILITIES else [above]
