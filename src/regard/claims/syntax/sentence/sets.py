"""x ∈ …, and either of two equations: an interval or numbers say how large x is, ℝ^{m×n} what shape it has."""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from typing import TYPE_CHECKING, Literal

from regard.claims.syntax.tree import Binary, Call, Node, Number, Relation, Symbol

if TYPE_CHECKING:
    from regard.claims.syntax.sentence.sentences import Sentences

ZERO = Number(Fraction(0))
COLUMN_SPACES = frozenset({"col", "Col", "colspace", "range", "span", "im", "Im"})
NUMBER_SETS = frozenset({"R", "reals"})
INTERIORS = frozenset({"int", "ri", "relint", "interior"})
SPHERES = frozenset({"S"})


def membership(p: Sentences, left: Node, start: int, *, is_in: bool) -> list[Relation]:
    """The relations that x ∈ set stands for; the sign itself has been taken."""
    if not is_in and not p.is_sign("{"):
        raise p.complaint("a set in braces after ∉, as in i ∉ {a, b}")
    if not is_in:
        return _none_of(p, left, start)
    if p.is_sign("{"):
        return [_one_of(p, left, start)]
    if p.is_sign("(", "[", "]"):
        return _interval(p, left, start)
    return _space(p, left, start)


def _one_of(p: Sentences, left: Node, start: int) -> Relation:
    """x ∈ {0, 1}: the product of all differences is 0."""
    p.take()
    values = [p.expression()]
    while p.takes(","):
        values.append(p.expression())
    p.insist("}")
    span = p.span_from(start)
    differences: list[Node] = [Binary("-", left, value, span) for value in values]
    return Relation("=", reduce(lambda a, b: Binary("*", a, b, span), differences), ZERO, span)


def _none_of(p: Sentences, left: Node, start: int) -> list[Relation]:
    """i ∉ {a, b}: different from each."""
    p.take()
    values = [p.expression()]
    while p.takes(","):
        values.append(p.expression())
    p.insist("}")
    span = p.span_from(start)
    return [Relation("≠", left, value, span) for value in values]


def _interval(p: Sentences, left: Node, start: int) -> list[Relation]:
    """x ∈ [0, 1), also as [0, 1[."""
    is_closed = p.take().value == "["
    low = p.expression()
    p.insist(",")
    high = p.expression()
    if not p.is_sign(")", "]", "["):
        raise p.complaint("')' or ']'")
    ends_closed = p.take().value == "]"
    span = p.span_from(start)
    below = Relation("≤" if is_closed else "<", low, left, span)
    above = Relation("≤" if ends_closed else "<", left, high, span)
    return [one for one in (below, above) if not (_is_infinite(one.left) or _is_infinite(one.right))]


def _is_infinite(node: Node) -> bool:
    inner = node.arguments[0] if isinstance(node, Call) and node.function == "negative" else node
    return isinstance(inner, Symbol) and inner.name == "infinity"


def _space(p: Sentences, left: Node, start: int) -> list[Relation]:
    """x ∈ ℝ, ℝ^d, ℝ^{m×n}, ℝ_+."""
    token = p.token
    if token.value in COLUMN_SPACES:
        return [_of_columns(p, left, start)]
    if token.value in INTERIORS or token.value == "Delta":
        return _simplex(p, left, start)
    if token.value in SPHERES and p.ahead(1).value == "^":
        return _sphere(p, left, start)
    if token.value not in NUMBER_SETS:
        raise p.complaint("an interval, a set of numbers in braces, or ℝ^d")
    p.take()
    sign = _sign(p)
    sizes = _sizes(p) if p.takes("^") else []
    sign = sign or _sign(p)
    span = p.span_from(start)
    shape = Relation("∈", left, Call("shape", tuple(sizes), span), span)
    return [shape, Relation(sign, left, ZERO, span)] if sign else [shape]


def _sign(p: Sentences) -> Literal[">", "≥"] | None:
    """_+, _{++} and _{>0}, or _{≥0}, of numbers on one side; None where nothing is below."""
    if not p.is_sign("_"):
        return None
    p.take()
    braces = p.takes("{")
    if braces and p.token.kind == "relation" and p.token.value in (">", "≥"):
        found: Literal[">", "≥"] = ">" if p.take().value == ">" else "≥"
        if p.token.value != "0":
            raise p.complaint("'0', as in ℝ_{>0}")
        p.take()
    else:
        found = ">"
        p.insist("+")
        p.takes("+")
    if braces:
        p.insist("}")
    return found


def _simplex(p: Sentences, left: Node, start: int) -> list[Relation]:
    """p ∈ Δ^{n−1}, Δ_n, int Δ: a distribution, of n entries where the size is said; drawn ones have no zeros."""
    while p.token.value in INTERIORS:
        p.take()
        p.takes("(")
    if p.token.value != "Delta":
        raise p.complaint("Δ, as in p ∈ int Δ^{n−1}")
    p.take()
    sizes: list[Node] = []
    while p.is_sign("_", "^"):
        p.take()
        if p.takes("∘", "*"):
            continue
        sizes += _entries(p)
    p.takes("∘")
    if p.tokens[start].value != "(":
        p.takes(")")
    span = p.span_from(start)
    shape = [Relation("∈", left, Call("shape", tuple(sizes), span), span)] if sizes else []
    return [Relation("is", left, Symbol("distribution", (), span), span), *shape]


def _entries(p: Sentences) -> list[Node]:
    """How many entries the points of Δ^{n−1}, Δ_{n−1}, Δ^n and Δ_n have: n in all of them, as probabilities."""
    if not p.takes("{", "("):
        p.split_first(1)
        return [p.argument()]
    if p.takes("∘", "*"):
        p.insist("}")
        return []
    found = p.signed_factor()
    if p.takes("-"):
        if p.token.value != "1":
            raise p.complaint("'1', as in Δ^{n−1}")
        p.take()
    if not p.takes("}", ")"):
        raise p.complaint("'}' after the size, as in Δ^{n−1}")
    return [found]


def _sphere(p: Sentences, left: Node, start: int) -> list[Relation]:
    """u ∈ S^{d−1}: a unit vector with d entries."""
    p.take()
    if not p.takes("^"):
        raise p.complaint("'^' and the dimension, as in S^{d−1}")
    sizes = _entries(p)
    span = p.span_from(start)
    unit = Relation("is", left, Symbol("unit", (), span), span)
    return [unit, Relation("∈", left, Call("shape", tuple(sizes), span), span)]


def _of_columns(p: Sentences, left: Node, start: int) -> Relation:
    """x ∈ col(A): the projection onto the columns of A leaves x as it is."""
    p.take()
    p.insist("(")
    matrix = p.expression()
    p.insist(")")
    span = p.span_from(start)
    return Relation("=", Binary("*", Call("projector", (matrix,), span), left, span), left, span)


def _sizes(p: Sentences) -> list[Node]:
    """d, or m × n."""
    if not p.takes("{", "("):
        p.split_first(1)
        return [p.argument()]
    found = [p.signed_factor()]
    while p.takes("*"):
        found.append(p.signed_factor())
    if not p.takes("}", ")"):
        raise p.complaint("'}' after the sizes, as in ℝ^{m×n}")
    return found


def either_of(first: Relation, second: Relation) -> Relation:
    """a = b or c = d, as |a − b| |c − d| = 0: a product of matrices may be 0 where none of them is."""
    sizes = [Call("abs", (Binary("-", one.left, one.right, one.span),), one.span) for one in (first, second)]
    return Relation("=", Binary("*", sizes[0], sizes[1], first.span), ZERO, first.span)
