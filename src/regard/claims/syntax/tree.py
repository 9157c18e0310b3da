"""A claim as a tree: what the parser makes of written text, and all that later stages see of it.

Every node knows the place in the text that it came from, so that a message about it can point there. A tree is plain
data: nothing in it can be called or looked up by name in Python.

    "c \\approx \\frac12(v_a + v_b)"
    Relation("≈", Symbol("c"), Binary("*", Binary("/", 1, 2), Binary("+", Symbol("v", ("a",)), Symbol("v", ("b",)))))

An ambiguous place holds all its readings (`OneOf`); a `ReadingPath` says which one to take at each. The second half of
the module limits how large a claim may be: no derivation is longer, and within these limits none costs more than a
moment.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Literal, NamedTuple, TypeAlias

from regard.errors import NotUnderstood


@dataclass(frozen=True)
class Span:
    """The characters text[start:end] of a claim."""

    start: int
    end: int


NOWHERE = Span(0, 0)


@dataclass(frozen=True)
class Number:
    """A number as it was written, exactly: 0.1 is a tenth."""

    value: Fraction
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True)
class Symbol:
    """A name with its subscripts: k_a is ("k", ("a",)), α is ("alpha", ()), \\hat y is ("y_hat", ()).

    Whether a subscript names one of several (k_a), picks an entry (y_i) or belongs to the name (W_1) is for the setting
    to say, not for the grammar.
    """

    name: str
    subscripts: tuple[str, ...] = ()
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True)
class Call:
    """A known function of one or more arguments: exp, transpose, inverse, norm, E, Var, Cov, softmax, …

    The names are those of letters.FUNCTIONS, and five that have a notation of their own: "negative" (−x), "entry"
    ((A s)_i, whose second argument is the index), "abs" (|x|, the norm of a vector), "log" with a second argument, its
    base, and "sigmoid_derivative" (σ′). A name that is no function but stands before a bracket with commas is called
    too: CE(y, ŷ), N(μ, Σ).
    """

    function: str
    arguments: tuple[Node, ...]
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True)
class Binary:
    """Two operands. "*" is the product of numbers, vectors and matrices; "∘" is entry by entry.

    "·" (written \\cdot, · or @) is the same as "*", but two vectors of one shape give their inner product.
    """

    operator: Literal["+", "-", "*", "·", "∘", "/", "^"]
    left: Node
    right: Node
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True)
class SumOver:
    """Σ over an index, from all keys or entries except some: \\sum_{i \\ne a,b} is ("i", ("a", "b"), body).

    `first` and `last` are the bounds where they were written, \\sum_{i=1}^n; None stands for "all". "*" is Π; the
    largest or smallest over an index, and where it is, are written the same way.
    """

    index: str
    excluded: tuple[str, ...]
    body: Node
    first: Node | None = None
    last: Node | None = None
    operator: Literal["+", "*", "max", "min", "argmax", "argmin"] = "+"
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True)
class Derivative:
    """∂ of / ∂ by; a gradient has the shape of what it is taken by."""

    of: Node
    by: Symbol
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True)
class OneOf:
    """Text that can be read in several ways which types may yet tell apart: f(x + y) calls f or multiplies by it."""

    readings: tuple[Node, ...]
    span: Span = field(default=NOWHERE, compare=False)


Node: TypeAlias = Number | Symbol | Call | Binary | SumOver | Derivative | OneOf

Comparison: TypeAlias = Literal["=", "≈", "→", "<", "≤", ">", "≥", "≪", "≫", "≠", "~", "∝", "∈", "⫫", "is"]
"""What is said of two sides; "∈" gives a shape, "⫫" says that they are independent, and "is" names a property of a
symbol, as in `A is symmetric`."""


@dataclass(frozen=True)
class Relation:
    """Two sides and what is said of them; a definition looks the same until the setting says which symbols are open."""

    comparison: Comparison
    left: Node
    right: Node
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True)
class Claim:
    """Statements that stand together, `q_1 = C μ_a; q_2 = C μ_b`, and the text they came from.

    `premises` are taken as given: they are never judged. `notes` are what the reader should know of how the text was
    read: a Cyrillic а taken for a, say. `some` are symbols and indices of which only one need fit, `universal` indices
    that a premise holds for all of, `single` indices of one place that only premises have; a `negated` claim says that
    it does not hold in general. `more` are further claims of the same text with conditions of their own, such as the
    other direction of ⇔; `context` is what these say, for what it may define.
    """

    text: str
    statements: tuple[Relation, ...]
    notes: tuple[str, ...] = ()
    premises: tuple[Relation, ...] = ()
    some: tuple[Symbol, ...] = ()
    universal: tuple[str, ...] = ()
    negated: bool = False
    more: tuple[Claim, ...] = ()
    context: tuple[Relation, ...] = ()
    single: tuple[str, ...] = ()

    @property
    def relations(self) -> tuple[Relation, ...]:
        """What is claimed and what is given."""
        return (*self.statements, *self.premises)

    @property
    def span(self) -> Span:
        """The place of the first statement."""
        return self.relations[0].span if self.relations else NOWHERE


@dataclass
class ReadingPath:
    """Which reading to take at each fork; forks beyond the end take their first, and are noted."""

    taken: list[int] = field(default_factory=list)
    widths: list[int] = field(default_factory=list)
    at: int = 0

    def choose(self, n: int) -> int:
        """The reading to take at the next fork, one of n."""
        if self.at == len(self.taken):
            self.taken.append(0)
        del self.widths[self.at :]
        self.widths.append(n)
        self.at += 1
        return self.taken[self.at - 1]

    def next(self) -> ReadingPath | None:
        """The path to try after this one, depth first; None after the last."""
        taken = self.taken[: self.at]
        while taken and taken[-1] + 1 >= self.widths[len(taken) - 1]:
            taken.pop()
        if not taken:
            return None
        return ReadingPath([*taken[:-1], taken[-1] + 1], self.widths[: len(taken)])


def walk(node: Node | Relation) -> Iterator[Node]:
    """A node and all below it; readings share parts, and each is visited once."""
    seen: set[int] = set()
    stack: list[Node] = list(children(node)) if isinstance(node, Relation) else [node]
    while stack:
        top = stack.pop()
        if id(top) not in seen:
            seen.add(id(top))
            yield top
            stack.extend(children(top))


ONE_PLACE = frozenset("ab")
"""Indices that stand for one place each, as in x_a > x_m for every m: nobody counts with them."""


def symbol_names(*trees: Node | Relation) -> set[str]:
    """The names of all symbols in some trees, whatever their indices."""
    return {node.name for tree in trees for node in walk(tree) if isinstance(node, Symbol)}


def map_relations(claim: Claim, change: Callable[[Relation], Relation]) -> Claim:
    """The claim with every relation of it changed, in all of its parts."""
    return replace(
        claim,
        statements=tuple(map(change, claim.statements)),
        premises=tuple(map(change, claim.premises)),
        context=tuple(map(change, claim.context)),
        more=tuple(map_relations(one, change) for one in claim.more),
    )


def lone_symbol(node: Node | None) -> Symbol | None:
    """The symbol that a tree is, as it is read first; None for anything else."""
    node = node.readings[0] if isinstance(node, OneOf) else node
    return node if isinstance(node, Symbol) else None


def subscripts(relations: list[Relation]) -> set[str]:
    """The indices of symbols, and of what is no symbol: i of softmax(z)_i."""
    nodes = [node for relation in relations for node in walk(relation)]
    entries = [node for node in nodes if isinstance(node, Call) and node.function == "entry"]
    outside = {one.name for node in entries for one in node.arguments[1:] if isinstance(one, Symbol)}
    return outside | {word for node in nodes if isinstance(node, Symbol) for word in node.subscripts}


MAX_CHARACTERS = 4000

MAX_NESTING = 24  # brackets in brackets; each costs some ten calls of the parser

MAX_NODES = 3000  # with every reading of what is ambiguous counted out

MAX_DEPTH = 120  # of the tree: whoever walks it calls itself so often

MAX_STATEMENTS = 40

MAX_DIGITS = 40

MAX_DECIMAL_EXPONENT = 300  # beyond, float64 has no such number

MAX_POWER = 1000

MAX_TOWER = 3  # e^{-x^2} is a tower of two

MAX_NESTED_SUMS = 3  # each multiplies the work by the number of keys

MAX_TERMS = 1000  # of a sum whose bounds are numbers


def check_length(text: str) -> None:
    """Refuses a text that is too long, before anything else is done with it."""
    if len(text) > MAX_CHARACTERS:
        raise NotUnderstood(
            f"a claim may have {MAX_CHARACTERS} characters; this one has {len(text)}",
            span=(MAX_CHARACTERS, MAX_CHARACTERS),
            expected="the end of the claim",
        )


def check_size(claim: Claim) -> None:
    """Refuses a claim whose tree is too large, too deep, or a tower of powers.

    Nodes are visited children first and each object once, without recursion: readings share their parts, so that a
    short text can stand for a tree of millions.
    """
    sizes: dict[int, _Size] = {}
    for statement in claim.relations:
        for node in _children_first(statement):
            size = _size(node, [sizes[id(child)] for child in children(node)])
            sizes[id(node)] = size
            if size.nodes > MAX_NODES or size.depth > MAX_DEPTH:
                raise _too_much("too long or too ambiguous to be tried; split it or add brackets", node.span)
            if size.tower > MAX_TOWER:
                raise _too_much(f"a tower of more than {MAX_TOWER} powers", node.span)
            if size.sums > MAX_NESTED_SUMS:
                raise _too_much(f"more than {MAX_NESTED_SUMS} sums within each other", node.span)
            _check_numbers(node)


class _Size(NamedTuple):
    """How large a tree is: nodes, levels, powers on each other's exponents, sums within each other."""

    nodes: int = 0
    depth: int = 0
    tower: int = 0
    sums: int = 0


