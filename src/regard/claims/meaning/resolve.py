"""From a written tree to a term: symbols are looked up in the setting, and shapes are checked on letters.

A symbol is one of the claim, of the setting, a constant, a size, or a letter for any number. Whether a subscript names
one of several (k_a), picks an entry (y_i) or belongs to the name (W_1) is decided here: the longest known name wins,
and what is left over are indices. An ambiguous tree is read once for each `ReadingPath`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

from regard.claims.meaning.setting import Setting, SymbolSpec
from regard.claims.meaning.terms import (
    FUNCTION_RULES,
    SCALAR,
    Apply,
    Combine,
    Constant,
    Definition,
    Dim,
    Entry,
    FreeScalar,
    Identity,
    IllFormed,
    Index,
    IndexedSum,
    Moment,
    NamedConstant,
    Ones,
    PartialDerivative,
    Ref,
    Shape,
    SizeOf,
    Term,
    UnknownName,
    UnknownSize,
    describe,
    dim_text,
    is_column,
    is_number,
    is_vector,
    known_size,
    length_of,
    shape_text,
    unify,
    unify_shapes,
)
from regard.claims.syntax.tree import Binary, Call, Derivative, Node, Number, OneOf, ReadingPath, Span, SumOver, Symbol

SMALL_LETTERS = frozenset({"epsilon", "eps", "varepsilon"})


@dataclass
class SymbolReader:
    """Finds symbols in one setting; collects what a claim leaves free on the way.

    `local`: symbols that the claim has defined. `spread`: what Var of a vector is.
    `free_indices`: indices that nothing binds, with what they count.
    """

    setting: Setting
    path: ReadingPath = field(default_factory=ReadingPath)
    local: dict[str, Definition] = field(default_factory=dict)
    local_families: set[str] = field(default_factory=set)
    scalars: dict[str, FreeScalar] = field(default_factory=dict)
    free_indices: dict[str, Dim] = field(default_factory=dict)
    bound: dict[str, Dim] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    spread: int | None = None

    def symbol(self, node: Symbol) -> tuple[Term, Shape]:
        """A symbol of the claim, of the setting, a constant, a size, or a letter for any number."""
        node = _labels_first(node)
        for split in range(len(node.subscripts), -1, -1):
            name = "_".join((node.name, *node.subscripts[:split]))
            found = self.lookup(name, node.subscripts[split:], node.span)
            if found is not None:
                return found
        if node.name == "ones" and not node.subscripts:
            size: Dim = UnknownSize()
            return Ones(size), (size, 1)
        if node.name == "I" and len(node.subscripts) <= 1:
            return self.identity(node)
        if not node.subscripts:
            found = self.bare(node)
            if found is not None:
                return found
        return self.scalar(node)

    def lookup(self, name: str, subscripts: tuple[str, ...], span: Span) -> tuple[Term, Shape] | None:
        """The symbol of that name with these indices, where there is one."""
        if name in self.local:
            definition = self.local[name]
            over = definition.over if name in self.local_families else None
            return self.reference(name, over, definition.shape, subscripts, span)
        for spec in self.setting.symbols:
            if name in spec.spellings and (subscripts or not spec.indexed) and self.takes(spec, subscripts):
                if spec.name in self.local:
                    return self.lookup(spec.name, subscripts, span)
                return self.reference(spec.name, spec.over, spec.shape, subscripts, span)
        return None

    def spec(self, symbol: Symbol) -> tuple[SymbolSpec, tuple[str, ...]] | None:
        """The setting's symbol that a written one names, and the subscripts left over as indices."""
        for split in range(len(symbol.subscripts), -1, -1):
            name = "_".join((symbol.name, *symbol.subscripts[:split]))
            rest = symbol.subscripts[split:]
            for spec in self.setting.symbols:
                if name in spec.spellings and (rest or not spec.indexed) and self.takes(spec, rest):
                    return spec, rest
        return None

    def takes(self, spec: SymbolSpec, subscripts: tuple[str, ...]) -> bool:
        """Whether a symbol can have so many indices: a number none, a vector one, a matrix two, a family one more."""
        axes = sum(size != 1 for size in spec.shape)
        if spec.over is not None:
            return 1 <= len(subscripts) <= 1 + axes
        return len(subscripts) in (0, axes)

    def reference(
        self, name: str, over: Dim | None, shape: Shape, subscripts: tuple[str, ...], span: Span
    ) -> tuple[Term, Shape]:
        """A symbol with its indices, and the shape that is left."""
        sizes = ([over] if over is not None else []) + [size for size in shape if known_size(size) != 1]
        if over is not None and not subscripts:
            raise IllFormed(f"{name} is one of several: which? write {name}_i or {name}_a", span)
        if len(subscripts) > len(sizes):
            raise IllFormed(f"{name} has no index {subscripts[-1]}: its shape is {shape_text(shape)}", span)
        for subscript, size in zip(subscripts, sizes, strict=False):
            self.index(subscript, size, span)
        picked = len(subscripts) - (over is not None)
        return Ref(name, subscripts), SCALAR if picked > 0 else shape

    def index(self, name: str, size: Dim, span: Span) -> None:
        """Notes that an index counts up to a size."""
        if name.isdigit() or name == known_size(size):
            return
        if name in self.setting.marked:
            expected: Dim = self.setting.counts
        elif name in self.bound:
            expected = self.bound[name]
        elif len(name) == 1 and name.isalpha() and name.islower():
            expected = self.free_indices.setdefault(name, UnknownSize())
        else:
            raise UnknownName(f"{name} is no index; indices are letters such as i, j{self.marked_text()}", span)
        if not unify(expected, size):
            raise IllFormed(
                f"the index {name} counts {dim_text(expected)}, but here it would count {dim_text(size)}", span
            )

    def marked_text(self) -> str:
        """The named indices, to follow others."""
        return "".join(f", {name}" for name in self.setting.marked)

    def identity(self, node: Symbol) -> tuple[Term, Shape]:
        """I, of a size that is written or yet to be found."""
        size: Dim = UnknownSize()
        if node.subscripts:
            size = node.subscripts[0]
            if size not in self.setting.size_names:
                raise UnknownName(f"{size} is no size here; sizes are {', '.join(self.setting.size_names)}", node.span)
        return Identity(size), (size, size)

    def bare(self, node: Symbol) -> tuple[Term, Shape] | None:
        """A constant, a size, or an index as a number."""
        if node.name in ("e", "pi", "infinity"):
            return NamedConstant(node.name), SCALAR  # type: ignore[arg-type]
        if node.name in self.bound or node.name in self.free_indices:
            return Index(node.name), SCALAR
        return (SizeOf(node.name), SCALAR) if node.name in self.setting.size_names else None

    def scalar(self, node: Symbol) -> tuple[Term, Shape]:
        """A letter that stands for any number, where the setting allows one."""
        name = "_".join((node.name, *node.subscripts))
        if name in self.setting.size_names:
            return SizeOf(name), SCALAR
        numbered = all(subscript.isdigit() for subscript in node.subscripts)
        known_family = any(node.name in spec.spellings for spec in self.setting.symbols)
        if not (self.setting.free_large and numbered) or known_family:
            raise UnknownName(f"{name} is no symbol of {self.setting.name}; it has {self.symbol_list()}", node.span)
        small = node.name in SMALL_LETTERS
        self.scalars.setdefault(name, FreeScalar(name, "small" if small else "large"))
        return Ref(name), SCALAR

    def symbol_list(self) -> str:
        """What a claim can speak of here."""
        return ", ".join(
            spec.spellings[0] + ("_i" if spec.over or spec.indexed else "")
            for spec in self.setting.symbols
            if not spec.hidden
        )


