"""A claim as a tree: what the parser makes of written text, and all that later stages ever see of it.

Every node knows the place in the text that it came from, so that whatever is said about it can be shown there. Nothing
in here can be called or looked up by name in Python: a tree is plain data.

    "c \\approx \\frac12(v_a + v_b)"
    Relation("≈", Symbol("c"), Binary("*", Binary("/", 1, 2), Binary("+", Symbol("v", ("a",)), Symbol("v", ("b",)))))
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, TypeAlias


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

    `first` and `last` are the bounds where they were written, \\sum_{i=1}^n; None stands for "all". "*" is Π.
    """

    index: str
    excluded: tuple[str, ...]
    body: Node
    first: Node | None = None
    last: Node | None = None
    operator: Literal["+", "*"] = "+"
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
Comparison: TypeAlias = Literal["=", "≈", "→", "<", "≤", ">", "≥", "≪", "≫", "≠", "~"]


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

    `notes` are what the reader should know of how the text was read: a Cyrillic а taken for a, say.
    """

    text: str
    statements: tuple[Relation, ...]
    notes: tuple[str, ...] = ()
