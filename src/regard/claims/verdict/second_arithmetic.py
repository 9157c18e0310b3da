"""Matrices as lists of rows of mpmath numbers, and the functions of claims on them, for the second evaluation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import mpmath
from mpmath import mp

Matrix: TypeAlias = list[list[Any]]


class OutOfReach(Exception):
    """What the second evaluation does not know."""


def pair_entries(left: Matrix, right: Matrix) -> list[list[tuple[Any, Any]]]:
    """Entries of both, place by place; one row or column is repeated."""
    rows, columns = max(len(left), len(right)), max(len(left[0]), len(right[0]))
    return [[(_at(left, i, j), _at(right, i, j)) for j in range(columns)] for i in range(rows)]


def _at(matrix: Matrix, i: int, j: int) -> Any:
    """An entry; of one row or one column the same for all."""
    return matrix[i if len(matrix) > 1 else 0][j if len(matrix[0]) > 1 else 0]


def is_number(matrix: Matrix) -> bool:
    """Whether it has one entry."""
    return len(matrix) == 1 and len(matrix[0]) == 1


def each(operation: Callable[[Any, Any], Any], left: Matrix, right: Matrix) -> Matrix:
    """An operation entry by entry."""
    return [[operation(a, b) for a, b in row] for row in pair_entries(left, right)]


def transpose(matrix: Matrix) -> Matrix:
    """Rows and columns exchanged."""
    return [list(column) for column in zip(*matrix, strict=True)]


def multiply(left: Matrix, right: Matrix) -> Matrix:
    """The matrix product."""
    columns = transpose(right)
    return [[mp.fsum(a * b for a, b in zip(row, column, strict=True)) for column in columns] for row in left]


def identity_matrix(size: int) -> Matrix:
    """Ones on the diagonal."""
    return [[mp.mpf(int(i == j)) for j in range(size)] for i in range(size)]


def entry_of(matrix: Matrix, places: list[int]) -> Matrix:
    """One entry; all of it where no place is given."""
    if not places:
        return matrix
    row, column = places if len(places) == 2 else (places[0], 0) if len(matrix[0]) == 1 else (0, places[0])
    if row < 0 or column < 0 or row >= len(matrix) or column >= len(matrix[0]):
        raise OutOfReach("no such entry")
    return [[matrix[row][column]]]


def reflection(w: list[Any]) -> Matrix:
    """I − 2 w wᵀ / wᵀ w."""
    square = mp.fsum(x * x for x in w)
    return [[mp.mpf(int(i == j)) - 2 * a * b / square for j, b in enumerate(w)] for i, a in enumerate(w)]


def _inverse(matrix: Matrix) -> Matrix:
    found = mp.inverse(mpmath.matrix(matrix))
    return [[found[i, j] for j in range(found.cols)] for i in range(found.rows)]


def power_of(base: Matrix, exponent: Matrix) -> Matrix:
    """A power of a number, or a whole one of a matrix."""
    power = exponent[0][0]
    if is_number(base):
        found = mp.power(base[0][0], power)
        if isinstance(found, mpmath.mpc):
            raise OutOfReach("a root of a negative number")
        return [[found]]
    if power != int(power):
        raise OutOfReach("a root of a matrix")
    base = _inverse(base) if power < 0 else base
    found = identity_matrix(len(base))
    for _ in range(abs(int(power))):
        found = multiply(found, base)
    return found


def _flat(matrix: Matrix) -> list[Any]:
    return [x for row in matrix for x in row]


def _softmax(matrix: Matrix) -> Matrix:
    if len(matrix[0]) > 1:
        return [_flat(_softmax([[x] for x in row])) for row in matrix]
    top = max(_flat(matrix))
    powers = [mp.exp(row[0] - top) for row in matrix]
    total = mp.fsum(powers)
    return [[x / total] for x in powers]


def _log_sum_exp(matrix: Matrix) -> Matrix:
    if len(matrix[0]) > 1 and len(matrix) > 1:
        raise OutOfReach("logsumexp of a matrix")
    top = max(_flat(matrix))
    return [[top + mp.log(mp.fsum(mp.exp(x - top) for x in _flat(matrix)))]]


def _log(x: Any) -> Any:
    if x <= 0:
        raise OutOfReach("a logarithm of what is not positive")
    return mp.log(x)


def _surprise(truth: Matrix, model: Matrix) -> Any:
    pairs = zip(_flat(truth), _flat(model), strict=True)
    return -mp.fsum(p * _log(q) for p, q in pairs if p != 0)


def _diagonal(matrix: Matrix) -> Matrix:
    if len(matrix) == 1 or len(matrix[0]) == 1:
        entries = _flat(matrix)
        return [[x if i == j else mp.mpf(0) for j in range(len(entries))] for i, x in enumerate(entries)]
    return [[matrix[i][i]] for i in range(len(matrix))]


def _norm(matrix: Matrix) -> Matrix:
    return [[mp.sqrt(mp.fsum(x * x for x in _flat(matrix)))]]


def _normalise(matrix: Matrix) -> Matrix:
    total = mp.fsum(_flat(matrix))
    return [[x / total for x in row] for row in matrix]


def _symmetrise(matrix: Matrix) -> Matrix:
    return [[(matrix[i][j] + matrix[j][i]) / 2 for j in range(len(matrix))] for i in range(len(matrix))]


def _definite(matrix: Matrix) -> Matrix:
    square = multiply(matrix, transpose(matrix))
    return [[x + mp.mpf(int(i == j)) / 8 for j, x in enumerate(row)] for i, row in enumerate(square)]


def _projector(matrix: Matrix) -> Matrix:
    """U Uᵀ of the columns made orthonormal one after the other; what rounding leaves of a column counts as none."""
    units: list[list[Any]] = []
    for column in transpose(matrix):
        rest, length = column, mp.sqrt(mp.fsum(x * x for x in column))
        for unit in units * 2:  # a second time for what rounding left of the first
            along = mp.fsum(a * b for a, b in zip(unit, rest, strict=True))
            rest = [a - along * b for a, b in zip(rest, unit, strict=True)]
        left = mp.sqrt(mp.fsum(x * x for x in rest))
        if left > length * mp.mpf(10) ** (-mp.dps // 2):
            units.append([x / left for x in rest])
    return [[mp.fsum(unit[i] * unit[j] for unit in units) for j in range(len(matrix))] for i in range(len(matrix))]


LAW_VALUES: dict[str, Callable[[Matrix], Matrix]] = {
    "distribution": _normalise,
    "symmetric": _symmetrise,
    "definite": _definite,
    "semidefinite": lambda x: multiply(x, transpose(x)),
    "projection": _projector,
}

ENTRYWISE: dict[str, Callable[[Any], Any]] = {
    "negative": lambda x: -x,
    "exp": mp.exp,
    "sqrt": lambda x: mp.sqrt(x) if x >= 0 else _log(x),
    "tanh": mp.tanh,
    "cosh": mp.cosh,
    "sinh": mp.sinh,
    "sin": mp.sin,
    "cos": mp.cos,
    "abs": abs,
    "relu": lambda x: x if x > 0 else mp.mpf(0),
    "sigmoid": lambda x: 1 / (1 + mp.exp(-x)),
    "sigmoid_derivative": lambda x: mp.exp(-x) / (1 + mp.exp(-x)) ** 2,
    "softplus": lambda x: mp.log1p(mp.exp(x)),
    "normal_cdf": mp.ncdf,
    "gelu": lambda x: x * mp.ncdf(x),
    "logit": lambda x: _log(x) - _log(1 - x),
}

FUNCTIONS: dict[str, Callable[..., Matrix]] = {
    "transpose": transpose,
    "inverse": _inverse,
    "log": lambda x, base=None: [[_log(a) / (1 if base is None else _log(base[0][0])) for a in row] for row in x],
    "norm": _norm,
    "norm_2": _norm,
    "norm_1": lambda x: [[mp.fsum(abs(a) for a in _flat(x))]],
    "norm_inf": lambda x: [[max(abs(a) for a in _flat(x))]],
    "delta": lambda i, j: [[mp.mpf(int(i[0][0] == j[0][0]))]],
    "vector": lambda *rows: [list(row) for one in rows for row in one],
    "column": lambda x, i: [[row[int(i[0][0]) - 1]] for row in x],
    "projector": _projector,
    "rank": lambda x: [[mp.nint(mp.fsum(_projector(x)[i][i] for i in range(len(x))))]],
    "trace": lambda x: [[mp.fsum(x[i][i] for i in range(len(x)))]],
    "det": lambda x: [[mp.det(mpmath.matrix(x))]],
    "diag": _diagonal,
    "softmax": _softmax,
    "logsumexp": _log_sum_exp,
    "mean": lambda x: [[mp.fsum(_flat(x)) / len(_flat(x))]],
    "sum": lambda x: [[mp.fsum(_flat(x))]],
    "max": lambda *x: [[max(a for one in x for a in _flat(one))]],
    "min": lambda *x: [[min(a for one in x for a in _flat(one))]],
    "lead": lambda x: [[sorted(_flat(x))[-1] - sorted(_flat(x))[-2] if len(_flat(x)) > 1 else mp.inf]],
    "dot": lambda x, y: [[mp.fsum(a * b for a, b in zip(_flat(x), _flat(y), strict=True))]],
    "H": lambda p: [[_surprise(p, p)]],
    "CE": lambda p, q: [[_surprise(p, q)]],
    "KL": lambda p, q: [[_surprise(p, q) - _surprise(p, p)]],
}
