"""Terms: a claim's expressions once every symbol is known, and the shapes they have.

Shapes are pairs of letters and numbers: (d, 1) is a column, and d never equals n by chance. A size that the text leaves
open, such as that of I, becomes whatever it first meets. `FUNCTION_RULES` says which shapes a function takes and gives.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from typing import Literal, TypeAlias

from regard.claims.meaning.shapes import Dim, Shape
from regard.claims.syntax.tree import NOWHERE, Span


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
    operator: Literal["+", "*", "max", "min", "argmax", "argmin"] = "+"


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
    """E, Cov, or of a vector the variances of its entries or their sum; "normal" is a Cov of normal numbers only."""

    kind: Literal["mean", "covariance", "variances", "total", "normal"]
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
    moment: str = ""
    """Which moment of a law this is about, where a law was claimed."""


@dataclass(frozen=True)
class FreeScalar:
    """A letter that stands for any positive number, which an approximation sends to ∞ ("large") or 0 ("small").

    A claim may send it elsewhere: to −∞ ("minus") or to a number ("at 1/2").
    """

    name: str
    limit: str


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


def mentions_index(node: Term, index: str) -> bool:
    """Whether an index occurs in a term; the i of Σ_i is none of its surroundings."""
    if isinstance(node, IndexedSum) and node.index == index:
        return any(bound is not None and mentions_index(bound, index) for bound in (node.first, node.last))
    names = (*getattr(node, "indices", ()), *getattr(node, "excluded", ()), getattr(node, "name", None))
    return index in names or any(mentions_index(child, index) for child in subterms(node))


def contains(node: Term, kind: type) -> bool:
    """Whether a node of this kind is in the tree."""
    return isinstance(node, kind) or any(contains(child, kind) for child in subterms(node))


def applies(node: Term, function: str) -> bool:
    """Whether a function is applied somewhere in the tree."""
    is_here = isinstance(node, Apply) and node.function == function
    return is_here or any(applies(child, function) for child in subterms(node))


def symbols_outside_moments(node: Term) -> set[str]:
    """Symbols outside of any moment."""
    if isinstance(node, Moment):
        return set()
    found = {node.symbol} if isinstance(node, Ref | Stack) else set()
    return found.union(*(symbols_outside_moments(child) for child in subterms(node)))


def indices_in(node: Term) -> set[str]:
    """The indices that a term speaks of, bound ones among them."""
    found = {*getattr(node, "indices", ()), *getattr(node, "excluded", ()), getattr(node, "name", "")}
    return found.union(*(indices_in(child) for child in subterms(node)))


def with_renamed_index(term: Term, old: str, new: str) -> Term:
    """The term with an index replaced."""
    changes: dict[str, object] = {}
    for one in fields(term):
        value = getattr(term, one.name)
        if one.name in ("indices", "excluded"):
            changes[one.name] = tuple(new if word == old else word for word in value)
        elif one.name == "name" and value == old:
            changes[one.name] = new
        elif isinstance(value, tuple) and one.name == "arguments":
            changes[one.name] = tuple(with_renamed_index(child, old, new) for child in value)
        elif one.name in ("left", "right", "body", "of", "by", "first", "last") and value is not None:
            changes[one.name] = with_renamed_index(value, old, new)
    return replace(term, **changes)  # type: ignore[arg-type]
