"""Derivatives as they are written: ∂J/∂x, \\frac{∂J}{∂x}, ∂²J/∂x∂y, ∇_x J, ∇²f(x)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING

from regard.claims.syntax.tree import Binary, Call, Derivative, Node, Number, OneOf, SumOver, Symbol, walk

if TYPE_CHECKING:
    from regard.claims.syntax.expressions import Expressions


def partial_fraction(p: Expressions, start: int) -> Node:
    """\\frac{∂J}{∂x}; the command itself has been taken."""
    p.take()
    of = _of(p, before="}")
    p.insist("}")
    p.insist("{")
    by = _by(p)
    p.insist("}")
    return _derivative(p, of, by, start)


def partial(p: Expressions) -> Node:
    """∂J/∂x, or ∂/∂x before what it is taken of."""
    start = p.at
    of = _of(p, before="/")
    if not p.takes("/"):
        raise p.complaint("'/' and ∂ of a symbol, as in ∂J/∂x")
    return _derivative(p, of, _by(p), start)


def _of(p: Expressions, *, before: str) -> Node | None:
    p.insist("∂")
    if p.takes("^"):
        _insist_two(p)
    return None if p.is_sign(before) else p.factor()


def _insist_two(p: Expressions) -> None:
    braces = p.takes("{")
    if p.token.value != "2":
        raise p.complaint("a first or second derivative")
    p.take()
    if braces:
        p.insist("}")


def _by(p: Expressions) -> tuple[Symbol, ...]:
    """∂x; ∂x∂y, ∂x ∂xᵀ and ∂x² for a second derivative."""
    found: list[Symbol] = []
    while p.takes("∂"):
        node = p.factor()
        node = node.readings[0] if isinstance(node, OneOf) else node
        if isinstance(node, Call) and node.function == "transpose":
            node = node.arguments[0]
        if isinstance(node, Binary) and node.operator == "^" and node.right == Number(Fraction(2)):
            node = node.left
            found.append(node) if isinstance(node, Symbol) else None
        if not isinstance(node, Symbol):
            raise p.complaint("one symbol", p.tokens[p.at - 1])
        found.append(node)
    if not 1 <= len(found) <= 2:
        raise p.complaint("'∂' and a symbol")
    return tuple(found)


def one_symbol(p: Expressions, read: Callable[[], Node]) -> Symbol:
    """What is read next, which must be one symbol."""
    token = p.token
    node = read()
    if isinstance(node, OneOf):
        node = node.readings[0]
    if not isinstance(node, Symbol):
        raise p.complaint("one symbol", token)
    return node


def _derivative(p: Expressions, of: Node | None, by: tuple[Symbol, ...], start: int) -> Node:
    if of is not None:
        return derive(p, of, by, start)
    return _derive_term(p, by, start)


def _is_function(p: Expressions, name: str) -> bool:
    """Whether a name stands before a bracket anywhere in the claim."""
    pairs = zip(p.tokens, p.tokens[1:], strict=False)
    return any(one.value == name and one.kind == "name" and follows.value == "(" for one, follows in pairs)


def derive(p: Expressions, of: Node, by: tuple[Symbol, ...], start: int) -> Node:
    """The derivative by one symbol after another; dσ/dx is that of σ(x) where σ is a function."""
    if of == Symbol("sigma") and len(by) == 1 and _is_function(p, "sigma"):
        of = Call("sigmoid", by, of.span)
    for symbol in reversed(by):
        of = Derivative(of, symbol, p.span_from(start))
    return of


def _derive_term(p: Expressions, by: tuple[Symbol, ...], start: int) -> Node:
    """∇_x ½‖x‖² is the gradient of the whole term; ∇_x J v may also be that of J, times v."""
    first = p.factor()
    rest: Node | None = None
    at = p.at
    while p.starts_factor() and not p.starts_form():
        factor = p.factor()
        rest = factor if rest is None else p.binary("*", rest, factor, at)
    if rest is None:
        return derive(p, first, by, start)
    whole = derive(p, p.binary("*", first, rest, at), by, start)
    if isinstance(first, Number) or (isinstance(first, Binary) and first.operator == "/"):
        return whole
    return OneOf((whole, p.binary("*", derive(p, first, by, start), rest, start)), p.span_from(start))


def gradient(p: Expressions) -> Node:
    """∇_x J, with what it is taken by below."""
    start = p.at
    p.take()
    is_second = p.takes("^")
    if is_second:
        _insist_two(p)
    if not p.is_sign("_"):
        return _gradient_of_function(p, start, is_second=is_second)
    p.insist("_")
    by = one_symbol(p, p.argument)
    if not is_second and p.is_sign("^"):
        p.take()
        _insist_two(p)
        is_second = True
    return _derive_term(p, (by, by) if is_second else (by,), start)


def _gradient_of_function(p: Expressions, start: int, *, is_second: bool) -> Node:
    """∇f(x), ∇²f(x): by the argument of f."""
    of = p.factor()
    while isinstance(of, Number) or (isinstance(of, Binary) and of.operator in "*/" and p.starts_factor()):
        of = p.binary("*", of, p.factor(), start)  # ∇ ½‖x‖²
    if isinstance(of, Symbol) and p.is_sign("("):
        of = p.binary("*", of, p.factor(), start)
    call = of.readings[-1] if isinstance(of, OneOf) else of
    argument = call.right if isinstance(call, Binary) else call.arguments[0] if isinstance(call, Call) else None
    argument = argument.readings[0] if isinstance(argument, OneOf) else argument
    if not isinstance(argument, Symbol):
        argument = None if isinstance(of, Symbol) else _only_letter(of)
    if argument is None:
        raise p.complaint("what the gradient is taken by, as in ∇_x f or ∇f(x)", p.tokens[start])
    return derive(p, of, (argument, argument) if is_second else (argument,), start)


def _only_letter(of: Node) -> Symbol | None:
    """x of log Σ_j exp(x_j): the one letter that a function is written with; None where there are several."""
    nodes = list(walk(of))
    sums = {node.index for node in nodes if isinstance(node, SumOver)}
    letters = {node.name for node in nodes if isinstance(node, Symbol)} - sums - {"e", "pi", "I", "ones"}
    letters -= {"Sigma"} if sums else set()  # Σ_j x_j may also be read as a matrix
    return Symbol(letters.pop(), (), of.span) if len(letters) == 1 else None
