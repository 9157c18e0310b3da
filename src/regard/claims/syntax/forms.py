"""Notation with a shape of its own: fractions, roots, limits, inner products, indicators, and functions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from regard.claims.syntax.cursor import CLOSERS, Scripts
from regard.claims.syntax.derivatives import derive, gradient, one_symbol, partial, partial_fraction
from regard.claims.syntax.letters import FORM_WORDS, FUNCTIONS, MAYBE_FUNCTIONS, MOMENTS
from regard.claims.syntax.sums import EXTREMES, extreme_over, sum_or_covariance, sum_over
from regard.claims.syntax.tree import Binary, Call, Node, Number, OneOf, Relation, Symbol

if TYPE_CHECKING:
    from regard.claims.syntax.expressions import Expressions


def function(p: Expressions) -> Node:
    """exp(x), \\log x, log_2 x, \\operatorname{Var}[c]; without a bracket the factors that follow are meant."""
    start = p.at
    word = p.take().value
    name = FUNCTIONS.get(word, word)
    if name in EXTREMES and p.is_sign("_"):
        return extreme_over(p, name, start)
    base: list[str] = []
    power: list[str | Node] = []
    if name == "log" and p.token.kind == "number" and p.token.value.isdecimal() and not p.token.spaced:
        base = [p.take().value]
    while p.is_sign("_", "^"):
        if p.is_sign("_"):
            base += p.subscripts()
        else:
            power += p.superscript(is_euler=False)
    n_primes = _take_primes(p)
    arguments = read_arguments(p, is_moment=name in MOMENTS)
    node = _with_primes(p, _call_with_base(p, name, arguments, base, start), n_primes, start)
    return p.with_scripts(_raise_to(p, node, power, start), start)


def _take_primes(p: Expressions) -> int:
    """How many primes are next: σ'(x) has one."""
    n_primes = 0
    while p.takes("'"):
        n_primes += 1
    return n_primes


def _with_primes(p: Expressions, call: Node, n_primes: int, start: int) -> Node:
    """f'(x) and f''(x) of a known function f: derivatives by x."""
    if not n_primes or not isinstance(call, Call):
        return call
    if n_primes == 1 and call.function == "sigmoid":
        return replace(call, function="sigmoid_derivative")
    [argument, *more] = call.arguments
    argument = argument.readings[0] if isinstance(argument, OneOf) else argument
    if more or n_primes > 2 or not isinstance(argument, Symbol):
        raise p.complaint("a first or second derivative by one letter, as in tanh'(x)", p.tokens[start])
    return derive(p, call, (argument,) * n_primes, start)


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


def read_arguments(p: Expressions, *, is_moment: bool = False) -> tuple[Node, ...]:
    """What a function is applied to: a list in brackets, or the factors that follow."""
    if p.is_sign("(", "[", "{"):
        return _argument_list(p, is_moment=is_moment)
    if not p.starts_factor():
        raise p.complaint("'(' and what the function is of")
    start = p.at
    node = p.factor()
    while p.starts_factor() and not _starts_function(p):
        node = p.binary("*", node, p.factor(), start)
    return (node,)


def _starts_function(p: Expressions) -> bool:
    return p.token.value in FUNCTIONS or p.token.value in FORMS or p.token.value in ("sum", "prod")


def _argument_list(p: Expressions, *, is_moment: bool) -> tuple[Node, ...]:
    closer = {"(": ")", "[": "]", "{": "}"}[p.take().value]
    bars, p.open_bars = p.open_bars, _lone_bar(p)
    found = [p.expression()]
    is_given = False
    while p.takes(",", "‖", "|") if p.open_bars else p.takes(","):
        is_given |= is_moment and p.tokens[p.at - 1].value == "|"
        if is_given:
            p.open_bars = []
            found.append(_condition(p))
            continue
        if p.tokens[p.at - 1].value != ",":
            p.open_bars = []
        found.append(p.expression())
    p.insist(closer)
    p.open_bars = bars
    return tuple(found)


def _condition(p: Expressions) -> Node:
    """Y of E[X | Y], or Y = y."""
    start = p.at
    sides = [p.expression()]
    if p.token.kind == "relation" and p.token.value == "=":
        p.take()
        sides.append(p.expression())
    return Call("given", tuple(sides), p.span_from(start))


def _lone_bar(p: Expressions) -> list[str]:
    """The bar of KL(p ‖ q), which parts two arguments: the only one in its bracket."""
    depth, bars = 1, []
    for token in p.tokens[p.at :]:
        if token.kind == "sign":
            depth += (token.value in ("(", "[", "{", "⟨")) - (token.value in (")", "]", "}", "⟩"))
            bars += [token.value] if token.value in ("‖", "|") else []
        if depth == 0:
            break
    return bars if len(bars) == 1 else []


