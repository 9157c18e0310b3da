"""Indicators of two equal indices, which are Kronecker's δ_ij: 1[i = j], 𝟙{i = j}, 1_{i=j}, I(i = j)."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from regard.claims.syntax.cursor import CLOSERS
from regard.claims.syntax.tree import Binary, Node, Number, Symbol

if TYPE_CHECKING:
    from regard.claims.syntax.expressions import Expressions

_LETTERS_OF_INDICATORS = frozenset({"I", "ones"})


def is_indicator(p: Expressions) -> bool:
    """Whether a one with an equation of two indices in a bracket is next."""
    token = p.token
    is_one = token.kind == "number" and token.value == "1"
    if not is_one and not (token.kind in ("letters", "name", "word") and token.value in _LETTERS_OF_INDICATORS):
        return False
    at = 2 if p.ahead(1).value == "_" else 1
    opener, left, sign, right, closer = (p.ahead(at + step) for step in range(5))
    is_bracket = opener.kind == "sign" and opener.value in "([{" and closer.value == CLOSERS[opener.value]
    are_indices = all(one.kind == "letters" and len(one.value) == 1 for one in (left, right))
    return is_bracket and are_indices and sign.kind == "relation" and sign.value in ("=", "≠")


def indicator(p: Expressions) -> Node:
    """δ_ij, or 1 − δ_ij for i ≠ j."""
    start = p.at
    p.take()
    p.takes("_")
    p.take()
    first, sign, second = p.take().value, p.take().value, p.take().value
    p.take()
    span = p.span_from(start)
    delta = Symbol("delta", (first, second), span)
    return delta if sign == "=" else Binary("-", Number(Fraction(1), span), delta, span)
