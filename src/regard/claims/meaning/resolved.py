"""A claim's tree once its setting has been asked: every symbol known, every shape fitting, one reading only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, TypeAlias

from regard.claims.syntax.tree import NOWHERE, Span


@dataclass(eq=False)
class UnknownSize:
    """A size that the text does not say, such as that of I, until it meets one that does."""

    is_: int | str | UnknownSize | None = None


Dim: TypeAlias = int | str | UnknownSize
Form: TypeAlias = tuple[Dim, Dim]
"""A shape in which sizes may still be unknown."""


def known(size: Dim) -> Dim:
    """What a size has turned out to be."""
    while isinstance(size, UnknownSize) and size.is_ is not None:
        size = size.is_
    return size


@dataclass(frozen=True)
class Constant:
    """A written number."""

    value: Fraction


@dataclass(frozen=True)
class Named:
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

    form: Form


@dataclass(frozen=True)
class Ref:
    """A symbol, or a member and entry of it: indices are names of indices or whole numbers from 1 on."""

    symbol: str
    indices: tuple[str, ...] = ()


@dataclass(frozen=True)
class Stacked:
    """A family as a matrix with its members as rows, or a matrix as the family of its columns."""

    symbol: str
    kind: Literal["rows", "columns"]


@dataclass(frozen=True)
class Apply:
    """A function of values."""

    function: str
    arguments: tuple[Resolved, ...]


@dataclass(frozen=True)
class Combine:
    """Two values and an operator; "." is the inner product of two columns."""

    operator: Literal["+", "-", "*", "∘", "/", "^", "."]
    left: Resolved
    right: Resolved


@dataclass(frozen=True)
class Total:
    """A sum, or with "*" a product, over an index."""

    index: str
    size: Dim
    excluded: tuple[str, ...]
    body: Resolved
    first: Resolved | None = None
    last: Resolved | None = None
    operator: Literal["+", "*"] = "+"


@dataclass(frozen=True)
class Entry:
    """An entry of an expression: (A s)_i."""

    of: Resolved
    indices: tuple[str, ...]


@dataclass(frozen=True)
class Slope:
    """∂ of / ∂ by; `layout` says what shape it has: that of `by`, of `of`, or rows for `of` and columns for `by`."""

    of: Resolved
    by: Ref
    layout: Literal["by", "of", "jacobian"]


@dataclass(frozen=True)
class Moment:
    """E, Cov, or of a vector the variances of its entries or their sum."""

    kind: Literal["mean", "covariance", "variances", "total"]
    arguments: tuple[Resolved, ...]


Resolved: TypeAlias = (
    Constant
    | Named
    | SizeOf
    | Index
    | Identity
    | Ones
    | Zeros
    | Ref
    | Stacked
    | Apply
    | Combine
    | Total
    | Entry
    | Slope
    | Moment
)


def children(node: Resolved) -> tuple[Resolved, ...]:
    """What a node is made of."""
    match node:
        case Apply() | Moment():
            return node.arguments
        case Combine():
            return (node.left, node.right)
        case Total():
            return (node.body, *(bound for bound in (node.first, node.last) if bound is not None))
        case Entry():
            return (node.of,)
        case Slope():
            return (node.of, node.by)
    return ()


@dataclass(frozen=True)
class Definition:
    """What a symbol stands for: its body, with `index` a member or entry of it; `special` members have their own."""

    symbol: str
    body: Resolved
    form: Form
    index: str | None = None
    over: Dim | None = None
    special: tuple[tuple[str, Resolved], ...] = ()


@dataclass(frozen=True)
class Statement:
    """What is to be judged: two sides, which free indices run over what, and which of them must differ."""

    comparison: str
    left: Resolved
    right: Resolved
    free: tuple[tuple[str, Dim], ...] = ()
    apart: frozenset[tuple[str, str]] = frozenset()
    span: Span = field(default=NOWHERE, compare=False)
    forms: tuple[Form, Form] = field(default=((1, 1), (1, 1)), compare=False)


@dataclass(frozen=True)
class FreeScalar:
    """A letter that stands for any positive number, which an approximation sends to ∞ ("large") or 0 ("small")."""

    name: str
    limit: Literal["large", "small"]


def symbols_in(node: Resolved) -> set[str]:
    """The names of the symbols that a tree mentions."""
    found = {node.symbol} if isinstance(node, Ref | Stacked) else set()
    for child in children(node):
        found |= symbols_in(child)
    return found


def mentioned(definition: Definition) -> set[str]:
    """The symbols in a definition."""
    return symbols_in(definition.body).union(*(symbols_in(body) for _, body in definition.special))


def behind(names: set[str], definitions: Mapping[str, Definition]) -> set[str]:
    """Some symbols, and all that they follow from."""
    found: set[str] = set()
    new = set(names)
    while new:
        found |= new
        new = {name for one in new if one in definitions for name in mentioned(definitions[one])} - found
    return found


def has(node: Resolved, kind: type) -> bool:
    """Whether a node of this kind is in the tree."""
    return isinstance(node, kind) or any(has(child, kind) for child in children(node))