def _labels_first(node: Symbol) -> Symbol:
    """α^{(1)}_a is α_{1,a}."""
    labels = tuple(word[1:-1] for word in node.subscripts if word.startswith("("))
    others = tuple(word for word in node.subscripts if not word.startswith("("))
    return Symbol(node.name, labels + others, node.span)


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
                return self.read(node.readings[self.path.choose(len(node.readings))])

    # Operators

    def binary(self, node: Binary) -> tuple[Term, Shape]:
        """Sum, product, quotient or power."""
        left, left_shape = self.read(node.left)
        right, right_shape = self.read(node.right)
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
        whole = isinstance(b, Constant) and b.value.denominator == 1
        if not is_number(left) and not (whole and unify(left[0], left[1])):
            raise IllFormed(f"{describe(left)} has no such power: write its norm, or ⊙", node.span)
        return left

    # Functions, sums and derivatives

    def call(self, node: Call) -> tuple[Term, Shape]:
        """A function of its arguments, in one of the ways that it can be meant."""
        if node.function in ("E", "Var", "Cov", "Std"):
            return self.moment(node)
        if node.function == "entry":
            return self.entry(node)
        arguments = [self.read(argument) for argument in node.arguments]
        resolved, shapes = tuple(a for a, _ in arguments), [shape for _, shape in arguments]
        rule = FUNCTION_RULES.get(node.function)
        if rule is None:
            raise UnknownName(f"the function {node.function} is not known here", node.span)
        if rule.n_arguments is not None and len(shapes) != rule.n_arguments:
            raise UnknownName(f"{node.function} takes {rule.n_arguments} argument(s); got {len(shapes)}", node.span)
        shape = rule.shape(shapes)
        if shape is None:
            found = " and ".join(describe(shape) for shape in shapes)
            raise IllFormed(f"{node.function} of {found} is not defined: it needs {rule.needs}", node.span)
        function = "norm" if node.function == "abs" and not is_number(shapes[0]) else node.function
        return Apply(function, resolved), shape

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

    def moment(self, node: Call) -> tuple[Term, Shape]:
        """E has the shape of what it is of; Var of a vector may be a matrix, one number, or one for each entry."""
        arguments = [self.read(argument) for argument in node.arguments]
        resolved, shapes = tuple(a for a, _ in arguments), [shape for _, shape in arguments]
        most = 2 if node.function == "Cov" else 1
        if not 1 <= len(shapes) <= most:
            raise UnknownName(f"{node.function} takes {most} argument(s); got {len(shapes)}", node.span)
        if node.function == "E":
            return Moment("mean", resolved), shapes[0]
        if not all(is_vector(shape) for shape in shapes):
            raise IllFormed(f"{node.function} of a matrix is not defined", node.span)
        spread: Term
        if all(is_number(shape) for shape in shapes):
            spread, shape = Moment("covariance", resolved), SCALAR
            return (Apply("sqrt", (spread,)), shape) if node.function == "Std" else (spread, shape)
        lengths = [length_of(shape) for shape in shapes]
        if node.function == "Cov":
            return Moment("covariance", resolved), (lengths[0], lengths[-1])
        if self.spread is None:  # the same for all of a claim
            self.spread = self.path.choose(3)
        kind = self.spread
        if node.function == "Std":
            return Apply("sqrt", (Moment("total" if kind else "variances", resolved),)), SCALAR if kind else shapes[0]
        results = ((lengths[0], lengths[0]), SCALAR, shapes[0])
        return Moment(("covariance", "total", "variances")[kind], resolved), results[kind]

    def indexed_sum(self, node: SumOver) -> tuple[Term, Shape]:
        """A sum over an index, which counts whatever it is an index of."""
        size: Dim = UnknownSize()
        outer = self.bound
        bounds = [None if bound is None else self.number(bound) for bound in (node.first, node.last)]
        for name in node.excluded:
            self.index(name, size, node.span)
        self.bound = {**outer, node.index: size}
        body, shape = self.read(node.body)
        self.bound = outer
        unify(size, self.setting.counts) if known_size(size) is size else None
        if node.operator == "*" and not is_number(shape):
            raise IllFormed(f"a product over {node.index} needs numbers; got {describe(shape)}", node.span)
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
