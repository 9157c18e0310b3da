"""Roots of products, (Π_t p_t)^{−1/T}: geometric means, whose factors are positive; p_t is a probability.

Of other numbers such a root would be complex, or real by chance where two factors are negative.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from regard.claims.syntax.tree import Binary, Call, Claim, Node, Number, Relation, SumOver, Symbol, walk

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
    given = [relation for one in factors.values() for relation in _bounds(one)]
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


def _bounds(factor: Symbol) -> list[Relation]:
    """p_t > 0, and p_t ≤ 1 of a probability."""
    above = Relation(">", factor, Number(Fraction(0)), factor.span)
    below = Relation("≤", factor, Number(Fraction(1)), factor.span)
    return [above, below] if factor.name in PROBABILITIES else [above]
