"""A second evaluation of statements on single instances, by mpmath with fifty digits.

It shares nothing with `tree_evaluation` but the tree itself: other numbers, other matrices (lists of rows), other code
for every function and law. A counterexample that it does not confirm is not told. Moments are out of its reach.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import mpmath
from mpmath import mp

from regard.claims.meaning.shapes import Dim, known_size
from regard.claims.meaning.statements import Premise, Task
from regard.claims.meaning.terms import (
    Apply,
    Combine,
    Constant,
    Entry,
    Identity,
    Index,
    IndexedSum,
    NamedConstant,
    Ones,
    PartialDerivative,
    Ref,
    SizeOf,
    Stack,
    Statement,
    Term,
    Zeros,
)
from regard.claims.trial.instances.draws import DrawBatch

DIGITS = 60
STEP = "1e-20"
EQUAL, ONE_PERCENT = "1e-18", "0.01"
MAX_ENTRIES = 400

Matrix: TypeAlias = list[list[Any]]
Places: TypeAlias = Mapping[str, int]


class OutOfReach(Exception):
    """What this evaluation does not know."""


def confirms(task: Task, statement: Statement, draw: DrawBatch, places: list[dict[str, int]]) -> bool | None:
    """Whether the one instance of `draw` makes the statement false for one of the places; None where it cannot tell."""
    with mp.workdps(DIGITS):
        try:
            values = Instance(task, draw)
            return any(_is_false(values, statement, place) for place in places)
        except (OutOfReach, ZeroDivisionError, ValueError, OverflowError, RecursionError):
            return None


def _is_false(values: Instance, statement: Statement, place: dict[str, int]) -> bool:
    if not all(_is_met(values, one, place) for one in values.task.premises):
        return False
    return violates(statement.comparison, values.read(statement.left, place), values.read(statement.right, place))


def _is_met(values: Instance, premise: Premise, place: dict[str, int]) -> bool:
    """Whether a premise holds at every place of its own indices."""
    bindings = [dict(place)]
    for name, size in premise.indices.items():
        bindings = [{**one, name: at} for one in bindings for at in range(values.size(size))]
    one = premise.statement
    return not any(
        values.fits(binding) and violates(one.comparison, values.read(one.left, binding), values.read(one.right, binding))
        for binding in bindings
    )


def violates(comparison: str, left: Matrix, right: Matrix) -> bool:
    """Whether two sides speak against a comparison by more than rounding."""
    pairs = [(a, b) for row in _pairs(left, right) for a, b in row]
    scale = max([abs(x) for pair in pairs for x in pair] or [mp.mpf(0)])
    if not all(mp.isfinite(x) for pair in pairs for x in pair):
        raise OutOfReach("a side is not finite")
    largest = max(abs(a - b) for a, b in pairs)
    tiny = mp.mpf(EQUAL) * max(scale, mp.mpf("1e-12"))
    if comparison in ("≈", "→"):
        is_zero = all(a == 0 for a, _ in pairs) or all(b == 0 for _, b in pairs)
        return bool(largest / (1 if is_zero or not scale else scale) > mp.mpf(ONE_PERCENT) / 2)
    if comparison == "=":
        return bool(largest > tiny)
    if comparison == "≠":
        return bool(largest <= tiny)
    over = max(a - b if comparison in "<≤" else b - a for a, b in pairs)
    return bool(over > tiny) if comparison in "≤≥" else bool(over >= -tiny * mp.mpf("1e-20"))


def _pairs(left: Matrix, right: Matrix) -> list[list[tuple[Any, Any]]]:
    rows, columns = max(len(left), len(right)), max(len(left[0]), len(right[0]))
    return [[(_at(left, i, j), _at(right, i, j)) for j in range(columns)] for i in range(rows)]


def _at(matrix: Matrix, i: int, j: int) -> Any:
    """An entry; of one row or one column the same for all."""
    return matrix[i if len(matrix) > 1 else 0][j if len(matrix[0]) > 1 else 0]


@dataclass
class Instance:
    """The symbols of one instance: drawn ones, and those that definitions make of them."""

    task: Task
    draw: DrawBatch
    known: dict[str, Any] = field(default_factory=dict)
    changed: dict[str, Any] = field(default_factory=dict)

    # Sizes and places

    def size(self, size: Dim | None) -> int:
        known = known_size(size) if size is not None else 1
        if isinstance(known, int):
            return known
        if isinstance(known, str):
            return self.draw.sizes[known]
        if len(self.draw.sizes) == 1:
            return next(iter(self.draw.sizes.values()))
        raise OutOfReach("a size that is not known")

    def place(self, index: str, places: Places) -> int:
        for known in (places, self.draw.marked):
            if index in known:
                return known[index]
        return (self.draw.sizes[index] if index in self.draw.sizes else int(index)) - 1

    def fits(self, places: Places) -> bool:
        known = {**self.draw.marked, **places}
        return not any(a in known and b in known and known[a] == known[b] for a, b in self.task.distinct)

    # Symbols

    def symbol(self, name: str, places: Places) -> Any:
        """A matrix, or for a family a list of them."""
        if name in self.changed:
            return self.changed[name]
        key = f"{name}{sorted(places.items())}" if name in self.task.trees else name
        if key not in self.known:
            self.known[key] = self.define(name, places) if name in self.task.definitions else self.drawn(name)
        return self.known[key]

    def define(self, name: str, places: Places) -> Any:
        definition = self.task.definitions[name]
        if isinstance(definition.body, Stack) and definition.body.kind == "columns":
            return [[[x] for x in column] for column in _transpose(self.symbol(definition.body.symbol, places))]
        if definition.index is None:
            return self.read(definition.body, places)
        special = {self.place(one, places): body for one, body in definition.special}
        members = [
            self.read(special.get(at, definition.body), {**places, definition.index: at})
            for at in range(self.size(definition.over))
        ]
        if name in self.task.families:
            return members
        is_row = known_size(definition.shape[0]) == 1
        return [[x for one in members for x in one[0]]] if is_row else [row for one in members for row in one]

    def drawn(self, name: str) -> Any:
        spec = next((one for one in self.task.setting.symbols if one.name == name), None)
        if spec is not None and spec.law == "orthonormal":
            return self.orthonormal(name)
        raw = self.raw(name)
        make = _MADE.get(spec.law or "" if spec is not None else "", lambda matrix: matrix)
        is_family = spec is not None and spec.over is not None
        return [make(one) for one in raw] if is_family else make(raw)

    def raw(self, name: str) -> Any:
        """The numbers that were drawn, with all their digits."""
        array = self.draw.fine[name][0] if name in self.draw.fine else self.draw.raw[name][0]
        if array.size > MAX_ENTRIES:
            raise OutOfReach("an instance too large to be looked at twice")
        return _to_numbers(array.tolist())

    def orthonormal(self, name: str) -> Any:
        """The columns of a product of two reflections that belong to a symbol."""
        specs = [one for one in self.task.setting.symbols if one.law == "orthonormal"]
        spec = next(one for one in specs if one.name == name)
        key, start = spec.group or spec.name, 0
        for one in specs:
            if (one.group or one.name) != key or one.name in self.task.definitions:
                continue
            if one.name == name:
                break
            start += self.size(one.over if one.over is not None else one.shape[1])
        n = self.size(spec.over if spec.over is not None else spec.shape[1])
        first, second = (_reflection(w) for w in self.raw(key))
        columns = _transpose(_multiply(first, second))[start : start + n]
        return [[[x] for x in column] for column in columns] if spec.over is not None else _transpose(columns)

    # Terms

    def read(self, term: Term, places: Places) -> Matrix:
        """The value of a term."""
        match term:
            case Constant():
                return [[mp.mpf(term.value.numerator) / term.value.denominator]]
            case NamedConstant(name="e" | "pi"):
                return [[+mp.e if term.name == "e" else +mp.pi]]
            case SizeOf():
                return [[mp.mpf(self.draw.sizes[term.size])]]
            case Index():
                return [[mp.mpf(self.place(term.name, places) + 1)]]
            case Identity():
                return _eye(self.size(term.size))
            case Ones():
                return [[mp.mpf(1)] for _ in range(self.size(term.size))]
            case Zeros():
                return [[mp.mpf(0)] * self.size(term.shape[1]) for _ in range(self.size(term.shape[0]))]
            case Ref():
                return self.reference(term, places)
            case Stack():
                whole = self.symbol(term.symbol, places)
                return [[row[0] for row in member] for member in whole]  # only as rows; columns are a family
            case Entry():
                return _entry(self.read(term.of, places), [self.place(one, places) for one in term.indices])
            case Combine():
                return self.combine(term, places)
            case IndexedSum():
                return self.over(term, places)
            case Apply():
                return self.apply(term, places)
            case PartialDerivative():
                return self.derivative(term, places)
        raise OutOfReach(type(term).__name__)

    def reference(self, term: Ref, places: Places) -> Matrix:
        value, at = self.symbol(term.symbol, places), [self.place(one, places) for one in term.indices]
        if term.symbol in self.task.families:
            if not at:
                raise OutOfReach("a family without an index")
            return _entry(value[at[0]], at[1:])
        return _entry(value, at)

    def combine(self, term: Combine, places: Places) -> Matrix:
        left, right = self.read(term.left, places), self.read(term.right, places)
        match term.operator:
            case "+":
                return _each(lambda a, b: a + b, left, right)
            case "-":
                return _each(lambda a, b: a - b, left, right)
            case "∘":
                return _each(lambda a, b: a * b, left, right)
            case "/":
                return _each(lambda a, b: a / b, left, right)
            case ".":
                return _multiply(_transpose(left), right)
            case "^":
                return _power(left, right)
        is_scaling = _is_number(left) or _is_number(right)
        return _each(lambda a, b: a * b, left, right) if is_scaling else _multiply(left, right)

    def over(self, term: IndexedSum, places: Places) -> Matrix:
        first = 1 if term.first is None else int(self.read(term.first, places)[0][0])
        last = self.size(term.size) if term.last is None else int(self.read(term.last, places)[0][0])
        left_out = {self.place(one, places) for one in term.excluded}
        at = [place for place in range(first - 1, last) if place not in left_out]
        terms = [self.read(term.body, {**places, term.index: place}) for place in at]
        if term.operator in ("+", "*"):
            total: Matrix = [[mp.mpf(int(term.operator == "*"))]]
            for one in terms:
                total = _each((lambda a, b: a * b) if term.operator == "*" else (lambda a, b: a + b), total, one)
            return total
        numbers = [one[0][0] for one in terms]
        best = (max if "max" in term.operator else min)(range(len(numbers)), key=lambda k: numbers[k])
        return [[numbers[best] if term.operator in ("max", "min") else mp.mpf(at[best] + 1)]]

    def apply(self, term: Apply, places: Places) -> Matrix:
        arguments = [self.read(one, places) for one in term.arguments]
        if term.function in _ENTRYWISE:
            return [[_ENTRYWISE[term.function](x) for x in row] for row in arguments[0]]
        if term.function not in _FUNCTIONS:
            raise OutOfReach(term.function)
        found: Matrix = _FUNCTIONS[term.function](*arguments)
        return found

    def derivative(self, term: PartialDerivative, places: Places) -> Matrix:
        """By differences, entry by entry."""
        name = term.by.symbol
        is_stack = name in self.task.definitions and isinstance(self.task.definitions[name].body, Stack)
        if is_stack or term.by.indices[1:]:
            raise OutOfReach("a derivative by another form of a symbol")
        at = [self.place(one, places) for one in term.by.indices]
        whole = self.symbol(name, places)
        is_family = name in self.task.families
        part = whole[at[0]] if is_family else whole
        cells = [(i, j) for i in range(len(part)) for j in range(len(part[0]))]
        if at and not is_family:
            cells = [(at[0], 0) if len(part[0]) == 1 else (0, at[0])]
        found = [self.slope(term.of, name, whole, (at[0] if is_family else None, *cell), places) for cell in cells]
        if term.layout == "of":
            return found[0]
        if term.layout == "by":
            columns = len(part[0]) if len(cells) > 1 else 1
            flat = [one[0][0] for one in found]
            return [flat[i : i + columns] for i in range(0, len(flat), columns)]
        return _transpose([[x for row in one for x in row] for one in found])

    def slope(self, of: Term, name: str, whole: Any, cell: tuple[int | None, int, int], places: Places) -> Matrix:
        """The derivative by one entry: of a matrix, or of one of several."""
        step, sides = mp.mpf(STEP), []
        for sign in (1, -1):
            member, i, j = cell
            part = [list(row) for row in (whole if member is None else whole[member])]
            part[i][j] += sign * step
            moved = part if member is None else [part if at == member else one for at, one in enumerate(whole)]
            sides.append(Instance(self.task, self.draw, {}, {**self.changed, name: moved}).read(of, places))
        return _each(lambda a, b: (a - b) / (2 * step), sides[0], sides[1])


def _to_numbers(nested: Any) -> Any:
    if isinstance(nested, list):
        return [_to_numbers(one) for one in nested]
    return mp.mpf(nested if isinstance(nested, float) else str(nested))


def _is_number(matrix: Matrix) -> bool:
    return len(matrix) == 1 and len(matrix[0]) == 1


def _each(operation: Callable[[Any, Any], Any], left: Matrix, right: Matrix) -> Matrix:
    return [[operation(a, b) for a, b in row] for row in _pairs(left, right)]


def _transpose(matrix: Matrix) -> Matrix:
    return [list(column) for column in zip(*matrix, strict=True)]


def _multiply(left: Matrix, right: Matrix) -> Matrix:
    columns = _transpose(right)
    return [[mp.fsum(a * b for a, b in zip(row, column, strict=True)) for column in columns] for row in left]


def _eye(size: int) -> Matrix:
    return [[mp.mpf(int(i == j)) for j in range(size)] for i in range(size)]


def _entry(matrix: Matrix, places: list[int]) -> Matrix:
    if not places:
        return matrix
    row, column = places if len(places) == 2 else (places[0], 0) if len(matrix[0]) == 1 else (0, places[0])
    if row < 0 or column < 0 or row >= len(matrix) or column >= len(matrix[0]):
        raise OutOfReach("no such entry")
    return [[matrix[row][column]]]


def _reflection(w: list[Any]) -> Matrix:
    square = mp.fsum(x * x for x in w)
    return [[mp.mpf(int(i == j)) - 2 * a * b / square for j, b in enumerate(w)] for i, a in enumerate(w)]


def _inverse(matrix: Matrix) -> Matrix:
    found = mp.inverse(mpmath.matrix(matrix))
    return [[found[i, j] for j in range(found.cols)] for i in range(found.rows)]


def _power(base: Matrix, exponent: Matrix) -> Matrix:
    power = exponent[0][0]
    if _is_number(base):
        found = mp.power(base[0][0], power)
        if isinstance(found, mpmath.mpc):
            raise OutOfReach("a root of a negative number")
        return [[found]]
    if power != int(power):
        raise OutOfReach("a root of a matrix")
    base = _inverse(base) if power < 0 else base
    found = _eye(len(base))
    for _ in range(abs(int(power))):
        found = _multiply(found, base)
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
    square = _multiply(matrix, _transpose(matrix))
    return [[x + mp.mpf(int(i == j)) / 8 for j, x in enumerate(row)] for i, row in enumerate(square)]


_MADE: dict[str, Callable[[Matrix], Matrix]] = {
    "distribution": _normalise,
    "symmetric": _symmetrise,
    "definite": _definite,
}

_ENTRYWISE: dict[str, Callable[[Any], Any]] = {
    "negative": lambda x: -x,
    "exp": mp.exp,
    "sqrt": lambda x: mp.sqrt(x) if x >= 0 else _log(x),
    "tanh": mp.tanh,
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

_FUNCTIONS: dict[str, Callable[..., Matrix]] = {
    "transpose": _transpose,
    "inverse": _inverse,
    "log": lambda x, base=None: [[_log(a) / (1 if base is None else _log(base[0][0])) for a in row] for row in x],
    "norm": _norm,
    "norm_2": _norm,
    "norm_1": lambda x: [[mp.fsum(abs(a) for a in _flat(x))]],
    "norm_inf": lambda x: [[max(abs(a) for a in _flat(x))]],
    "delta": lambda i, j: [[mp.mpf(int(i[0][0] == j[0][0]))]],
    "vector": lambda *rows: [list(row) for one in rows for row in one],
    "column": lambda x, i: [[row[int(i[0][0]) - 1]] for row in x],
    "trace": lambda x: [[mp.fsum(x[i][i] for i in range(len(x)))]],
    "det": lambda x: [[mp.det(mpmath.matrix(x))]],
    "diag": _diagonal,
    "softmax": _softmax,
    "logsumexp": _log_sum_exp,
    "mean": lambda x: [[mp.fsum(_flat(x)) / len(_flat(x))]],
    "sum": lambda x: [[mp.fsum(_flat(x))]],
    "max": lambda *x: [[max(a for one in x for a in _flat(one))]],
    "min": lambda *x: [[min(a for one in x for a in _flat(one))]],
    "dot": lambda x, y: [[mp.fsum(a * b for a, b in zip(_flat(x), _flat(y), strict=True))]],
    "H": lambda p: [[_surprise(p, p)]],
    "CE": lambda p, q: [[_surprise(p, q)]],
    "KL": lambda p, q: [[_surprise(p, q) - _surprise(p, p)]],
}
