"""What functions make of shapes: the norm of a vector is a number, its diagonal matrix is square."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from regard.claims.meaning.resolved import Form, known
from regard.claims.meaning.shapes import NUMBER, fits, is_number, is_vector, unify

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