def call_before_bracket(p: Expressions, name: str, start: int) -> Node | None:
    """A name that was just taken, if it stands before a bracket and can be a function; None where it is a symbol.

    E[c] is an expectation; σ(x) and J(x) may be products; CE(y, ŷ) has a comma, so it is none.
    """
    if name == "E" and p.is_sign("‖", "|", "‖(", "|(") and p.token.value not in p.open_bars[-1:]:
        return Call("E", (p.factor(),), p.span_from(start))
    if name == "E" and p.token.value in FUNCTIONS and p.token.spaced:
        return Call("E", (p.factor(),), p.span_from(start))  # E exp(tᵀx)
    if name == "E" and p.token.spaced and p.token.kind in ("letters", "name") and _has_law(p):
        return Call("E", read_arguments(p), p.span_from(start))  # E X^2, of X ~ N(0, 1)
    if name == "phi" and p.is_sign("(", "'") and _has_distribution_function(p):
        return p.with_scripts(_normal_density(p, start), start)
    if name == "P" and p.is_sign("(", "[") and _has_relation(p):
        return p.with_scripts(_probability(p, start), start)
    if name == "H" and [p.ahead(steps).value for steps in range(3)] == ["_", "2", "("]:
        p.at += 2
        bits = Call("log", (Number(Fraction(2)),), p.span_from(start))
        return p.binary("/", Call("H", read_arguments(p), p.span_from(start)), bits, start)  # H_2(p) is in bits
    n_primes = _count_primes(p) if name in PRIMED else 0
    bracket = p.ahead(n_primes)
    if bracket.kind != "sign" or bracket.value not in "([" or (bracket.value == "[" and name != "E"):
        return None
    if name not in MAYBE_FUNCTIONS and ("_" in name or not _has_comma(p)):
        return None
    p.at += n_primes
    function_name = MAYBE_FUNCTIONS.get(name, name)
    arguments = read_arguments(p, is_moment=function_name == "E")
    span = p.span_from(start)
    call = Call(function_name, arguments, span)
    if n_primes or len(arguments) > 1 or bracket.value == "[":
        return p.with_scripts(_with_primes(p, call, n_primes, start), start)
    scripts = p.scripts(is_name=False)
    product = Binary("*", Symbol(name, (), span), p.apply_scripts(arguments[0], scripts, start), span)
    return OneOf((p.apply_scripts(call, scripts, start), product), p.span_from(start))


def _has_law(p: Expressions) -> bool:
    """Whether the text says of a letter that it is random, so that E is no letter before another."""
    return any(token.kind == "relation" and token.value == "~" for token in p.tokens)


def _has_distribution_function(p: Expressions) -> bool:
    """Whether the text has Φ(x), so that φ(x) beside it is the density of N(0, 1)."""
    pairs = zip(p.tokens, p.tokens[1:], strict=False)
    return any(one.value == "Phi" and follows.value in ("(", "'") for one, follows in pairs)


def _normal_density(p: Expressions, start: int) -> Node:
    """φ(x) = e^(−x²/2) / √(2π), and its derivatives φ'(x) and φ''(x)."""
    n_primes = _take_primes(p)
    [argument] = read_arguments(p)
    span = p.span_from(start)
    two = Number(Fraction(2), span)
    half_square = Binary("/", Binary("^", argument, two, span), two, span)
    bell = Call("exp", (Call("negative", (half_square,), span),), span)
    density = Binary("/", bell, Call("sqrt", (Binary("*", two, Symbol("pi", (), span), span),), span), span)
    argument = argument.readings[0] if isinstance(argument, OneOf) else argument
    if n_primes and not isinstance(argument, Symbol):
        raise p.complaint("one letter, as in φ'(x)", p.tokens[start])
    return derive(p, density, (argument,) * n_primes, start) if isinstance(argument, Symbol) else density


PRIMED = frozenset({"sigma", "Phi"})
"""Letters of known functions that may have primes."""


def _count_primes(p: Expressions) -> int:
    n_primes = 0
    while p.ahead(n_primes).kind == "sign" and p.ahead(n_primes).value == "'":
        n_primes += 1
    return n_primes


def _has_relation(p: Expressions) -> bool:
    """Whether the bracket that is next holds a relation: P(X > 0), not P(I − P)."""
    depth = 0
    for token in p.tokens[p.at :]:
        if token.kind == "sign":
            depth += (token.value in ("(", "[", "{")) - (token.value in (")", "]", "}"))
        if token.kind == "relation" and depth == 1:
            return True
        if depth <= 0:
            return False
    return False


def _probability(p: Expressions, start: int) -> Node:
    """P(X > a), P(a < X < b): of a law without atoms, so that < and ≤ are the same."""
    closer = {"(": ")", "[": "]"}[p.take().value]
    sides, signs = [p.expression()], []
    while p.token.kind == "relation":
        if p.token.value not in ("<", "≤", ">", "≥"):
            raise p.complaint("<, ≤, > or ≥ in a probability")
        signs.append(p.take().value)
        sides.append(p.expression())
    p.insist(closer)
    span = p.span_from(start)
    pairs = [(a, b) if sign in ">≥" else (b, a) for a, b, sign in zip(sides, sides[1:], signs, strict=False)]
    events = [Call("probability", pair, span) for pair in pairs]
    if len(events) == 1:
        return events[0]
    if len(events) != 2 or len({sign in ">≥" for sign in signs}) != 1:
        raise p.complaint("at most an interval, as in P(a < X < b)", p.tokens[p.at - 1])
    whole = Binary("+", events[0], events[1], span)  # P(X > a) + P(X < b) − 1
    return Binary("-", whole, Number(Fraction(1)), span)


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


def fraction(p: Expressions) -> Node:
    """\\frac12, \\frac{a}{b}, \\frac{∂J}{∂x}."""
    start = p.at
    p.take()
    if p.is_sign("{") and p.ahead(1).value == "∂":
        return partial_fraction(p, start)
    top = p.argument()
    return p.binary("/", top, p.argument(), start)


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
    symbol = one_symbol(p, p.factor)
    if p.token.value != "→":
        raise p.complaint("'→', as in \\lim_{C \\to \\infty}")
    p.take()
    p.limits.append(Relation("→", symbol, p.expression(), p.span_from(start)))
    p.insist("}")
    at = p.at
    return Call("negative", (p.term(),), p.span_from(at)) if p.takes("-") else p.term()


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

WORD_FORMS = {word: FORMS["∇" if word == "grad" else word] for word in FORM_WORDS}
"""Forms that may be written as a word, where an index follows."""


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
