"""From a written tree to a term: symbols are looked up in the setting, and shapes are checked on letters.

A symbol is one of the claim, of the setting, a constant, a size, or a letter for any number. Whether a subscript names
one of several (k_a), picks an entry (y_i) or belongs to the name (W_1) is decided here: the longest known name wins,
and what is left over are indices. An ambiguous tree is read once for each `ReadingPath`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from regard.claims.meaning.normal_laws import OF_RANDOM, read_of_random
from regard.claims.meaning.shapes import (
    FUNCTION_RULES,
    SCALAR,
    Dim,
    IllFormed,
    Shape,
    UnknownName,
    UnknownSize,
    describe,
    is_column,
    is_number,
    is_row,
    is_vector,
    known_size,
    length_of,
    unify,
    unify_shapes,
)
from regard.claims.meaning.symbols import SymbolReader
from regard.claims.meaning.terms import (
    Apply,
    Combine,
    Constant,
    Entry,
    IndexedSum,
    Ones,
    PartialDerivative,
    Ref,
    Term,
    Zeros,
)
from regard.claims.syntax.tree import Binary, Call, Derivative, Node, Number, OneOf, SumOver, Symbol

ZERO = Constant(Fraction(0))

ONE = Constant(Fraction(1))


class TreeReader(SymbolReader):
    """Reads trees in one setting."""

    def read(self, node: Node) -> tuple[Term, Shape]:
        """A tree resolved, and its shape."""
        match node:
            case Number():
                return Constant(node.value), SCALAR
            case Symbol():
                return self.symbol(node)
            case Binary():
                return self.binary(node)
            case Call():
                return self.call(node)
            case SumOver():
                return self.indexed_sum(node)
            case Derivative():
                return self.derivative(node)
            case OneOf():
                plain = self.sum_or_matrix(node) or self.of_argument(node)
                return self.read(node.readings[self.path.choose(len(node.readings))] if plain is None else plain)

    def sum_or_matrix(self, node: OneOf) -> Node | None:
        """Σ_i x, where the letters were taken from the claim alone: a sum, unless the claim has a matrix Σ.

        Of such a matrix, Σ_ij is an entry, and Σ_i x still a sum.
        """
        [first, *_] = node.readings
        if not (self.setting.broadcasts and isinstance(first, SumOver) and first.operator == "+"):
            return None
        is_known = "Sigma" in self.local or any(spec.name == "Sigma" for spec in self.setting.symbols)
        matrix = getattr(node.readings[-1], "left", None)
        n_indices = len(matrix.subscripts) if isinstance(matrix, Symbol) else 0
        return node.readings[-1] if is_known and n_indices != 1 else first

    def of_argument(self, node: OneOf) -> Node | None:
        """CE(θ) is the loss CE, which follows from θ, and no product of a number and a vector.

        Raises: UnknownName for CE(θ + c) of anything else than a symbol.
        """
        product = node.readings[-1]
        symbol = product.left if isinstance(product, Binary) and product.operator == "*" else None
        found = self.spec(symbol) if isinstance(symbol, Symbol) and isinstance(node.readings[0], Call) else None
        if found is None or not isinstance(product, Binary) or found[0].definition is None:
            return None
        function = FUNCTION_RULES.get(node.readings[0].function)  # type: ignore[union-attr]
        is_function = function is not None and function.n_arguments == 1
        if is_function or not is_number(found[0].shape) or is_number(self.read(product.right)[1]):
            return None
        if isinstance(product.right, Symbol) and self.spec(product.right) is not None:
            return symbol
        name = found[0].name
        raise UnknownName(f"{name} of another argument is not read: write out what {name} is of it", node.span)

    # Operators

    def binary(self, node: Binary) -> tuple[Term, Shape]:
        """Sum, product, quotient or power."""
        outer, self.in_softmax = self.in_softmax, self.in_softmax and node.operator in "+-"
        was_entrywise = self.by_entry
        self.by_entry = node.operator == "∘" or (node.operator == "-" and (node.left == _ONE or was_entrywise))
        left, left_shape = self.read(node.left)
        right, right_shape = self.read(node.right)
        self.in_softmax, self.by_entry = outer, was_entrywise
        if was_entrywise and node.operator == "^" and right == Constant(Fraction(2)) and is_column(left_shape):
            self.notes.append("the square of a vector is taken entry by entry")
            return Combine("∘", left, left), left_shape
        if node.operator in "*·" and node.right == Number(Fraction(1)) and known_size(left_shape[1]) != 1:
            right, right_shape = Ones(left_shape[1]), (left_shape[1], 1)  # αᵀ 1 sums the entries of α
        is_one = node.operator in "*·" and node.right == _ONE and not isinstance(node.left, Number)
        if is_one and is_number(left_shape) and (node.operator == "*" or self.path.choose(2) == 0):
            whole: Dim = UnknownSize(plural=True)
            right, right_shape = Ones(whole), (whole, 1)  # c 1 has c in every entry
        if node.operator == "*" and node.left == Number(Fraction(1)) and is_row(right_shape):
            size: Dim = UnknownSize()
            left, left_shape = Ones(size), (size, 1)  # 1 uᵀ has u in every row
        if node.operator == "^" and not is_number(left_shape):
            right = _as_half(right)
        shape = _RULES[node.operator](self, node, left_shape, right_shape, left, right)
        if node.operator == "·":
            is_inner = is_column(left_shape) and is_column(right_shape)
            return Combine("." if is_inner else "*", left, right), shape
        return Combine(node.operator, left, right), shape

    def same(self, node: Binary, left: Shape, right: Shape, a: Term, b: Term) -> Shape:
        """The shape of a sum; the number 0 may stand for a vector or matrix of zeros."""
        if a == ZERO:
            return right
        if b == ZERO:
            return left
        if node.operator in "+-" and a == ONE and not is_number(right):
            self.notes.append("1 before a vector or matrix is read as ones")
            return right
        may_shift = self.setting.broadcasts or self.in_softmax
        is_for_all = self.in_softmax or self.by_entry or _is_shift(node)
        if may_shift and is_number(left) != is_number(right) and is_for_all:
            self.notes.append("a number that is added to a vector is added to every entry")
            return right if is_number(left) else left
        if not unify_shapes(left, right):
            word = {"+": "added to", "-": "subtracted from", "∘": "multiplied entry by entry with"}[node.operator]
            first, second = (right, left) if node.operator == "-" else (left, right)
            raise IllFormed(f"{describe(first)} cannot be {word} {describe(second)}", node.span)
        return left

    def entrywise(self, node: Binary, left: Shape, right: Shape, a: Term, b: Term) -> Shape:
        """The shape of a ∘ b."""
        if is_number(left):
            return right
        return left if is_number(right) else self.same(node, left, right, a, b)

    def product(self, node: Binary, left: Shape, right: Shape, a: Term, b: Term) -> Shape:
        """The shape of a product: a number scales, else columns must meet rows; k·q with a dot is an inner product."""
        if is_number(left):
            return right
        if is_number(right):
            return left
        if unify(left[1], right[0]):
            return left[0], right[1]
        if node.operator == "·" and is_column(left) and is_column(right) and unify(left[0], right[0]):
            return SCALAR
        hint = ": transpose the first, or use ⊙" if unify_shapes(left, right) and is_column(left) else ""
        raise IllFormed(f"{describe(left)} cannot be multiplied with {describe(right)}{hint}", node.span)

    def quotient(self, node: Binary, left: Shape, right: Shape, a: Term, b: Term) -> Shape:
        """The shape of a fraction."""
        if not is_number(right):
            raise IllFormed(f"nothing can be divided by {describe(right)}", node.span)
        return left

    def power(self, node: Binary, left: Shape, right: Shape, a: Term, b: Term) -> Shape:
        """The shape of a power: of a number, or a whole one of a square matrix."""
        if not is_number(right):
            raise IllFormed(f"{describe(right)} cannot be an exponent", node.span)
        whole = isinstance(b, Constant) and b.value.denominator in (1, 2)
        if not is_number(left) and not (whole and unify(left[0], left[1])):
            raise IllFormed(f"{describe(left)} has no such power: write its norm, or ⊙", node.span)
        return left

    # Functions, sums and derivatives

    def call(self, node: Call) -> tuple[Term, Shape]:
        """A function of its arguments, in one of the ways that it can be meant."""
        if node.function == "entry":
            return self.entry(node)
        if node.function == "vector":
            return self.literal(node)
        of_random = read_of_random(self, node) if node.function in OF_RANDOM else None
        if of_random is not None:
            return of_random
        if node.function in ("softmax", "logsumexp") and len(node.arguments) > 1:  # softmax(0, 1) of two numbers
            node = replace(node, arguments=(Call("vector", node.arguments, node.span),))
        outer, self.in_softmax = self.in_softmax, self.in_softmax or node.function in ("softmax", "logsumexp")
        arguments = [self.read(argument) for argument in node.arguments]
        self.in_softmax = outer
        resolved, shapes = tuple(a for a, _ in arguments), [shape for _, shape in arguments]
        if node.function == "transpose" and isinstance(resolved[0], Ref) and resolved[0].symbol in self.scalars:
            raise UnknownName(f"{resolved[0].symbol} is transposed, so it stands for no number", node.span)
        if node.function in ("softmax", "logsumexp") and resolved == (ZERO,):
            shapes = [(UnknownSize(plural=True), 1)]  # softmax(0) is of a vector of zeros
            resolved = (Zeros(shapes[0]),)
        if self.setting.broadcasts and shapes and is_number(shapes[0]) and _wants_vector(node.function, resolved[0]):
            raise IllFormed(f"{node.function} of a number: a vector or matrix is meant here", node.span)
        function = "CE" if node.function == "H" and len(shapes) == 2 else node.function
        rule = FUNCTION_RULES.get(function)
        if rule is None:
            raise UnknownName(f"the function {node.function} is not known here", node.span)
        if rule.n_arguments is not None and len(shapes) != rule.n_arguments:
            raise UnknownName(f"{node.function} takes {rule.n_arguments} argument(s); got {len(shapes)}", node.span)
        shape = rule.shape(shapes)
        if shape is None:
            found = " and ".join(describe(shape) for shape in shapes)
            raise IllFormed(f"{node.function} of {found} is not defined: it needs {rule.needs}", node.span)
        function = "norm" if function == "abs" and not is_number(shapes[0]) else function
        if function == "max" and len(resolved) == 2 and ZERO in resolved and all(map(is_number, shapes)):
            return Apply("relu", (resolved[1 - resolved.index(ZERO)],)), shape  # it has moments in closed form
        return Apply(function, resolved), shape

    def literal(self, node: Call) -> tuple[Term, Shape]:
        """(1, 0, x) is a column; [[1, 0], [0, 1]] a matrix with these rows."""
        parts = [self.read(argument) for argument in node.arguments]
        if all(is_number(shape) for _, shape in parts):
            return Apply("vector", tuple(part for part, _ in parts)), (self.written_size(len(parts)), 1)
        are_rows = all(isinstance(argument, Call) and argument.function == "vector" for argument in node.arguments)
        if are_rows and all(unify_shapes(shape, parts[0][1]) for _, shape in parts):
            rows = tuple(Apply("transpose", (part,)) for part, _ in parts)
            return Apply("vector", rows), (len(parts), parts[0][1][0])
        raise IllFormed("a vector that is written out has numbers as entries", node.span)

    def written_size(self, size: int) -> Dim:
        """The size of a vector that is written out, which may be one that the setting has a letter for."""
        if self.setting.broadcasts or size == 1:
            return size
        self.exact_sizes.append((UnknownSize(plural=True), size))
        return self.exact_sizes[-1][0]

    def entry(self, node: Call) -> tuple[Term, Shape]:
        """An entry of an expression: (A s)_i."""
        body, shape = self.read(node.arguments[0])
        sizes = [size for size in shape if known_size(size) != 1]
        if len(sizes) != len(node.arguments) - 1:
            raise IllFormed(f"{describe(shape)} has {len(sizes)} index(es); got {len(node.arguments) - 1}", node.span)
        names = [_index_name(argument) for argument in node.arguments[1:]]
        for name, size in zip(names, sizes, strict=True):
            self.index(name, size, node.span)
        return Entry(body, tuple(names)), SCALAR

    def indexed_sum(self, node: SumOver) -> tuple[Term, Shape]:
        """A sum over an index, which counts whatever it is an index of."""
        size: Dim = UnknownSize()
        outer = self.bound
        bounds = [None if bound is None else self.number(bound) for bound in (node.first, node.last)]
        for name in node.excluded:
            self.index(name, size, node.span)
        counts_all = node.first in (None, Number(Fraction(1))) and isinstance(node.last, Symbol)
        if counts_all and isinstance(node.last, Symbol) and node.last.name in self.setting.size_names:
            unify(size, node.last.name)  # Σ_{i=1}^n counts n
        self.bound = {**outer, node.index: size}
        body, shape = self.read(node.body)
        self.bound = outer
        unify(size, self.setting.counts) if known_size(size) is size else None
        if node.operator != "+" and not is_number(shape):
            raise IllFormed(f"a product or largest over {node.index} needs numbers; got {describe(shape)}", node.span)
        return IndexedSum(node.index, size, node.excluded, body, bounds[0], bounds[1], node.operator), shape

    def number(self, node: Node) -> Term:
        """A tree that must be a number."""
        resolved, shape = self.read(node)
        if not is_number(shape):
            raise IllFormed(f"a bound of a sum must be a number; got {describe(shape)}", node.span)
        return resolved

    def derivative(self, node: Derivative) -> tuple[Term, Shape]:
        """∂ number / ∂ x has the shape of x; ∂ vector / ∂ vector has rows for the first and columns for the second."""
        of, shape = self.read(node.of)
        by, by_shape = self.symbol(node.by)
        if not isinstance(by, Ref):
            raise IllFormed(f"a derivative is taken by a symbol; {node.by.name} is none", node.by.span)
        if is_number(shape):
            return PartialDerivative(of, by, "by"), by_shape
        if is_number(by_shape):
            return PartialDerivative(of, by, "of"), shape
        if not (is_vector(shape) and is_vector(by_shape)):
            raise IllFormed(
                f"the derivative of {describe(shape)} by {describe(by_shape)} has more than two axes", node.span
            )
        return PartialDerivative(of, by, "jacobian"), (length_of(shape), length_of(by_shape))


_ONE = Number(Fraction(1))

SHIFTS = frozenset({"c", "C", "t", "m", "M", "K"})
"""Letters that people add to all entries of a vector."""


def _as_half(exponent: Term) -> Term:
    """½ or −½ as one number, of which a matrix has a power: the symmetric root."""
    sign = 1
    while isinstance(exponent, Apply) and exponent.function == "negative":
        exponent, sign = exponent.arguments[0], -sign
    if isinstance(exponent, Combine) and exponent.operator == "/":
        top, below = exponent.left, exponent.right
        while isinstance(top, Apply) and top.function == "negative":
            top, sign = top.arguments[0], -sign
        if isinstance(top, Constant) and isinstance(below, Constant) and below.value:
            exponent = Constant(top.value / below.value)
    return Constant(sign * exponent.value) if isinstance(exponent, Constant) else exponent


def _wants_vector(function: str, term: Term) -> bool:
    """Whether nobody writes this function of a number: xᵀ, (x − μ)ᵀ and det(A) of letters, and any softmax."""
    while isinstance(term, Combine) and term.operator in "+-" and function == "transpose":
        term = term.left if isinstance(term.right, Ref) else term.right
    return function in ("softmax", "logsumexp") or (function in _OF_MATRICES and isinstance(term, Ref))


_OF_MATRICES = frozenset({"transpose", "det", "trace", "rank"})


def _is_shift(node: Binary) -> bool:
    """Whether one side of a sum is a number such as c, max(x) or 1 that can only be meant for every entry."""
    return any(_is_plain_number(side) for side in (node.left, node.right))


def _is_plain_number(node: Node) -> bool:
    match node:
        case Number():
            return True
        case Symbol():
            return node.name in SHIFTS and not node.subscripts
        case Call():
            is_inner = node.function == "negative" and _is_plain_number(node.arguments[0])
            return is_inner or node.function in ("max", "min", "mean", "logsumexp", "log")
        case Binary():
            return node.operator in "*·/" and all(_is_plain_number(side) for side in (node.left, node.right))
        case SumOver():
            return node.operator in ("max", "min")
    return False


def _index_name(node: Node) -> str:
    return str(node.value) if isinstance(node, Number) else getattr(node, "name", "?")


_RULES: dict[str, Callable[..., Shape]] = {
    "+": TreeReader.same,
    "-": TreeReader.same,
    "∘": TreeReader.entrywise,
    "*": TreeReader.product,
    "·": TreeReader.product,
    "/": TreeReader.quotient,
    "^": TreeReader.power,
}
