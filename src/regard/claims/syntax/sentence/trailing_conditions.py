"""Conditions without a word, at the end of a list: ‖v‖² = ‖Av‖², AᵀA = I; J = L(y), y one-hot; z ≤ 1, 0 < z.

What only restricts a letter that the statements before it use is given. Of what is computed, such as the weights α_i,
it is claimed.
"""

from __future__ import annotations

from dataclasses import replace

from regard.claims.syntax.sentence.items import Part
from regard.claims.syntax.tree import Binary, Node, Number, Relation, Symbol, lone_symbol, symbol_names

_COMPUTED = frozenset({"alpha", "c", "y_hat", "h", "s"})
_BOUNDS = ("<", ">", "≤", "≥")


def with_trailing_conditions(part: Part) -> Part:
    """The part with the conditions at its end as what is given."""
    if part.given or part.leading or part.before is not None or part.negated or part.some:
        return part
    first = len(part.claims)
    while first > 1 and _restricts(part.claims[first - 1], part.claims[: first - 1]):
        first -= 1
    return replace(part, leading=part.claims[first:], claims=part.claims[:first])


def _restricts(relation: Relation, before: list[Relation]) -> bool:
    """Whether it restricts a letter that is used before, and of which nothing else is said by itself."""
    letter = _restricted_letter(relation)
    if letter is None or letter.name in _COMPUTED or letter.name not in symbol_names(before[0]):
        return False
    if _restricted_letter(before[0]) == letter:
        return False  # 0 < x ≤ 1
    others = [one for one in before if _restricted_letter(one) != letter]
    return not any(letter in (lone_symbol(one.left), lone_symbol(one.right)) for one in others)


def _restricted_letter(relation: Relation) -> Symbol | None:
    """The letter x of x ≠ 0, 0 < x, A = Aᵀ, AᵀA = I or `x one-hot`."""
    left, right = relation.left, relation.right
    if relation.comparison == "is":
        return lone_symbol(left)
    if relation.comparison == "≠":
        letter = lone_symbol(left)
        return letter if letter is not None and not letter.subscripts and isinstance(right, Number) else None
    if relation.comparison in _BOUNDS:
        return next(
            (lone_symbol(one) for one, other in ((left, right), (right, left)) if isinstance(other, Number)), None
        )
    if relation.comparison != "=":
        return None
    if right == Symbol("I") and isinstance(left, Binary) and len(symbol_names(left)) == 1:
        return Symbol(next(iter(symbol_names(left))))  # AᵀA = I
    return _own_image(left, right) or _own_image(right, left)


def _own_image(side: Node, other: Node) -> Symbol | None:
    """P of P = P²."""
    letter = lone_symbol(side)
    is_own = letter is not None and not letter.subscripts and letter.name in symbol_names(other) and other != letter
    return letter if is_own else None
