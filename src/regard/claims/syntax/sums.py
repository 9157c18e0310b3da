"""Sums, products and largest terms over an index: Σ_i, Σ_{i≠a,b}, Π, max_i; and x_1 + … + x_n."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from regard.claims.syntax.tree import Binary, Call, Derivative, Node, Number, OneOf, Span, SumOver, Symbol, walk

if TYPE_CHECKING:
    from regard.claims.syntax.expressions import Expressions


RUNNING = "r"
"""The index of a sum that was written with dots."""


def generalise(first: Node, last: Node) -> tuple[Node, Node] | None:
    """A term with a running index in place of the 1 of the first and of the n of the last, and that n."""
    bounds: list[Node] = []

    def merge(one: Node, other: Node) -> Node | None:
        if isinstance(one, Symbol) and isinstance(other, Symbol) and one.name == other.name:
            if len(one.subscripts) != len(other.subscripts):
                return None
            words = []
            for word, end in zip(one.subscripts, other.subscripts, strict=True):
                words.append(word if word == end else RUNNING)
                if word not in (end, "1"):
                    return None
                if word != end:
                    bounds.append(index_node(end, other.span))
            return Symbol(one.name, tuple(words), one.span)
        if isinstance(one, Binary) and isinstance(other, Binary) and one.operator == other.operator:
            left, right = merge(one.left, other.left), merge(one.right, other.right)
            return None if left is None or right is None else Binary(one.operator, left, right, one.span)
        if isinstance(one, Call) and isinstance(other, Call) and one.function == other.function:
            parts = [merge(a, b) for a, b in zip(one.arguments, other.arguments, strict=False)]
            return None if None in parts else Call(one.function, tuple(part for part in parts if part), one.span)
        if isinstance(one, Derivative) and isinstance(other, Derivative):
            of, by = merge(one.of, other.of), merge(one.by, other.by)
            return Derivative(of, by, one.span) if of is not None and isinstance(by, Symbol) else None
        return one if one == other else None

    body = merge(first, last)
    return (body, bounds[0]) if body is not None and bounds and all(one == bounds[0] for one in bounds) else None


def whole_list(entries: list[Node], last: Node, span: Span) -> Symbol | None:
    """x, of which x_1, …, x_n are the entries; None of anything else."""
    symbols = [one for one in (*entries, last) if isinstance(one, Symbol) and len(one.subscripts) == 1]
    numbers = [one.subscripts[0] for one in symbols]
    is_list = len(symbols) == len(entries) + 1 and len({one.name for one in symbols}) == 1
    is_counted = numbers[:-1] == [str(place + 1) for place in range(len(entries))] and not numbers[-1].isdecimal()
    return Symbol(symbols[0].name, (), span) if is_list and is_counted else None


def index_node(word: str, span: Span) -> Node:
    """A number, or a letter."""
    return Number(Fraction(word), span) if word.isdecimal() else Symbol(word, (), span)


EXTREMES = frozenset({"max", "min", "argmax", "argmin"})


def extreme_over(p: Expressions, name: str, start: int) -> Node:
    """\\max_i s_i, \\max_{i \\ne a} s_i, argmax_i s_i."""
    found = _limits(p, SumOver("", (), Number(Fraction(0)), operator=name))  # type: ignore[arg-type]
    if not found.index:
        raise p.complaint("the index, as in \\max_i")
    body = p.term()
    return replace(found, body=body, span=p.span_from(start))


INDICES = frozenset("ijklmnrst")
"""Letters that run over keys or entries; a and b are fixed ones, so Σ_a is a covariance."""


def sum_over(p: Expressions) -> Node:
    """Σ_i, Σ_{i≠a,b}, Σ_{i=1}^n of the term that follows; Π likewise."""
    start = p.at
    is_product = p.take().value == "prod"
    if not p.is_sign("_", "^"):
        return _over_evident_index(p, start, "*" if is_product else "+")
    empty = SumOver("", (), Number(Fraction(0)), operator="*" if is_product else "+")
    sum_ = _limits(p, empty)
    if not sum_.index:
        raise p.complaint("the index of the sum, as in \\sum_i")
    inner, p.more_indices = p.more_indices, []
    body = p.term()
    for index in reversed(inner):  # Σ_{i,j}
        body = SumOver(index, (), body, operator=sum_.operator, span=p.span_from(start))
    return replace(sum_, body=body, span=p.span_from(start))


def _over_evident_index(p: Expressions, start: int, operator: Literal["+", "*"]) -> Node:
    """Σ α_i v_i: over the one index that the term has."""
    body = p.term()
    found = evident_index(body)
    if found is None:
        raise p.complaint("the index of the sum, as in \\sum_i", p.tokens[start])
    return _over_named_range(p, SumOver(found, (), body, operator=operator, span=p.span_from(start)))


def _over_named_range(p: Expressions, sum_: SumOver) -> SumOver:
    """A sum without bounds over an index whose values the text lists has these as its bounds: t = 1, …, M."""
    last = p.ranges.get(sum_.index)
    if last is None or sum_.first is not None or sum_.last is not None:
        return sum_
    return replace(sum_, first=Number(Fraction(1)), last=Symbol(last))


def evident_index(body: Node) -> str | None:
    """The only letter among i, j, k, … that is an index in a term; None where there are several, or none."""
    words = {word for node in walk(body) if isinstance(node, Symbol) for word in node.subscripts}
    bound = {node.index for node in walk(body) if isinstance(node, SumOver)}
    found = sorted((words & set("ijklmt")) - bound)
    return found[0] if len(found) == 1 else None


def _limits(p: Expressions, sum_: SumOver) -> SumOver:
    """The sum with its index and bounds, in whichever order they are written."""
    while p.is_sign("_", "^"):
        if p.takes("^"):
            sum_ = replace(sum_, last=p.power(braces=p.takes("{"), is_euler=False))
        else:
            p.take()
            sum_ = _below(p, sum_)
    return _over_named_range(p, sum_)


def _below(p: Expressions, sum_: SumOver) -> SumOver:
    if not p.is_sign("{", "("):
        p.split_first(1)
        return replace(sum_, index=_one_index(p))
    closer = {"{": "}", "(": ")"}[p.take().value]
    if p.token.kind == "letters" and len(p.token.value) == 2 and p.ahead(1).value == closer:  # Σ_{ij}
        p.more_indices.append(p.token.value[1])
        p.tokens[p.at] = p.token._replace(value=p.token.value[0])
    index = _one_index(p)
    first: Node | None = None
    excluded: list[str] = []
    while not p.takes(closer):
        if p.token.kind == "relation" and p.token.value == "=":
            p.take()
            first = p.expression()
        elif p.token.kind == "relation" and p.token.value == "≠":
            p.take()
            excluded += _read_excluded(p, index)
        elif p.token.kind == "relation" and p.token.value in _BOUNDS and not excluded and first is None:
            side, step = _BOUNDS[p.take().value]
            bound: Node = Symbol(_one_index(p))
            bound = Binary("+" if side == "first" else "-", bound, Number(Fraction(1))) if step else bound
            sum_ = replace(sum_, **{side: bound})  # type: ignore[arg-type]
        elif p.takes("∉"):
            excluded += _read_excluded_set(p, index)
        elif p.is_sign(",") or (p.token.kind == "separator" and p.token.value == "and"):
            p.take()
            if p.token.value == index:
                p.take()
            elif p.token.kind == "letters" and len(p.token.value) == 1:
                p.more_indices.append(p.take().value)
        else:
            raise p.complaint(f"'=', '≠' or '{closer}'")
    first = sum_.first if first is None else first
    return replace(sum_, index=index, first=first, excluded=tuple(excluded))


_BOUNDS = {"<": ("last", True), "≤": ("last", False), ">": ("first", True), "≥": ("first", False)}
"""Which bound a relation below a sum gives, and whether it is one beyond the other index: i < j is i ≤ j − 1."""


def _one_index(p: Expressions) -> str:
    found = p.index()
    if len(found) != 1 or found[0].isdecimal():
        raise p.complaint("one letter as index", p.tokens[p.at - 1])
    return found[0]


def _read_excluded(p: Expressions, index: str) -> list[str]:
    """a, b of i ≠ a, b; but i ≠ a, i ≠ b starts again."""
    found = p.index()
    while p.is_sign(",") and p.ahead(1).value != index:
        p.take()
        found += p.index()
    return found


def _read_excluded_set(p: Expressions, index: str) -> list[str]:
    p.insist("{")
    found = _read_excluded(p, index)
    p.insist("}")
    return found


def sum_or_covariance(p: Expressions) -> Node:
    """Σ_i x: a sum, or a matrix Σ_i times x. Only the letter Σ is both; \\sum and \\Sigma are not.

    The letter itself has just been taken.
    """
    start = p.at - 1
    if p.ahead(1).value == "{" and p.ahead(3).value != "}":
        p.at = start
        return sum_over(p)
    at = p.at
    matrix = p.with_scripts(Symbol("Sigma", (), p.span_from(start)), start)
    is_index = isinstance(matrix, Symbol) and bool(matrix.subscripts) and matrix.subscripts[0] in INDICES
    if not is_index or not p.starts_factor():
        return matrix
    after, n_tokens = p.at, len(p.tokens)
    p.at = at
    sum_ = _limits(p, SumOver("", (), Number(Fraction(0))))
    if (p.at, len(p.tokens)) != (after, n_tokens):
        raise p.complaint("a sum over one index, or a covariance Σ_i", p.tokens[start])
    inner, p.more_indices = p.more_indices, []
    with p.deeper():
        body = p.term()
    span = p.span_from(start)
    summed = body
    for index in reversed(inner):
        summed = SumOver(index, (), summed, span=span)
    return OneOf((replace(sum_, body=summed, span=span), Binary("*", matrix, body, span)), span)
