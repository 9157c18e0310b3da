"""Notation with a shape of its own: fractions, roots, limits, sums over an index, derivatives and inner products."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from regard.claims.syntax.letters import FUNCTIONS, MAYBE_FUNCTIONS
from regard.claims.syntax.lexer import Scripts
from regard.claims.syntax.tree import Binary, Call, Derivative, Node, Number, OneOf, Relation, SumOver, Symbol

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
    arguments = read_arguments(p)
    node = _call_with_base(p, name, arguments, base, start)
    return p.with_scripts(_raise_to(p, node, power, start), start)


def _call_with_base(p: Expressions, name: str, arguments: tuple[Node, ...], base: list[str], start: int) -> Node:
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
        p.notes.append(f"E_{{{', '.join(base)}}} is read as the expectation over everything random")
    elif base:
        raise p.complaint(f"{name} without a subscript", p.tokens[start + 1])
    return node


def _raise_to(p: Expressions, node: Node, power: list[str | Node], start: int) -> Node:
    return p.apply_scripts(node, Scripts(superscripts=power), start) if power else node


def read_arguments(p: Expressions) -> tuple[Node, ...]:
    """What a function is applied to: a list in brackets, or the factors that follow."""
    if p.is_sign("(", "[", "{"):
        return _argument_list(p)
    if not p.starts_factor():
        raise p.complaint("'(' and what the function is of")
    start = p.at
    node = p.factor()
    while p.starts_factor() and not _starts_function(p):
        node = p.binary("*", node, p.factor(), start)
    return (node,)


def _starts_function(p: Expressions) -> bool:
    return p.token.value in FUNCTIONS or p.token.value in FORMS or p.token.value in ("sum", "prod")


def _argument_list(p: Expressions) -> tuple[Node, ...]:
    closer = {"(": ")", "[": "]", "{": "}"}[p.take().value]
    bars, p.open_bars = p.open_bars, []
    found = [p.expression()]
    while p.takes(","):
        found.append(p.expression())
    p.insist(closer)
    p.open_bars = bars
    return tuple(found)


def call_before_bracket(p: Expressions, name: str, start: int) -> Node | None:
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
    arguments = read_arguments(p)
    span = p.span_from(start)
    call = Call("sigmoid_derivative" if prime else function_name, arguments, span)
    if prime or len(arguments) > 1 or bracket.value == "[":
        return p.with_scripts(call, start)
    scripts = p.scripts(is_name=False)
    product = Binary("*", Symbol(name, (), span), p.apply_scripts(arguments[0], scripts, start), span)
    return OneOf((p.apply_scripts(call, scripts, start), product), p.span_from(start))


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


INDICES = frozenset("ijklmnrst")
"""Letters that run over keys or entries; a and b are fixed ones, so Σ_a is a covariance."""


def fraction(p: Expressions) -> Node:
    """\\frac12, \\frac{a}{b}, \\frac{∂J}{∂x}."""
    start = p.at
    p.take()
    if p.is_sign("{") and p.ahead(1).value == "∂":
        return _partial_fraction(p, start)
    top = p.argument()
    return p.binary("/", top, p.argument(), start)


def _partial_fraction(p: Expressions, start: int) -> Node:
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
    if p.is_sign("^"):
        raise p.complaint("a first derivative")
    return None if p.is_sign(before) else p.factor()


def _by(p: Expressions) -> Symbol:
    p.insist("∂")
    return _symbol(p, p.factor)


def _symbol(p: Expressions, read: Callable[[], Node]) -> Symbol:
    token = p.token
    node = read()
    if isinstance(node, OneOf):
        node = node.readings[0]
    if not isinstance(node, Symbol):
        raise p.complaint("one symbol", token)
    return node


def _derivative(p: Expressions, of: Node | None, by: Symbol, start: int) -> Node:
    of = p.factor() if of is None else of
    return Derivative(of, by, p.span_from(start))


def gradient(p: Expressions) -> Node:
    """∇_x J, with what it is taken by below."""
    start = p.at
    p.take()
    p.insist("_")
    by = _symbol(p, p.argument)
    return Derivative(p.factor(), by, p.span_from(start))


def root(p: Expressions) -> Node:
    """√x, \\sqrt{x}, \\sqrt[3]{x}."""
    start = p.at
    is_command = p.take().value == "sqrt"
    if is_command and p.is_sign("["):
        degree = p.in_brackets()
        power = p.binary("/", Number(Fraction(1)), degree, start)
        return p.binary("^", p.argument(), power, start)
    inner = p.argument() if is_command else p.factor()
    return Call("sqrt", (inner,), p.span_from(start))


def inner_product(p: Expressions) -> Node:
    """⟨a, b⟩."""
    start = p.at
    p.take()
    left = p.expression()
    p.insist(",")
    right = p.expression()
    p.insist("⟩")
    return p.binary("·", left, right, start)


def limit(p: Expressions) -> Node:
    """\\lim_{C \\to \\infty} of a term: the term itself, and C → ∞ as a statement of its own."""
    start = p.at
    p.take()
    p.insist("_")
    p.insist("{")
    symbol = _symbol(p, p.factor)
    if p.token.value != "→":
        raise p.complaint("'→', as in \\lim_{C \\to \\infty}")
    p.take()
    p.limits.append(Relation("→", symbol, p.expression(), p.span_from(start)))
    p.insist("}")
    return p.term()


def sum_over(p: Expressions) -> Node:
    """Σ_i, Σ_{i≠a,b}, Σ_{i=1}^n of the term that follows; Π likewise."""
    start = p.at
    is_product = p.take().value == "prod"
    if not p.is_sign("_", "^"):
        raise p.complaint("the index of the sum, as in \\sum_i")
    empty = SumOver("", (), Number(Fraction(0)), operator="*" if is_product else "+")
    sum_ = _limits(p, empty)
    if not sum_.index:
        raise p.complaint("the index of the sum, as in \\sum_i")
    body = p.term()
    return replace(sum_, body=body, span=p.span_from(start))


def _limits(p: Expressions, sum_: SumOver) -> SumOver:
    """The sum with its index and bounds, in whichever order they are written."""
    while p.is_sign("_", "^"):
        if p.takes("^"):
            sum_ = replace(sum_, last=p.power(braces=p.takes("{"), is_euler=False))
        else:
            p.take()
            sum_ = _below(p, sum_)
    return sum_


def _below(p: Expressions, sum_: SumOver) -> SumOver:
    if not p.is_sign("{", "("):
        p.split_first(1)
        return replace(sum_, index=_one_index(p))
    closer = {"{": "}", "(": ")"}[p.take().value]
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
        elif p.takes("∉"):
            excluded += _read_excluded_set(p, index)
        elif p.is_sign(",") or (p.token.kind == "separator" and p.token.value == "and"):
            p.take()
            if p.token.value == index:
                p.take()
        else:
            raise p.complaint(f"'=', '≠' or '{closer}'")
    return replace(sum_, index=index, first=first, excluded=tuple(excluded))


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
    assert (p.at, len(p.tokens)) == (after, n_tokens)
    with p.deeper():
        body = p.term()
    span = p.span_from(start)
    return OneOf((replace(sum_, body=body, span=span), Binary("*", matrix, body, span)), span)


FORMS: dict[str, Callable[[Expressions], Node]] = {
    "frac": fraction,
    "∂": partial,
    "∇": gradient,
    "sqrt": root,
    "√": root,
    "⟨": inner_product,
    "lim": limit,
    "sum": sum_over,
    "prod": sum_over,
    "Σ": sum_or_covariance,
}

WORD_FORMS: dict[str, Callable[[Expressions], Node]] = {"sum": sum_over, "prod": sum_over, "grad": gradient}
"""Forms that may be written as a word, where an index follows."""
