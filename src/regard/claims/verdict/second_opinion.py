"""A second evaluation of statements on single instances, by mpmath with sixty digits.

It shares nothing with `tree_evaluation` but the tree itself: other numbers, other matrices (lists of rows), other code
for every function and law. A counterexample that it does not confirm is not told. Moments are out of its reach.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

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
    contains,
)
from regard.claims.trial.instances.draws import DrawBatch
from regard.claims.verdict.second_arithmetic import (
    ENTRYWISE,
    FUNCTIONS,
    LAW_VALUES,
    Matrix,
    OutOfReach,
    each,
    entry_of,
    identity_matrix,
    is_number,
    multiply,
    pair_entries,
    power_of,
    reflection,
    transpose,
)

DIGITS = 60
STEP_DIGITS = 30
EQUAL, VISIBLE = "1e-32", "1e-4"
MAX_ENTRIES = 400

Places: TypeAlias = Mapping[str, int]


def confirms(task: Task, statement: Statement, draw: DrawBatch, places: list[dict[str, int]]) -> bool | None:
    """Whether the one instance of `draw` makes the statement false for one of the places; None where it cannot tell."""
    with mp.workdps(DIGITS):
        try:
            values = Instance(task, draw)
            return any(_is_false(values, statement, place) for place in places)
        except (OutOfReach, ZeroDivisionError, ValueError, OverflowError, RecursionError):
            return None


def largest_gap(task: Task, statement: Statement, draw: DrawBatch, places: list[dict[str, int]]) -> float | None:
    """How far both sides are apart on the one instance of `draw`, beside the larger one; None where it cannot tell."""
    with mp.workdps(DIGITS):
        try:
            values = Instance(task, draw)
            met = [place for place in places if all(_is_met(values, one, place) for one in task.premises)]
            gaps = [_gap(values.read(statement.left, one), values.read(statement.right, one)) for one in met]
            return float(max(gaps)) if gaps else None
        except (OutOfReach, ZeroDivisionError, ValueError, OverflowError, RecursionError):
            return None


def _gap(left: Matrix, right: Matrix) -> Any:
    pairs = [pair for row in pair_entries(left, right) for pair in row]
    scale = max(abs(x) for pair in pairs for x in pair)
    is_zero = all(a == 0 for a, _ in pairs) or all(b == 0 for _, b in pairs)
    return max(abs(a - b) for a, b in pairs) / (1 if is_zero or not scale else scale)


def _is_false(values: Instance, statement: Statement, place: dict[str, int]) -> bool:
    if not all(_is_met(values, one, place) for one in values.task.premises):
        return False
    sides = (statement.left, statement.right)
    slack = mp.mpf(10) ** (4 - 2 * STEP_DIGITS) if any(contains(side, PartialDerivative) for side in sides) else 0
    return violates(statement.comparison, *(values.read(side, place) for side in sides), slack=slack)


def _is_met(values: Instance, premise: Premise, place: dict[str, int]) -> bool:
    """Whether a premise holds at every place of its own indices."""
    bindings = [dict(place)]
    for name, size in premise.indices.items():
        bindings = [{**one, name: at} for one in bindings for at in range(values.size(size))]
    one = premise.statement
    if one.comparison == "normal":
        return True  # a law is none of a single draw
    return not any(
        values.fits(binding)
        and violates(one.comparison, values.read(one.left, binding), values.read(one.right, binding))
        for binding in bindings
    )


def violates(comparison: str, left: Matrix, right: Matrix, *, slack: Any = 0) -> bool:
    """Whether two sides speak against a comparison by more than rounding.

    `slack`: how far apart sides are that count as equal where one should be larger, as differences for slopes are.
    """
    pairs = [(a, b) for row in pair_entries(left, right) for a, b in row]
    scale = max([abs(x) for pair in pairs for x in pair] or [mp.mpf(0)])
    if not all(mp.isfinite(x) for pair in pairs for x in pair):
        raise OutOfReach("a side is not finite")
    largest = max(abs(a - b) for a, b in pairs)
    tiny = mp.mpf(EQUAL) * max(scale, mp.mpf("1e-12"))
    if comparison in ("≈", "→"):
        is_zero = all(a == 0 for a, _ in pairs) or all(b == 0 for _, b in pairs)
        return bool(largest / (1 if is_zero or not scale else scale) > mp.mpf(VISIBLE))
    if comparison == "=":
        return bool(largest > tiny)
    if comparison == "≠":
        return bool(largest <= tiny)
    over = max(a - b if comparison in "<≤" else b - a for a, b in pairs)
    return bool(over > tiny) if comparison in "≤≥" else bool(over >= -max(tiny * mp.mpf("1e-20"), slack))


@dataclass
class Instance:
    """The symbols of one instance: drawn ones, and those that definitions make of them."""

    task: Task
    draw: DrawBatch
    known: dict[str, Any] = field(default_factory=dict)
    changed: dict[str, Any] = field(default_factory=dict)

    # Sizes and places

    def size(self, size: Dim | None) -> int:
        """A size in numbers."""
        known = known_size(size) if size is not None else 1
        if isinstance(known, int):
            return known
        if isinstance(known, str):
            return self.draw.sizes[known]
        if len(self.draw.sizes) == 1:
            return next(iter(self.draw.sizes.values()))
        raise OutOfReach("a size that is not known")

    def place(self, index: str, places: Places) -> int:
        """Where an index points, counted from 0."""
        for known in (places, self.draw.marked):
            if index in known:
                return known[index]
        return (self.draw.sizes[index] if index in self.draw.sizes else int(index)) - 1

    def fits(self, places: Places) -> bool:
        """Whether indices that should differ do."""
        known = {**self.draw.marked, **places}
        return not any(a in known and b in known and known[a] == known[b] for a, b in self.task.distinct)

    # Symbols

    def symbol(self, name: str, places: Places) -> Any:
        """A matrix, or for a family a list of them."""
        if name in self.changed:
            return self.changed[name]
        key = f"{name}{sorted(places.items())}" if name in self.task.trees else name
        if key not in self.known:
            self.known[key] = self.define(name, places) if name in self.task.definitions else self.law_value(name)
        return self.known[key]

    def define(self, name: str, places: Places) -> Any:
        """A symbol from its definition."""
        definition = self.task.definitions[name]
        if isinstance(definition.body, Stack) and definition.body.kind == "columns":
            return [[[x] for x in column] for column in transpose(self.symbol(definition.body.symbol, places))]
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

    def law_value(self, name: str) -> Any:
        """A symbol as its law makes it of the numbers that were drawn."""
        spec = next((one for one in self.task.setting.symbols if one.name == name), None)
        if spec is not None and spec.law == "orthonormal":
            return self.orthonormal(name)
        raw = self.raw(name)
        make = LAW_VALUES.get(spec.law or "") if spec is not None else None
        if spec is None or make is None:
            return raw
        return [make(one) for one in raw] if spec.over is not None else make(raw)

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
        first, second = (reflection(w) for w in self.raw(key))
        columns = transpose(multiply(first, second))[start : start + n]
        return [[[x] for x in column] for column in columns] if spec.over is not None else transpose(columns)

    # Terms

    def read(self, term: Term, places: Places) -> Matrix:  # noqa: PLR0912 - one branch a kind of term
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
                return identity_matrix(self.size(term.size))
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
                return entry_of(self.read(term.of, places), [self.place(one, places) for one in term.indices])
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
        """A symbol, a member of it or an entry."""
        value, at = self.symbol(term.symbol, places), [self.place(one, places) for one in term.indices]
        if term.symbol in self.task.families:
            if not at:
                raise OutOfReach("a family without an index")
            return entry_of(value[at[0]], at[1:])
        return entry_of(value, at)

    def combine(self, term: Combine, places: Places) -> Matrix:
        """Two values and an operator."""
        left, right = self.read(term.left, places), self.read(term.right, places)
        match term.operator:
            case "+":
                return each(lambda a, b: a + b, left, right)
            case "-":
                return each(lambda a, b: a - b, left, right)
            case "∘":
                return each(lambda a, b: a * b, left, right)
            case "/":
                return each(lambda a, b: a / b, left, right)
            case ".":
                return multiply(transpose(left), right)
            case "^":
                return power_of(left, right)
        is_scaling = is_number(left) or is_number(right)
        return each(lambda a, b: a * b, left, right) if is_scaling else multiply(left, right)

    def over(self, term: IndexedSum, places: Places) -> Matrix:
        """A sum, product or largest value over an index."""
        first = 1 if term.first is None else int(self.read(term.first, places)[0][0])
        last = self.size(term.size) if term.last is None else int(self.read(term.last, places)[0][0])
        left_out = {self.place(one, places) for one in term.excluded}
        at = [place for place in range(first - 1, last) if place not in left_out]
        terms = [self.read(term.body, {**places, term.index: place}) for place in at]
        if term.operator in ("+", "*"):
            total: Matrix = [[mp.mpf(int(term.operator == "*"))]]
            for one in terms:
                total = each((lambda a, b: a * b) if term.operator == "*" else (lambda a, b: a + b), total, one)
            return total
        numbers = [one[0][0] for one in terms]
        best = (max if "max" in term.operator else min)(range(len(numbers)), key=lambda k: numbers[k])
        return [[numbers[best] if term.operator in ("max", "min") else mp.mpf(at[best] + 1)]]

    def apply(self, term: Apply, places: Places) -> Matrix:
        """A function of values."""
        arguments = [self.read(one, places) for one in term.arguments]
        if term.function in ENTRYWISE:
            return [[ENTRYWISE[term.function](x) for x in row] for row in arguments[0]]
        if term.function not in FUNCTIONS:
            raise OutOfReach(term.function)
        found: Matrix = FUNCTIONS[term.function](*arguments)
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
        return transpose([[x for row in one for x in row] for one in found])

    def slope(self, of: Term, name: str, whole: Any, cell: tuple[int | None, int, int], places: Places) -> Matrix:
        """The derivative by one entry: of a matrix, or of one of several.

        A difference loses as many digits as its step has, so that many more are taken: a derivative of a derivative
        takes them twice.
        """
        with mp.workdps(mp.dps + 2 * STEP_DIGITS):
            step, sides = mp.mpf(10) ** -STEP_DIGITS, []
            for sign in (1, -1):
                member, i, j = cell
                part = [list(row) for row in (whole if member is None else whole[member])]
                part[i][j] += sign * step
                moved = part if member is None else [part if at == member else one for at, one in enumerate(whole)]
                sides.append(Instance(self.task, self.draw, {}, {**self.changed, name: moved}).read(of, places))
            return each(lambda a, b: (a - b) / (2 * step), sides[0], sides[1])


def _to_numbers(nested: Any) -> Any:
    if isinstance(nested, list):
        return [_to_numbers(one) for one in nested]
    return mp.mpf(nested if isinstance(nested, float) else str(nested))