def _size(node: Node | Relation, below: list[_Size]) -> _Size:
    largest = [max(column) for column in zip(*below, strict=True)] if below else [0, 0, 0, 0]
    tower = largest[2]
    if isinstance(node, Binary) and node.operator == "^":
        tower = max(tower, 1 + below[1].tower)
    elif isinstance(node, Call) and node.function == "exp":
        tower += 1
    nodes = 1 + sum(size.nodes for size in below)
    return _Size(nodes, 1 + largest[1], tower, largest[3] + isinstance(node, SumOver))


def children(node: Node | Relation) -> tuple[Node, ...]:
    """What a node is made of, from left to right."""
    match node:
        case Binary() | Relation():
            return (node.left, node.right)
        case Call():
            return node.arguments
        case SumOver():
            return (*(bound for bound in (node.first, node.last) if bound is not None), node.body)
        case Derivative():
            return (node.of, node.by)
        case OneOf():
            return node.readings
        case Number() | Symbol():
            return ()


def _children_first(top: Relation) -> Iterator[Node | Relation]:
    seen: set[int] = set()
    stack: list[tuple[Node | Relation, bool]] = [(top, False)]
    while stack:
        node, is_open = stack.pop()
        if is_open:
            yield node
        elif id(node) not in seen:
            seen.add(id(node))
            stack.append((node, True))
            stack.extend((child, False) for child in children(node))


