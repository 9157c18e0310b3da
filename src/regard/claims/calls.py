"""Functions and what they are of: exp(x), \\log x, log_2 x, E[c], σ(x), which may be a product, and CE(y, ŷ)."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from regard.claims.syntax.cursor import Scripts
from regard.claims.syntax.forms import FORMS
from regard.claims.syntax.letters import FUNCTIONS, MAYBE_FUNCTIONS
from regard.claims.syntax.tree import Binary, Call, Node, Number, OneOf, Symbol

if TYPE_CHECKING:
    from regard.claims.syntax.expressions import Expressions


def function(p: Expressions) -> Node:
    """exp(x), \\log x, log_2 x, \\operatorname{Var}[c]; without a bracket the factors that follow are meant."""
    start = p.at
    word = p.take().value
    name = FUNCTIONS.get(word, word)
    base: list[str] = []
    power: list[str | Node] = []
    if name == "log" and p.token.kind == "number" and p.token.value.isdecimal() and not p.token.spaced:
        base = [p.take().value]
    while p.is_sign("_", "^"):
        if p.is_sign("_"):
            base += p.subscripts()
        else:
            power += p.superscript(is_euler=False)
    if name == "sigmoid" and p.takes("'"):
        name = "sigmoid_derivative"
    arguments = arguments_of(p)
    node = _finished(p, name, arguments, base, start)
    return p.scripted(_raised(p, node, power, start), start)


def _finished(p: Expressions, name: str, arguments: tuple[Node, ...], base: list[str], start: int) -> Node:
    span = p.span_from(start)
    if name == "log" and base:
        number = base[0]
        return Call(
            name, (*arguments, Number(Fraction(number), span) if number.isdecimal() else Symbol(number, (), span)), span
        )
    node: Node = Call(name, arguments, span)
    if base and name in ("softmax", "sigmoid"):  # softmax_i(θ) is an entry
        return p.below(node, base, span)
    if base and name == "E":
        p.told.append(f"E_{{{', '.join(base)}}} is read as the expectation over everything random")
    elif base:
        raise p.complaint(f"{name} without a subscript", p.tokens[start + 1])
    return node


def _raised(p: Expressions, node: Node, power: list[str | Node], start: int) -> Node:
    return p.applied(node, Scripts(superscripts=power), start) if power else node


def arguments_of(p: Expressions) -> tuple[Node, ...]:
    """What a function is applied to: a list in brackets, or the factors that follow."""
    if p.is_sign("(", "[", "{"):
        return _listed(p)
    if not p.starts_factor():
        raise p.complaint("'(' and what the function is of")
    start = p.at
    node = p.factor()
    while p.starts_factor() and not _starts_function(p):
        node = p.binary("*", node, p.factor(), start)
    return (node,)


def _starts_function(p: Expressions) -> bool:
    return p.token.value in FUNCTIONS or p.token.value in FORMS or p.token.value in ("sum", "prod")


def _listed(p: Expressions) -> tuple[Node, ...]:
    closer = {"(": ")", "[": "]", "{": "}"}[p.take().value]
    bars, p.open_bars = p.open_bars, []
    found = [p.expression()]
    while p.takes(","):
        found.append(p.expression())
    p.insist(closer)
    p.open_bars = bars
    return tuple(found)


def called(p: Expressions, name: str, start: int) -> Node | None:
    """A name that was just taken, if it stands before a bracket and can be a function; None where it is a symbol.

    E[c] is an expectation; σ(x) and J(x) may be products; CE(y, ŷ) has a comma, so it is none.
    """
    prime = p.is_sign("'") and name == "sigma"
    bracket = p.ahead(int(prime))
    if bracket.kind != "sign" or bracket.value not in "([" or (bracket.value == "[" and name != "E"):
        return None
    if name not in MAYBE_FUNCTIONS and ("_" in name or not _has_comma(p)):
        return None
    p.at += prime
    function_name = MAYBE_FUNCTIONS.get(name, name)
    arguments = arguments_of(p)
    span = p.span_from(start)
    call = Call("sigmoid_derivative" if prime else function_name, arguments, span)
    if prime or len(arguments) > 1 or bracket.value == "[":
        return p.scripted(call, start)
    scripts = p.scripts(is_name=False)
    product = Binary("*", Symbol(name, (), span), p.applied(arguments[0], scripts, start), span)
    return OneOf((p.applied(call, scripts, start), product), p.span_from(start))


def _has_comma(p: Expressions) -> bool:
    """Whether the bracket that is next holds a comma of its own."""
    depth = 0
    for token in p.tokens[p.at :]:
        if token.kind == "sign":
            depth += (token.value in ("(", "[", "{", "⟨")) - (token.value in (")", "]", "}", "⟩"))
            if depth == 1 and token.value == ",":
                return True
        if depth <= 0:
            return False
    return False
