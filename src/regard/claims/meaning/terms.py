"""Terms: a claim's expressions once every symbol is known, and the shapes they have.

Shapes are pairs of letters and numbers: (d, 1) is a column, and d never equals n by chance. A size that the text leaves
open, such as that of I, becomes whatever it first meets. `FUNCTION_RULES` says which shapes a function takes and gives.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, TypeAlias

from regard.claims.syntax.tree import NOWHERE, Span


@dataclass(eq=False)
class UnknownSize:
    """A size that the text does not say, such as that of I, until it meets one that does."""

    is_: int | str | UnknownSize | None = None


Dim: TypeAlias = int | str | UnknownSize

Shape: TypeAlias = tuple[Dim, Dim]
"""A shape in which sizes may still be unknown."""


def known_size(size: Dim) -> Dim:
    """What a size has turned out to be."""
    while isinstance(size, UnknownSize) and size.is_ is not None:
        size = size.is_
    return size


@dataclass(frozen=True)
class Constant:
    """A written number."""

    value: Fraction


@dataclass(frozen=True)
class NamedConstant:
    """e, π or ∞."""

    name: Literal["e", "pi", "infinity"]


@dataclass(frozen=True)
class SizeOf:
    """A size as a number: n."""

    size: str


@dataclass(frozen=True)
class Index:
    """An index as a number: the i of Σ i."""

    name: str


@dataclass(frozen=True)
class Identity:
    """The identity matrix."""

    size: Dim


@dataclass(frozen=True)
class Ones:
    """A column of ones."""

    size: Dim


@dataclass(frozen=True)
class Zeros:
    """A vector or matrix of zeros, where 0 was written for one."""

    shape: Shape


@dataclass(frozen=True)
class Ref:
    """A symbol, or a member and entry of it: indices are names of indices or whole numbers from 1 on."""

    symbol: str
    indices: tuple[str, ...] = ()


@dataclass(frozen=True)
class Stack:
    """A family as a matrix with its members as rows, or a matrix as the family of its columns."""

    symbol: str
    kind: Literal["rows", "columns"]


@dataclass(frozen=True)
class Apply:
    """A function of values."""

    function: str
    arguments: tuple[Term, ...]


@dataclass(frozen=True)
class Combine:
    """Two values and an operator; "." is the inner product of two columns."""

    operator: Literal["+", "-", "*", "∘", "/", "^", "."]
    left: Term
    right: Term


@dataclass(frozen=True)
class IndexedSum:
    """A sum, or with "*" a product, over an index."""

    index: str
    size: Dim
    excluded: tuple[str, ...]
    body: Term
    first: Term | None = None
    last: Term | None = None
    operator: Literal["+", "*"] = "+"


@dataclass(frozen=True)
class Entry:
    """An entry of an expression: (A s)_i."""

    of: Term
    indices: tuple[str, ...]


@dataclass(frozen=True)
class PartialDerivative:
    """∂ of / ∂ by; `layout` says what shape it has: that of `by`, of `of`, or rows for `of` and columns for `by`."""

    of: Term
    by: Ref
    layout: Literal["by", "of", "jacobian"]


@dataclass(frozen=True)
class Moment:
    """E, Cov, or of a vector the variances of its entries or their sum."""

    kind: Literal["mean", "covariance", "variances", "total"]
    arguments: tuple[Term, ...]


Term: TypeAlias = (
    Constant
    | NamedConstant
    | SizeOf
    | Index
    | Identity
    | Ones
    | Zeros
    | Ref
    | Stack
    | Apply
    | Combine
    | IndexedSum
    | Entry
    | PartialDerivative
    | Moment
)


def subterms(node: Term) -> tuple[Term, ...]:
    """What a node is made of."""
    match node:
        case Apply() | Moment():
            return node.arguments
        case Combine():
            return (node.left, node.right)
        case IndexedSum():
            return (node.body, *(bound for bound in (node.first, node.last) if bound is not None))
        case Entry():
            return (node.of,)
        case PartialDerivative():
            return (node.of, node.by)
    return ()


@dataclass(frozen=True)
class Definition:
    """What a symbol stands for: its body, with `index` a member or entry of it; `special` members have their own."""

    symbol: str
    body: Term
    shape: Shape
    index: str | None = None
    over: Dim | None = None
    special: tuple[tuple[str, Term], ...] = ()


@dataclass(frozen=True)
class Statement:
    """What is to be judged: two sides, and what is said of them."""

    comparison: str
    left: Term
    right: Term
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True)
class FreeScalar:
    """A letter that stands for any positive number, which an approximation sends to ∞ ("large") or 0 ("small")."""

    name: str
    limit: Literal["large", "small"]


def symbols_in(node: Term) -> set[str]:
    """The names of the symbols that a tree mentions."""
    found = {node.symbol} if isinstance(node, Ref | Stack) else set()
    for child in subterms(node):
        found |= symbols_in(child)
    return found


def symbols_defining(definition: Definition) -> set[str]:
    """The symbols in a definition."""
    return symbols_in(definition.body).union(*(symbols_in(body) for _, body in definition.special))


def with_dependencies(names: set[str], definitions: Mapping[str, Definition]) -> set[str]:
    """Some symbols, and all that they follow from."""
    found: set[str] = set()
    new = set(names)
    while new:
        found |= new
        new = {name for one in new if one in definitions for name in symbols_defining(definitions[one])} - found
    return found


def contains(node: Term, kind: type) -> bool:
    """Whether a node of this kind is in the tree."""
    return isinstance(node, kind) or any(contains(child, kind) for child in subterms(node))


ENTRYWISE = frozenset({"exp", "sqrt", "tanh", "relu", "sigmoid", "sigmoid_derivative"})


@dataclass(frozen=True)
class FunctionRule:
    """What a function makes of shapes: a shape, or None where it is not defined; and what it needs, in words."""

    shape: Callable[[list[Shape]], Shape | None]
    needs: str
    n_arguments: int | None = 1


def _vector_rule(result: Callable[[Shape], Shape]) -> Callable[[list[Shape]], Shape | None]:
    return lambda shapes: result(shapes[0]) if is_vector(shapes[0]) else None


def _square_rule(result: Callable[[Shape], Shape]) -> Callable[[list[Shape]], Shape | None]:
    return lambda shapes: result(shapes[0]) if unify(shapes[0][0], shapes[0][1]) else None


def _diag(shapes: list[Shape]) -> Shape | None:
    rows, columns = shapes[0]
    if known_size(columns) == 1:
        return rows, rows
    if known_size(rows) == 1:
        return columns, columns
    return (rows, 1) if unify(rows, columns) else None


def _extreme(shapes: list[Shape]) -> Shape | None:
    if len(shapes) == 1:
        return SCALAR
    return SCALAR if all(is_number(shape) for shape in shapes) else None


def _pair(shapes: list[Shape]) -> Shape | None:
    return SCALAR if unify_shapes(shapes[0], shapes[1]) and is_vector(shapes[0]) else None


def _inner(shapes: list[Shape]) -> Shape | None:
    return SCALAR if unify_shapes(shapes[0], shapes[1]) else None


FUNCTION_RULES = {
    **{name: FunctionRule(lambda shapes: shapes[0], "one argument") for name in ENTRYWISE | {"negative"}},
    "log": FunctionRule(
        lambda shapes: shapes[0] if all(map(is_number, shapes[1:])) else None, "a number as base", None
    ),
    "abs": FunctionRule(lambda shapes: SCALAR, "a number or vector"),
    "norm": FunctionRule(lambda shapes: SCALAR, "a vector or matrix"),
    "transpose": FunctionRule(lambda shapes: (shapes[0][1], shapes[0][0]), "one argument"),
    "inverse": FunctionRule(_square_rule(lambda shape: shape), "a square matrix"),
    "trace": FunctionRule(_square_rule(lambda shape: SCALAR), "a square matrix"),
    "det": FunctionRule(_square_rule(lambda shape: SCALAR), "a square matrix"),
    "diag": FunctionRule(_diag, "a vector or a square matrix"),
    "softmax": FunctionRule(_vector_rule(lambda shape: shape), "a vector"),
    "logsumexp": FunctionRule(_vector_rule(lambda shape: SCALAR), "a vector"),
    "mean": FunctionRule(_vector_rule(lambda shape: SCALAR), "a vector"),
    "sum": FunctionRule(lambda shapes: SCALAR, "a vector or matrix"),
    "max": FunctionRule(_extreme, "numbers or a vector", None),
    "min": FunctionRule(_extreme, "numbers or a vector", None),
    "dot": FunctionRule(_inner, "two vectors of one shape", 2),
    "H": FunctionRule(_vector_rule(lambda shape: SCALAR), "a distribution"),
    "CE": FunctionRule(_pair, "two distributions of one shape", 2),
    "KL": FunctionRule(_pair, "two distributions of one shape", 2),
}

SCALAR: Shape = (1, 1)


class IllFormed(Exception):
    """Shapes that do not fit: what, and where."""

    def __init__(self, message: str, span: Span) -> None:
        super().__init__(message)
        self.span = span


class UnknownName(Exception):
    """A symbol or function that the setting does not know."""

    def __init__(self, message: str, span: Span) -> None:
        super().__init__(message)
        self.span = span


def unify(first: Dim, second: Dim) -> bool:
    """Makes two sizes one, where they are not known to differ."""
    first, second = known_size(first), known_size(second)
    if first is second or (not isinstance(first, UnknownSize) and first == second):
        return True
    if isinstance(first, UnknownSize):
        first.is_ = second
        return True
    if isinstance(second, UnknownSize):
        second.is_ = first
        return True
    return False


def unify_shapes(first: Shape, second: Shape) -> bool:
    """Whether two shapes are, or can be made, the same."""
    if is_number(first) != is_number(second):
        return False
    return unify(first[0], second[0]) and unify(first[1], second[1])


def is_number(shape: Shape) -> bool:
    """Whether a shape is that of a number."""
    return known_size(shape[0]) == 1 and known_size(shape[1]) == 1


def is_column(shape: Shape) -> bool:
    """Whether a shape is that of a column vector."""
    return known_size(shape[1]) == 1 and known_size(shape[0]) != 1


def is_vector(shape: Shape) -> bool:
    """Whether a shape is that of a column, a row or a number."""
    return 1 in (known_size(shape[0]), known_size(shape[1]))


def length_of(shape: Shape) -> Dim:
    """How many entries a vector has."""
    return shape[0] if known_size(shape[1]) == 1 else shape[1]


def dim_text(size: Dim) -> str:
    """A size in words."""
    size = known_size(size)
    return "?" if isinstance(size, UnknownSize) else str(size)


def shape_text(shape: Shape) -> str:
    """A shape as it is printed: (d, 1)."""
    return f"({dim_text(shape[0])}, {dim_text(shape[1])})"


def describe(shape: Shape) -> str:
    """What has this shape, in words: a column (d, 1)."""
    rows, columns = known_size(shape[0]), known_size(shape[1])
    word = "a number" if is_number(shape) else "a column" if columns == 1 else "a row" if rows == 1 else "a matrix"
    return word if is_number(shape) else f"{word} {shape_text(shape)}"
