"""Losses of which a claim says nothing but how their gradients hang together: δ = ∂L/∂z, z = W x ⇒ ∂L/∂W = δ xᵀ.

Such a claim is about every loss, so one loss without any symmetry is put in: L = Σ sin(2 z) + (Σ z)²/2, of which the
gradient differs from entry to entry, takes both signs and depends on all entries.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from regard.claims.syntax.tree import Binary, Call, Claim, Derivative, Node, Number, OneOf, Relation, Symbol, walk

LOSSES = frozenset({"L", "J", "ell", "E", "C"})
"""Letters of losses that a claim need not define."""


def expand_upstream_gradients(claim: Claim) -> Claim:
    """The claim with Σ g ∘ z for a loss of which it says nothing but g = ∂L/∂z; any other claim as it is."""
    if claim.more:
        return claim
    for loss in sorted(LOSSES & _names(claim.relations)):
        found = _expand(claim, loss)
        if found is not None:
            return found
    return claim


def _expand(claim: Claim, loss: str) -> Claim | None:
    """The claim with the loss defined, where everything that it says of the loss is how gradients hang together."""
    taken = list(_derivatives(claim.relations, loss))
    occurrences = sum(node == Symbol(loss) for one in claim.relations for node in _all_nodes(one))
    if not taken or occurrences != len(taken):
        return None
    anchor = _last_letter(claim, {one.by.name for one in taken})
    if anchor is None:
        return None
    named = [one for one in claim.premises if _names_gradient(one, loss, anchor)]
    gradients = {symbol.name for one in named if (symbol := _lone(one.left)) is not None}
    if not _goes_through(claim, loss, anchor, gradients):
        return None
    span = claim.relations[0].span
    definition = Relation("=", Symbol(loss, (), span), _some_loss(Symbol(anchor, (), span)), span)
    return replace(claim, premises=(*claim.premises, definition))


def _some_loss(letter: Symbol) -> Node:
    two, span = Number(Fraction(2)), letter.span
    waves = Call("sum", (Call("sin", (Binary("*", two, letter, span),), span),), span)
    square = Binary("^", Call("sum", (letter,), span), two, span)
    return Binary("+", waves, Binary("/", square, two, span), span)


def _goes_through(claim: Claim, loss: str, anchor: str, gradients: set[str]) -> bool:
    """Whether each statement on the loss speaks of the gradient, too: otherwise it says what the loss is."""
    rest = [one for one in claim.relations if not _names_gradient(one, loss, anchor)]
    if any((symbol := _lone(one.left)) is not None and symbol.name in gradients for one in rest):
        return False
    for one in claim.statements:
        is_linked = any(_speaks(side, loss, anchor, gradients) for side in (one.left, one.right))
        if _is_of_loss(one, loss) and not is_linked:
            return False
        if any(_is_gradient(side, loss, anchor) for side in (one.left, one.right)):
            return False
    return any(_is_of_loss(one, loss) for one in claim.statements)


def _speaks(side: Node, loss: str, anchor: str, gradients: set[str]) -> bool:
    return any(
        _is_gradient(node, loss, anchor) or (isinstance(node, Symbol) and node.name in gradients) for node in walk(side)
    )


def _is_of_loss(relation: Relation, loss: str) -> bool:
    return any(True for _ in _derivatives((relation,), loss))


def _names_gradient(relation: Relation, loss: str, anchor: str) -> bool:
    """g = ∂L/∂z, or g_i = ∂L/∂z_i."""
    symbol, right = _lone(relation.left), relation.right
    is_equation = relation.comparison == "=" and symbol is not None and symbol.name != loss
    return is_equation and _is_gradient(right, loss, anchor) and _same_index(symbol, right)


def _same_index(symbol: Symbol | None, right: Node) -> bool:
    return symbol is not None and isinstance(right, Derivative) and symbol.subscripts == right.by.subscripts


def _is_gradient(node: Node, loss: str, anchor: str) -> bool:
    return isinstance(node, Derivative) and node.of == Symbol(loss) and node.by.name == anchor


def _derivatives(relations: tuple[Relation, ...], loss: str) -> Iterator[Derivative]:
    for relation in relations:
        for node in _all_nodes(relation):
            if isinstance(node, Derivative) and node.of == Symbol(loss):
                yield node


def _all_nodes(relation: Relation) -> Iterator[Node]:
    yield from (node for side in (relation.left, relation.right) for node in walk(side))


def _last_letter(claim: Claim, letters: set[str]) -> str | None:
    """Of the letters that derivatives are taken by, the one that is computed from all others that are computed."""
    uses = {
        symbol.name: _names((one,)) - {symbol.name}
        for one in claim.relations
        if one.comparison == "=" and (symbol := _lone(one.left)) is not None and not _has_derivative(one)
    }
    computed = {one for one in letters if one in uses}
    last = [one for one in computed if not any(one in _reach(other, uses) for other in computed - {one})]
    return last[0] if len(last) == 1 else None


def _has_derivative(relation: Relation) -> bool:
    return any(isinstance(node, Derivative) for node in _all_nodes(relation))


def _reach(letter: str, uses: dict[str, set[str]]) -> set[str]:
    found: set[str] = set()
    waiting = [letter]
    while waiting:
        for name in uses.get(waiting.pop(), set()) - found:
            found.add(name)
            waiting.append(name)
    return found


def _lone(node: Node) -> Symbol | None:
    node = node.readings[0] if isinstance(node, OneOf) else node
    return node if isinstance(node, Symbol) else None


def _names(relations: tuple[Relation, ...]) -> set[str]:
    return {node.name for one in relations for node in _all_nodes(one) if isinstance(node, Symbol)}
