"""How large the parts of an expression are, whatever they cancel to: what rounding is to be measured by.

|a − b| is nothing if it is small beside |a| + |b|          Var[c] − tr Cov[c]: as good as 0
a product or power of small numbers is not nothing          Var[c]¹²: tiny, and no zero
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from regard.claims.meaning.resolved import Apply, Combine, Constant, Moment, Resolved

LAW_FLOOR = Fraction(3, 100_000)
"""Moments by the laws of weights are good to some 1e-14, even where they are smaller than that themselves."""
_SPREADING = ("transpose", "trace", "sum", "mean", "diag", "norm", "dot")
"""Functions that take sizes of parts to the size of the whole."""


def grown(node: Resolved) -> Resolved:
    """The expression with every part as large as it is by itself, so that nothing cancels."""
    if isinstance(node, Apply):
        return _grown_call(node)
    if isinstance(node, Moment):
        return Combine("+", Apply("abs", (node,)), Constant(LAW_FLOOR))
    if not isinstance(node, Combine):
        return Apply("abs", (node,))
    match node.operator:
        case "+" | "-":
            return Combine("+", grown(node.left), grown(node.right))
        case "/":
            return Combine("/", grown(node.left), Apply("abs", (node.right,)))
        case "^":
            is_plain = isinstance(node.right, Constant) and node.right.value >= 1 and node.right.value.denominator == 1
            return replace(node, left=grown(node.left)) if is_plain else Apply("abs", (node,))
    return replace(node, left=grown(node.left), right=grown(node.right))


def _grown_call(node: Apply) -> Resolved:
    if node.function == "negative":
        return grown(node.arguments[0])
    if node.function in _SPREADING:
        return replace(node, arguments=tuple(grown(argument) for argument in node.arguments))
    return Apply("abs", (node,))
