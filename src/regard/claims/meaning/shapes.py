"""Whether shapes fit, on letters: (d, 1) is a column, and d never equals n by chance.

A size that the text leaves open, such as that of I, becomes whatever it first meets.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from regard.claims.meaning.resolved import Dim, Form, UnknownSize, known
from regard.claims.syntax.tree import Span

ENTRYWISE = frozenset({"exp", "sqrt", "tanh", "relu", "sigmoid", "sigmoid_derivative"})


@dataclass(frozen=True)
class FunctionRule:
    """What a function makes of shapes: a shape, or None where it is not defined; and what it needs, in words."""

    form: Callable[[list[Form]], Form | None]
    needs: str
    n_arguments: int | None = 1


def _vector_rule(result: Callable[[Form], Form]) -> Callable[[list[Form]], Form | None]:
    return lambda forms: result(forms[0]) if is_vector(forms[0]) else None


def _square_rule(result: Callable[[Form], Form]) -> Callable[[list[Form]], Form | None]:
    return lambda forms: result(forms[0]) if unify(forms[0][0], forms[0][1]) else None


def _diag(forms: list[Form]) -> Form | None:
    rows, columns = forms[0]
    if known(columns) == 1:
        return rows, rows
    if known(rows) == 1:
        return columns, columns
    return (rows, 1) if unify(rows, columns) else None


def _extreme(forms: list[Form]) -> Form | None:
    if len(forms) == 1:
        return NUMBER
    return NUMBER if all(is_number(form) for form in forms) else None


def _pair(forms: list[Form]) -> Form | None:
    return NUMBER if fits(forms[0], forms[1]) and is_vector(forms[0]) else None


def _inner(forms: list[Form]) -> Form | None:
    return NUMBER if fits(forms[0], forms[1]) else None


FUNCTION_RULES = {
    **{name: FunctionRule(lambda forms: forms[0], "one argument") for name in ENTRYWISE | {"negative"}},
    "log": FunctionRule(lambda forms: forms[0] if all(map(is_number, forms[1:])) else None, "a number as base", None),
    "abs": FunctionRule(lambda forms: NUMBER, "a number or vector"),
    "norm": FunctionRule(lambda forms: NUMBER, "a vector or matrix"),
    "transpose": FunctionRule(lambda forms: (forms[0][1], forms[0][0]), "one argument"),
    "inverse": FunctionRule(_square_rule(lambda form: form), "a square matrix"),
    "trace": FunctionRule(_square_rule(lambda form: NUMBER), "a square matrix"),
    "det": FunctionRule(_square_rule(lambda form: NUMBER), "a square matrix"),
    "diag": FunctionRule(_diag, "a vector or a square matrix"),
    "softmax": FunctionRule(_vector_rule(lambda form: form), "a vector"),
    "logsumexp": FunctionRule(_vector_rule(lambda form: NUMBER), "a vector"),
    "mean": FunctionRule(_vector_rule(lambda form: NUMBER), "a vector"),
    "sum": FunctionRule(lambda forms: NUMBER, "a vector or matrix"),
    "max": FunctionRule(_extreme, "numbers or a vector", None),
    "min": FunctionRule(_extreme, "numbers or a vector", None),
    "dot": FunctionRule(_inner, "two vectors of one shape", 2),
    "H": FunctionRule(_vector_rule(lambda form: NUMBER), "a distribution"),
    "CE": FunctionRule(_pair, "two distributions of one shape", 2),
    "KL": FunctionRule(_pair, "two distributions of one shape", 2),
}


NUMBER: Form = (1, 1)


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
    first, second = known(first), known(second)
    if first is second or (not isinstance(first, UnknownSize) and first == second):
        return True
    if isinstance(first, UnknownSize):
        first.is_ = second
        return True
    if isinstance(second, UnknownSize):
        second.is_ = first
        return True
    return False


def fits(first: Form, second: Form) -> bool:
    """Whether two shapes are, or can be made, the same."""
    if is_number(first) != is_number(second):
        return False
    return unify(first[0], second[0]) and unify(first[1], second[1])


def is_number(form: Form) -> bool:
    """Whether a shape is that of a number."""
    return known(form[0]) == 1 and known(form[1]) == 1


def is_column(form: Form) -> bool:
    """Whether a shape is that of a column vector."""
    return known(form[1]) == 1 and known(form[0]) != 1


def is_vector(form: Form) -> bool:
    """Whether a shape is that of a column, a row or a number."""
    return 1 in (known(form[0]), known(form[1]))


def length_of(form: Form) -> Dim:
    """How many entries a vector has."""
    return form[0] if known(form[1]) == 1 else form[1]


def dim_text(size: Dim) -> str:
    """A size in words."""
    size = known(size)
    return "?" if isinstance(size, UnknownSize) else str(size)


def form_text(form: Form) -> str:
    """A shape as it is printed: (d, 1)."""
    return f"({dim_text(form[0])}, {dim_text(form[1])})"


def describe(form: Form) -> str:
    """What has this shape, in words: a column (d, 1)."""
    rows, columns = known(form[0]), known(form[1])
    word = "a number" if is_number(form) else "a column" if columns == 1 else "a row" if rows == 1 else "a matrix"
    return word if is_number(form) else f"{word} {form_text(form)}"