def _check_numbers(node: Node | Relation) -> None:
    """Refuses 9**9**9, and a sum up to a million."""
    if isinstance(node, Binary) and node.operator == "^" and (_constant_size(node.right) or 0) > MAX_POWER:
        raise _too_much(f"a power above {MAX_POWER}", node.right.span)
    if isinstance(node, SumOver):
        for bound in (node.first, node.last):
            if bound is not None and (_constant_size(bound) or 0) > MAX_TERMS:
                raise _too_much(f"a sum of more than {MAX_TERMS} terms", bound.span)


def _constant_size(node: Node) -> float | None:
    """The size of a number that is written out, as 9**9; None where a symbol is involved. Never large itself."""
    match node:
        case Number():
            return float(min(abs(node.value), Fraction(10**9)))
        case Call(function="negative", arguments=(inner,)):
            return _constant_size(inner)
        case Binary():
            left, right = _constant_size(node.left), _constant_size(node.right)
            return None if left is None or right is None else _combine(node.operator, left, right)
    return None


def _combine(operator: str, left: float, right: float) -> float:
    if operator == "^":
        return math.exp(min(right * math.log(max(left, 1e-9)), 20.0))
    if operator == "/":
        return min(left / right, 1e9) if right else 1e9
    return min(left + right if operator in "+-" else left * right, 1e9)


def _too_much(what: str, span: Span) -> NotUnderstood:
    return NotUnderstood(what, span=(span.start, span.end), expected="something smaller")
