"""A resolved tree worked out on an instance, in any arithmetic.

Values are arrays (…, row, column); a family keeps its members on an axis before those: (…, member, row, column).
`World` holds what is given and works out what follows from it when first asked. A world with one symbol set to
something else is how derivatives are taken, and one with random symbols as polynomials is how E and Var are.
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from regard.claims.meaning.shapes import Dim, UnknownSize, known_size
from regard.claims.meaning.terms import (
    Apply,
    Combine,
    Constant,
    Definition,
    Entry,
    Identity,
    Index,
    IndexedSum,
    Moment,
    NamedConstant,
    Ones,
    PartialDerivative,
    Ref,
    SizeOf,
    Stack,
    Term,
    Zeros,
    contains,
    symbols_in,
    with_dependencies,
)
from regard.claims.trial.arithmetic.functions import apply, derivatives, whole_power
from regard.claims.trial.arithmetic.numbers import (
    FLOATS,
    Arithmetic,
    CannotEvaluate,
    NotPolynomial,
    TooLong,
    Value,
    entry,
    locate_part,
    pick,
    transpose,
)

Look = Callable[[], None]


def _nobody() -> None:
    """What is called where nobody looks on."""


_WATCHER: ContextVar[Look] = ContextVar("watcher", default=_nobody)
"""A variable of the context, since a step lies some thirty calls below the claim; each thread has its own."""


@contextmanager
def watch(look: Look) -> Iterator[None]:
    """Have `look` called at every step of the trials within."""
    before = _WATCHER.set(look)
    try:
        yield
    finally:
        _WATCHER.reset(before)


STEPS_A_LOOK = 64
"""The clock of a thread takes longer to ask than a step of a trial takes."""
_STEPS = itertools.count()
MAX_SUMMANDS = 400
MAX_POWER = 64
E_DIGITS = (
    "2.71828182845904523536028747135266249775724709369995957496696762772407663035354759457138217852516642742746639193"
)
PI_DIGITS = (
    "3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706798214808651"
)


@dataclass
class World:
    """Values of symbols in one arithmetic: given ones, and those that definitions make of them.

    `families`: the symbols that have a member axis. `marked`: where indices with a name point.
    `moments` works out E, Var and Cov of an expression here; `borrow` gives what another world has worked out already;
    `weight_law` and `noise_world` are kept by `moments`, for all moments in this world. After the `deadline`, in
    seconds of processor time, nothing more is worked out.
    """

    numbers: Arithmetic
    sizes: Mapping[str, int]
    given: Mapping[str, Value]
    definitions: Mapping[str, Definition]
    families: frozenset[str]
    marked: Mapping[str, int]
    moments: Callable[[Moment, World, Mapping[str, int]], Value] | None = None
    borrow: Callable[[str], Value | None] | None = None
    worked_out: dict[str, Value] = field(default_factory=dict)
    weight_law: Any = None
    noise_world: World | None = None
    how: set[str] = field(default_factory=set)
    deadline: float = math.inf
    asks_for_dependence: bool = False
    """Whether a derivative by a letter that its function does not contain is refused instead of 0."""

    def value(self, name: str) -> Value:
        """The whole of a symbol."""
        if name in self.given:
            return self.given[name]
        if name not in self.worked_out:
            found = self.borrow(name) if self.borrow is not None else None
            self.worked_out[name] = self.work_out(self.definitions[name]) if found is None else found
        return self.worked_out[name]

    def work_out(self, definition: Definition) -> Value:
        """A symbol from its definition: whole, or member by member."""
        if definition.index is None:
            return evaluate(definition.body, self, {})
        special = {self.place(name, {}): body for name, body in definition.special}
        members = [
            evaluate(special.get(i, definition.body), self, {definition.index: i})
            for i in range(self.size(definition.over))
        ]
        if definition.symbol in self.families:
            return np.stack(np.broadcast_arrays(*members), axis=-3)
        axis = -1 if known_size(definition.shape[0]) == 1 else -2
        return np.concatenate(np.broadcast_arrays(*members), axis=axis)

    def size(self, size: Dim | None) -> int:
        """A size in numbers."""
        size = known_size(size) if size is not None else 1
        if isinstance(size, UnknownSize) and len(self.sizes) == 1:
            [only] = self.sizes.values()
            return only
        if isinstance(size, UnknownSize):
            raise CannotEvaluate("nothing says how large a matrix or vector is meant")
        return size if isinstance(size, int) else self.sizes[size]

    def place(self, index: str, bound: Mapping[str, int]) -> int:
        """Where an index points, counted from 0."""
        if index in bound:
            return bound[index]
        if index in self.marked:
            return self.marked[index]
        if index not in self.sizes and not index.isdecimal():
            raise CannotEvaluate(f"which one {index} is, nothing says")
        return (self.sizes[index] if index in self.sizes else int(index)) - 1

    def check_time(self) -> None:
        """Raises CannotEvaluate once the deadline has passed, or whatever somebody who watches raises."""
        look = _WATCHER.get()
        if look is not _nobody:
            look()
        if next(_STEPS) % STEPS_A_LOOK == 0 and time.thread_time() > self.deadline:
            raise TooLong("this takes too long to try: make it simpler")

    def with_given(self, **changes: Any) -> World:
        """A copy of this world with some fields changed; whatever follows from them is worked out anew."""
        changed = {
            "numbers": self.numbers,
            "sizes": self.sizes,
            "given": self.given,
            "definitions": self.definitions,
            "families": self.families,
            "marked": self.marked,
            "moments": self.moments,
            "borrow": self.borrow,
            "how": self.how,
            "deadline": self.deadline,
            "asks_for_dependence": self.asks_for_dependence,
            **changes,
        }
        return World(**changed)


def evaluate(node: Term, world: World, bound: Mapping[str, int]) -> Value:
    """The value of a tree, with indices bound to places."""
    world.check_time()
    return _EVALUATE[type(node)](node, world, bound)


def _constant(node: Constant, world: World, bound: Mapping[str, int]) -> Value:
    return world.numbers.number(node.value)


def _evaluate_constant(node: NamedConstant, world: World, bound: Mapping[str, int]) -> Value:
    if node.name == "infinity":
        return world.numbers.from_floats(np.array([[math.inf]]))
    return world.numbers.number(Fraction({"e": E_DIGITS, "pi": PI_DIGITS}[node.name]))


def _size_of(node: SizeOf, world: World, bound: Mapping[str, int]) -> Value:
    return world.numbers.number(world.sizes[node.size])


def _index(node: Index, world: World, bound: Mapping[str, int]) -> Value:
    return world.numbers.number(world.place(node.name, bound) + 1)


def _identity(node: Identity, world: World, bound: Mapping[str, int]) -> Value:
    return world.numbers.from_floats(np.eye(world.size(node.size)))


def _ones(node: Ones, world: World, bound: Mapping[str, int]) -> Value:
    return world.numbers.from_floats(np.ones((world.size(node.size), 1)))


def _zeros(node: Zeros, world: World, bound: Mapping[str, int]) -> Value:
    return world.numbers.from_floats(np.zeros((world.size(node.shape[0]), world.size(node.shape[1]))))


def _reference(node: Ref, world: World, bound: Mapping[str, int]) -> Value:
    value = world.value(node.symbol)
    places = [world.place(index, bound) for index in node.indices]
    if node.symbol in world.families:
        value = pick(value, -3, places.pop(0))
    return entry(value, places)


def _stack(node: Stack, world: World, bound: Mapping[str, int]) -> Value:
    value = world.value(node.symbol)
    return value[..., 0] if node.kind == "rows" else value.swapaxes(-1, -2)[..., None]


def _entry(node: Entry, world: World, bound: Mapping[str, int]) -> Value:
    return entry(evaluate(node.of, world, bound), [world.place(index, bound) for index in node.indices])


def _combine(node: Combine, world: World, bound: Mapping[str, int]) -> Value:
    if node.operator == "^":
        return _power(node, world, bound)
    is_own_log = isinstance(node.right, Apply) and node.right.function == "log" and _is_up_to_sign(node)
    if node.operator == "*" and isinstance(node.right, Apply) and is_own_log:
        return _times_log(node.left, node.right, world, bound)
    left, right = evaluate(node.left, world, bound), evaluate(node.right, world, bound)
    match node.operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "∘":
            return left * right
        case "/":
            return left / right
        case ".":
            return transpose(left) @ right
    is_scaling = left.shape[-2:] == (1, 1) or right.shape[-2:] == (1, 1)
    return left * right if is_scaling else left @ right


def _is_up_to_sign(node: Combine) -> bool:
    """Whether a product is p log p or −p log p."""
    inside = node.right.arguments[0] if isinstance(node.right, Apply) else None
    return node.left in (inside, Apply("negative", (inside,)) if inside is not None else None)


def _times_log(factor: Term, log: Apply, world: World, bound: Mapping[str, int]) -> Value:
    """p log p, which is 0 where p is."""
    left, [inside, *base] = evaluate(factor, world, bound), [evaluate(one, world, bound) for one in log.arguments]
    is_plain = world.numbers.name != "polynomial" and not np.iscomplexobj(left) and not np.iscomplexobj(inside)
    if is_plain and left.shape == inside.shape:
        inside = np.where((left == 0) & (inside == 0), world.numbers.number(1), inside)
    right = world.numbers.apply("log", inside)
    right = right / world.numbers.apply("log", base[0]) if base else right
    is_scaling = left.shape[-2:] == (1, 1) or right.shape[-2:] == (1, 1)
    return left * right if is_scaling else left @ right


def _power(node: Combine, world: World, bound: Mapping[str, int]) -> Value:
    if isinstance(node.left, Apply) and node.left.function == "norm" and node.right == Constant(_TWO):
        inside = evaluate(node.left.arguments[0], world, bound)  # |x|² has no root in it: it is a polynomial
        return (inside * inside).sum(axis=(-2, -1), keepdims=True)
    base = evaluate(node.left, world, bound)
    if isinstance(node.right, Constant) and node.right.value.denominator == 2 and base.shape[-2:] != (1, 1):
        return whole_power(world.numbers.matrix_root(base), node.right.value.numerator, world.numbers)
    if isinstance(node.right, Constant) and node.right.value.denominator == 1:
        if abs(node.right.value) > MAX_POWER:
            raise CannotEvaluate(f"a power of {node.right.value} is not tried, only up to {MAX_POWER}")
        return whole_power(base, int(node.right.value), world.numbers)
    if isinstance(node.left, NamedConstant) and node.left.name == "e":
        return world.numbers.apply("exp", evaluate(node.right, world, bound))
    return world.numbers.power(base, evaluate(node.right, world, bound))


def _indexed_sum(node: IndexedSum, world: World, bound: Mapping[str, int]) -> Value:
    first = 1 if node.first is None else _whole(evaluate(node.first, world, bound))
    last = world.size(node.size) if node.last is None else _whole(evaluate(node.last, world, bound))
    if last - first >= MAX_SUMMANDS:
        raise CannotEvaluate(f"a sum of {last - first + 1} terms; at most {MAX_SUMMANDS} are tried")
    left_out = {world.place(name, bound) for name in node.excluded}
    terms = [
        evaluate(node.body, world, {**bound, node.index: place})
        for place in range(first - 1, last)
        if place not in left_out
    ]
    if node.operator not in "+*":
        return _largest(
            node.operator, terms, [place for place in range(first - 1, last) if place not in left_out], world
        )
    total = world.numbers.number(int(node.operator == "*"))
    for term in terms:
        total = total * term if node.operator == "*" else total + term
    return total


def _largest(operator: str, terms: list[Value], places: list[int], world: World) -> Value:
    """The largest or smallest term, or the place of it."""
    if not terms:
        raise CannotEvaluate("the largest of nothing")
    joined = np.concatenate(np.broadcast_arrays(*terms), axis=-2)
    if operator in ("max", "min"):
        return apply(operator, world.numbers, joined)
    if world.numbers.name == "polynomial":
        raise NotPolynomial("the place of a largest random number")
    found = (np.argmax if operator == "argmax" else np.argmin)(joined[..., 0], axis=-1)
    return world.numbers.from_floats(np.asarray(places, dtype=float)[found][..., None, None] + 1)


def _whole(value: Value) -> int:
    number = value.flat[0]
    number = number.constant() if hasattr(number, "constant") else number
    number = float(np.asarray(number).flat[0])
    if not math.isfinite(number) or number != int(number):
        raise CannotEvaluate(f"a bound of a sum must be a whole number; got {number:g}")
    return int(number)


def _moment(node: Moment, world: World, bound: Mapping[str, int]) -> Value:
    if world.moments is None:
        raise NotPolynomial("an expectation inside of another")
    return world.moments(node, world, bound)


def _apply(node: Apply, world: World, bound: Mapping[str, int]) -> Value:
    return apply(node.function, world.numbers, *(evaluate(argument, world, bound) for argument in node.arguments))


def _derivative(node: PartialDerivative, world: World, bound: Mapping[str, int]) -> Value:
    """What `of` becomes when `by`, or the family or matrix whose other form it is, is set to something else."""
    if world.numbers.name == FLOATS.name and any(np.iscomplexobj(value) for value in world.given.values()):
        raise CannotEvaluate("a third derivative needs more digits")
    _refuse_side_by_side(node, world)
    name = node.by.symbol

    def of(changed: Value) -> Value:
        given = {**world.given, name: changed, **_other_form(name, changed, world)}
        return evaluate(node.of, world.with_given(given=given), bound)

    places = [world.place(index, bound) for index in node.by.indices]
    whole = world.value(name)
    place = locate_part(whole, places, is_family=name in world.families)
    is_second = contains(node.of, PartialDerivative)
    return derivatives(of, whole, place, numbers=world.numbers, layout=node.layout, is_second=is_second)


def _other_form(name: str, value: Value, world: World) -> dict[str, Value]:
    """K has the k_i as rows: whoever varies K varies them."""
    body = world.definitions[name].body if name in world.definitions else None
    if not isinstance(body, Stack):
        return {}
    return {body.symbol: value[..., None] if body.kind == "rows" else value[..., 0].swapaxes(-1, -2)}


def _refuse_side_by_side(node: PartialDerivative, world: World) -> None:
    """∂H_2/∂CE where both follow from p, but neither from the other: 0 would be wrong, and nothing else is said."""
    name = node.by.symbol
    if world.asks_for_dependence and name not in with_dependencies(symbols_in(node.of), world.definitions):
        raise CannotEvaluate(
            f"a derivative by {name} of what does not contain it: how it depends on {name} is not said"
        )
    if name not in world.definitions or isinstance(world.definitions[name].body, Stack):
        return
    of, by = with_dependencies(symbols_in(node.of), world.definitions), with_dependencies({name}, world.definitions)
    shared = sorted((of & by) - {name})
    if name not in of and shared:
        raise CannotEvaluate(
            f"a derivative by {name} of what does not contain it; both follow from {shared[0]}: write it out in {name}"
        )


_TWO = Fraction(2)
_EVALUATE: dict[type, Callable[..., Value]] = {
    Constant: _constant,
    NamedConstant: _evaluate_constant,
    SizeOf: _size_of,
    Index: _index,
    Identity: _identity,
    Ones: _ones,
    Zeros: _zeros,
    Ref: _reference,
    Stack: _stack,
    Entry: _entry,
    Combine: _combine,
    IndexedSum: _indexed_sum,
    Moment: _moment,
    Apply: _apply,
    PartialDerivative: _derivative,
}
