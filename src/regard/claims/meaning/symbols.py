"""Which symbol of a claim or setting a written one names, and what its indices pick."""

from __future__ import annotations

from dataclasses import dataclass, field

from regard.claims.meaning.setting import Setting, SymbolSpec
from regard.claims.meaning.shapes import (
    SCALAR,
    Dim,
    IllFormed,
    Shape,
    UnknownName,
    UnknownSize,
    dim_text,
    known_size,
    shape_text,
    unify,
)
from regard.claims.meaning.terms import (
    Apply,
    Definition,
    FreeScalar,
    Identity,
    Index,
    NamedConstant,
    Ones,
    Ref,
    SizeOf,
    Term,
)
from regard.claims.syntax.letters import GREEK_NAMES
from regard.claims.syntax.tree import Claim, ReadingPath, Span, Symbol

SMALL_LETTERS = frozenset({"epsilon", "eps", "varepsilon"})

NO_NUMBERS = frozenset({"E", "H", "KL", "CE"})
"""Names of functions, of which H(α) > 0 is no product with any number H."""

MAX_SIZE_DIGITS = 3
"""Digits of the largest identity matrix that is written out: I_999."""


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
    in_softmax: bool = False
    """Whether this stands in a softmax, where a number may be added to all entries."""
    by_entry: bool = False
    """Whether this stands in a product entry by entry or after `1 −`, where h² of a vector is one too."""
    claim: Claim | None = None
    """What is read; by its other laws, the second argument of N(·, ·) may have to be a variance."""
    least_sizes: list[tuple[Dim, int]] = field(default_factory=list)
    """Sizes that numbered entries need: x_2 has at least two."""
    exact_sizes: list[tuple[Dim, int]] = field(default_factory=list)
    """Sizes of vectors that are written out: q = (1, 0) has two entries."""

    def symbol(self, node: Symbol) -> tuple[Term, Shape]:
        """A symbol of the claim, of the setting, a constant, a size, or a letter for any number."""
        node = _labels_first(node)
        for split in range(len(node.subscripts), -1, -1):
            name = "_".join((node.name, *node.subscripts[:split]))
            found = self.lookup(name, node.subscripts[split:], node.span)
            if found is not None:
                return found
        if node.name == "delta" and len(node.subscripts) == 2 and not any(map(str.isdigit, node.subscripts)):
            return self.kronecker(node)
        if node.name == "ones" and not node.subscripts:
            size: Dim = UnknownSize()
            return Ones(size), (size, 1)
        if node.name == "I" and len(node.subscripts) <= 1:
            return self.identity(node)
        if node.name == "e" and len(node.subscripts) == 1:
            whole: Dim = UnknownSize(plural=True)
            self.index(node.subscripts[0], whole, node.span)
            column = Apply("column", (Identity(whole), Index(node.subscripts[0])))
            if self._writes_rows() and self.path.choose(2) == 0:
                return Apply("transpose", (column,)), (1, whole)
            return column, (whole, 1)
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
        if name.isdigit():
            self.least_sizes.append((size, int(name)))
            return
        if name == known_size(size):
            return
        if name == "b":
            self.least_sizes.append((size, 2))  # a second one, beside a
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
            if size.isdecimal() and len(size) > MAX_SIZE_DIGITS:
                raise UnknownName(f"an identity matrix of {size} rows is too large to be tried", node.span)
            if size.isdecimal() and int(size) > 0:
                return Identity(int(size)), (int(size), int(size))
            if size not in self.setting.size_names:
                raise UnknownName(f"{size} is no size here; sizes are {', '.join(self.setting.size_names)}", node.span)
        return Identity(size), (size, size)

    def _writes_rows(self) -> bool:
        """Whether the setting has vectors that are rows."""
        return any(spec.shape[0] == 1 and spec.shape[1] != 1 for spec in self.setting.symbols)

    def kronecker(self, node: Symbol) -> tuple[Term, Shape]:
        """δ_ij: 1 where two indices are equal, else 0."""
        first, second = node.subscripts
        size: Dim = UnknownSize()
        for name in (first, second):
            self.index(name, size, node.span)
        return Apply("delta", (Index(first), Index(second))), SCALAR

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
        is_word = (
            len(node.name) > 1 and node.name.split("_")[0] not in GREEK_NAMES | {"ell"} and node.name[1:].islower()
        )
        is_known = known_family or node.name in NO_NUMBERS
        if not (self.setting.free_large and numbered) or is_known or (is_word and "_" not in node.name):
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
