"""Shapes that may be open, which shapes fit, and what a function makes of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from regard.claims.syntax.tree import Span


@dataclass(eq=False)
class UnknownSize:
    """A size that the text does not say, such as that of I, until it meets one that does; if `plural`, not 1."""

    is_: int | str | UnknownSize | None = None
    plural: bool = False


Dim: TypeAlias = int | str | UnknownSize


Shape: TypeAlias = tuple[Dim, Dim]
"""A shape in which sizes may still be unknown."""


def known_size(size: Dim) -> Dim:
    """What a size has turned out to be."""
    while isinstance(size, UnknownSize) and size.is_ is not None:
        size = size.is_
    return size


ENTRYWISE = frozenset(
    {
        "logit",
        "exp",
        "sqrt",
        "tanh",
        "cosh",
        "sinh",
        "sin",
        "cos",
        "relu",
        "sigmoid",
        "sigmoid_derivative",
        "normal_cdf",
    }
) | {
    "normal_cdf",
    "softplus",
    "gelu",
}


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
    "norm_1": FunctionRule(_vector_rule(lambda shape: SCALAR), "a vector"),
    "norm_2": FunctionRule(_vector_rule(lambda shape: SCALAR), "a vector; of a matrix write ‖A‖_F"),
    "norm_inf": FunctionRule(_vector_rule(lambda shape: SCALAR), "a vector"),
    "rank": FunctionRule(lambda shapes: SCALAR, "a matrix"),
    "projector": FunctionRule(lambda shapes: (shapes[0][0], shapes[0][0]), "a matrix"),
    "argmax": FunctionRule(_vector_rule(lambda shape: SCALAR), "a vector"),
    "argmin": FunctionRule(_vector_rule(lambda shape: SCALAR), "a vector"),
    "delta": FunctionRule(lambda shapes: SCALAR if all(map(is_number, shapes)) else None, "two indices", 2),
    "transpose": FunctionRule(lambda shapes: (shapes[0][1], shapes[0][0]), "one argument"),
    "inverse": FunctionRule(_square_rule(lambda shape: shape), "a square matrix"),
    "trace": FunctionRule(_square_rule(lambda shape: SCALAR), "a square matrix"),
    "eigmin": FunctionRule(_square_rule(lambda shape: SCALAR), "a symmetric matrix"),
    "eigmax": FunctionRule(_square_rule(lambda shape: SCALAR), "a symmetric matrix"),
    **dict.fromkeys(
        ("eigreal", "eigimag", "eigmoduli"), FunctionRule(_square_rule(lambda shape: (shape[0], 1)), "a square matrix")
    ),
    "eigprod": FunctionRule(_square_rule(lambda shape: SCALAR), "a square matrix"),
    "singularvalues": FunctionRule(lambda shapes: (shapes[0][1], 1), "a matrix"),
    "det": FunctionRule(_square_rule(lambda shape: SCALAR), "a square matrix"),
    "diag": FunctionRule(_diag, "a vector or a square matrix"),
    "softmax": FunctionRule(_vector_rule(lambda shape: shape), "a vector"),
    "logsumexp": FunctionRule(_vector_rule(lambda shape: SCALAR), "a vector"),
    "mean": FunctionRule(_vector_rule(lambda shape: SCALAR), "a vector"),
    "sum": FunctionRule(lambda shapes: SCALAR, "a vector or matrix"),
    "max": FunctionRule(_extreme, "numbers or a vector", None),
    "lead": FunctionRule(_vector_rule(lambda shape: SCALAR), "a vector"),
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
    if isinstance(second, UnknownSize) and not isinstance(first, UnknownSize):
        first, second = second, first
    if not isinstance(first, UnknownSize) or (first.plural and second == 1):
        return False
    if isinstance(second, UnknownSize):
        second.plural |= first.plural
    first.is_ = second
    return True


def unify_shapes(first: Shape, second: Shape) -> bool:
    """Whether two shapes are, or can be made, the same."""
    if is_number(first) != is_number(second):
        return False
    return unify(first[0], second[0]) and unify(first[1], second[1])


def is_number(shape: Shape) -> bool:
    """Whether a shape is that of a number."""
    return known_size(shape[0]) == 1 and known_size(shape[1]) == 1


def is_row(shape: Shape) -> bool:
    """Whether this is a row of more than one entry."""
    return known_size(shape[0]) == 1 and known_size(shape[1]) != 1


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
