"""What one relation says: a comparison, a word (A is symmetric) or a sign (x ∈ ℝ^d, α ∝ e^s, x ~ N(0, I))."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from regard.claims.meaning.claimed_laws import state_independence, state_law
from regard.claims.meaning.resolve import ONE as ONE_TERM
from regard.claims.meaning.resolve import ZERO as ZERO_TERM
from regard.claims.meaning.resolve import TreeReader
from regard.claims.meaning.shapes import (
    IllFormed,
    Shape,
    UnknownName,
    describe,
    is_number,
    is_vector,
    known_size,
    length_of,
    unify,
    unify_shapes,
)
from regard.claims.meaning.terms import (
    Apply,
    Combine,
    Constant,
    Ones,
    SizeOf,
    Statement,
    Term,
    mentions_index,
    with_renamed_index,
)
from regard.claims.syntax.tree import Binary, Call, Comparison, Node, Number, Relation, Span, Symbol

ZERO, ONE = Number(Fraction(0)), Number(Fraction(1))
ORDER = frozenset({"<", "≤", ">", "≥", "≪", "≫"})


def _equal(left: Callable[[Node], Node], right: Callable[[Node], Node]) -> Callable[[Node], list[Relation]]:
    return lambda x: [Relation("=", left(x), right(x), x.span)]


def _transpose(x: Node) -> Call:
    return Call("transpose", (x,), x.span)


def _gram(x: Node) -> Binary:
    return Binary("*", _transpose(x), x, x.span)


def _square(x: Node) -> Binary:
    return Binary("*", x, x, x.span)


def _identity(x: Node) -> Symbol:
    return Symbol("I", (), x.span)


def _projection(x: Node) -> list[Relation]:
    return [Relation("=", _square(x), x, x.span), Relation("=", _transpose(x), x, x.span)]


def _distribution(x: Node) -> list[Relation]:
    least = Call("min", (x,), x.span)
    return [Relation("=", Call("sum", (x,), x.span), ONE, x.span), Relation("≥", least, ZERO, x.span)]


def _least_eigenvalue(comparison: Comparison) -> Callable[[Node], list[Relation]]:
    """A symmetric matrix whose eigenvalues are all ≥ 0, or all > 0."""
    return lambda x: [
        Relation("=", _transpose(x), x, x.span),
        Relation(comparison, Call("eigmin", (x,), x.span), ZERO, x.span),
    ]


def _determinant(x: Node) -> Call:
    return Call("det", (x,), x.span)


def _positive(of: Callable[[Node], Node]) -> Callable[[Node], list[Relation]]:
    """A number that is above 0: det(AᵀA) where columns are independent, det(AAᵀ) where rows are, else one of them."""
    return lambda x: [Relation(">", of(x), ZERO, x.span)]


def _permutation(x: Node) -> list[Relation]:
    """Orthogonal, with entries 0 and 1."""
    entrywise = Binary("∘", x, x, x.span)
    return [Relation("=", _gram(x), _identity(x), x.span), Relation("=", entrywise, x, x.span)]


PROPERTIES: dict[str, Callable[[Node], list[Relation]]] = {
    "symmetric": _equal(_transpose, lambda x: x),
    "antisymmetric": _equal(_transpose, lambda x: Call("negative", (x,), x.span)),
    "orthogonal": _equal(_gram, _identity),
    "orthonormal": _equal(_gram, _identity),
    "idempotent": _equal(_square, lambda x: x),
    "projection": _projection,
    "definite": _least_eigenvalue(">"),
    "semidefinite": _least_eigenvalue("≥"),
    "eignonnegative": lambda x: [Relation("≥", Call("eigmin", (x,), x.span), ZERO, x.span)],
    "eigpositive": lambda x: [Relation(">", Call("eigmin", (x,), x.span), ZERO, x.span)],
    "permutation": _permutation,
    "uniquemax": _positive(lambda x: Call("lead", (x,), x.span)),
    "fullcolumn": _positive(lambda x: _determinant(_gram(x))),
    "fullrow": _positive(lambda x: _determinant(_gram(_transpose(x)))),
    "fullrank": _positive(lambda x: Binary("+", _determinant(_gram(x)), _determinant(_gram(_transpose(x))), x.span)),
    "unit": _equal(_gram, lambda x: ONE),
    "normalised": _equal(_gram, lambda x: ONE),
    "normalized": _equal(_gram, lambda x: ONE),
    "positive": lambda x: [Relation(">", x, ZERO, x.span)],
    "negative": lambda x: [Relation("<", x, ZERO, x.span)],
    "nonnegative": lambda x: [Relation("≥", x, ZERO, x.span)],
    "nonzero": lambda x: [Relation(">", Call("norm", (x,), x.span), ZERO, x.span)],
    "invertible": lambda x: [Relation(">", Call("abs", (Call("det", (x,), x.span),), x.span), ZERO, x.span)],
    "nonsingular": lambda x: [Relation(">", Call("abs", (Call("det", (x,), x.span),), x.span), ZERO, x.span)],
    "onehot": _equal(lambda x: Binary("∘", x, x, x.span), lambda x: x),
    "distribution": _distribution,
    "distributions": _distribution,
}
"""Properties that are equations or inequalities."""

KINDS: dict[str, Callable[[Shape], bool]] = {
    **dict.fromkeys(("scalar", "scalars", "number", "numbers"), is_number),
    **dict.fromkeys(("vector", "vectors"), is_vector),
    **dict.fromkeys(("matrix", "matrices"), lambda shape: not is_vector(shape)),
    **dict.fromkeys(("real", "fixed", "constant", "standard", "random"), lambda shape: True),
    "square": lambda shape: unify(shape[0], shape[1]),
}
"""Properties that only say what a symbol is."""


def expand_property(reader: TreeReader, relation: Relation) -> list[Relation]:
    """The equations that a property stands for; none where it is about shapes alone, which are checked here."""
    if relation.comparison == "∈":
        _check_shape(reader, relation)
        return []
    assert isinstance(relation.right, Symbol)
    word = relation.right.name
    if _is_law(reader, relation.left, word):
        return []
    _, shape = reader.read(relation.left)
    if word in KINDS:
        if not KINDS[word](shape):
            raise IllFormed(f"this is {describe(shape)}, no {word}", relation.span)
        return []
    if word == "orthogonal" and is_vector(shape):
        raise UnknownName("orthogonal to what? write x ⊥ y", relation.span)
    if word == "orthonormal" and is_vector(shape):
        word = "unit"  # that it is orthogonal to others is said of each pair
    if word not in PROPERTIES:
        raise UnknownName(f"what it means to be {word} is not known here", relation.span)
    return PROPERTIES[word](relation.left)


def _is_law(reader: TreeReader, node: object, word: str) -> bool:
    """Whether a symbol is drawn so that it has the property."""
    found = reader.spec(node) if isinstance(node, Symbol) else None
    families = [spec for spec in reader.setting.symbols if spec.over and getattr(node, "name", "") in spec.spellings]
    if found is None and families:  # μ orthonormal: all of the μ_i
        found = families[0], ()
    return found is not None and found[0].law in (word, *_STRONGER_LAWS.get(word, ()))


_STRONGER_LAWS = {
    "onehot": ("one-hot",),
    "symmetric": ("definite", "semidefinite", "projection"),
    "semidefinite": ("definite", "projection"),
}
"""Laws of which a word is true besides the one that is named like it."""


def _check_shape(reader: TreeReader, relation: Relation) -> None:
    """x ∈ ℝ^d as a statement: the shape must be that."""
    assert isinstance(relation.right, Call)
    _, shape = reader.read(relation.left)
    wanted = [_size(reader, one) for one in relation.right.arguments]
    full: Shape = (1, 1) if not wanted else (wanted[0], 1) if len(wanted) == 1 else (wanted[0], wanted[1])
    if len(wanted) == 1 and is_vector(shape) and unify(length_of(shape), wanted[0]):
        return
    if not unify_shapes(shape, full):
        raise IllFormed(f"this is {describe(shape)}, not {describe(full)}", relation.span)


def _size(reader: TreeReader, node: object) -> int | str:
    if isinstance(node, Number):
        return int(node.value)
    name = getattr(node, "name", "?")
    if name not in reader.setting.size_names:
        raise UnknownName(
            f"{name} is no size here; sizes are {', '.join(reader.setting.size_names)}",
            getattr(node, "span", Span(0, 0)),
        )
    return str(name)


def proportional(reader: TreeReader, relation: Relation) -> Statement:
    """α ∝ e^s: the same factor for every entry or index, α_i e^{s_j} = α_j e^{s_i}."""
    left, left_shape = reader.read(relation.left)
    right, right_shape = reader.read(relation.right)
    if is_vector(left_shape) and not is_number(left_shape):
        if not unify_shapes(left_shape, right_shape):
            raise IllFormed(f"{describe(left_shape)} is not proportional to {describe(right_shape)}", relation.span)
        outer = [_outer(one, two, left_shape) for one, two in ((left, right), (right, left))]
        return Statement("=", outer[0], outer[1], span=relation.span)
    indices = [name for name in reader.free_indices if mentions_index(left, name) or mentions_index(right, name)]
    if not is_number(left_shape) or len(indices) != 1:
        raise UnknownName("∝ is read between vectors, or entries with one index, as in α_i ∝ e^{s_i}", relation.span)
    other = next(name for name in "jklmr" if name not in reader.free_indices and name not in reader.bound)
    reader.index(other, reader.free_indices[indices[0]], relation.span)
    swapped = [with_renamed_index(one, indices[0], other) for one in (left, right)]
    return Statement("=", Combine("*", left, swapped[1]), Combine("*", swapped[0], right), span=relation.span)


def _outer(left: Term, right: Term, shape: Shape) -> Term:
    if known_size(shape[1]) == 1:
        return Combine("*", left, Apply("transpose", (right,)))
    return Combine("*", Apply("transpose", (left,)), right)


def read_relation(reader: TreeReader, relation: Relation) -> list[Statement]:
    """What one relation says, to be judged or to be satisfied; nothing where it is about shapes alone."""
    if relation.comparison in ("is", "∈"):
        return [one for meant in expand_property(reader, relation) for one in read_relation(reader, meant)]
    if relation.comparison == "∝":
        return [proportional(reader, relation)]
    if relation.comparison == "~":
        return state_law(reader, relation)
    if relation.comparison == "⫫":
        return state_independence(reader, relation)
    left, left_shape = reader.read(relation.left)
    right, right_shape = reader.read(relation.right)
    if _is_plain(right) and right != ZERO_TERM and is_vector(left_shape) and not is_number(left_shape):
        is_one = right == ONE_TERM
        word, meaning = ("1", "ones") if is_one else ("a number", "all of its entries")
        reader.notes.append(f"{word} beside a vector is read as {meaning}")
        size = length_of(left_shape)
        right = Ones(size) if is_one else Combine("*", right, Ones(size))
        right_shape = (size, 1)
        if is_number((left_shape[0], 1)):
            right, right_shape = Apply("transpose", (right,)), (1, size)
    if ZERO_TERM not in (left, right) and not unify_shapes(left_shape, right_shape):
        raise IllFormed(
            f"the left side is {describe(left_shape)}, the right side {describe(right_shape)}", relation.span
        )
    if relation.comparison in ORDER and not (is_number(left_shape) or is_number(right_shape)):
        raise IllFormed(
            f"{describe(left_shape)} is neither smaller nor larger than another: compare norms", relation.span
        )
    if relation.comparison in ORDER and not (is_vector(left_shape) and is_vector(right_shape)):
        raise UnknownName("whether the entries or the eigenvalues of a matrix are compared is not said", relation.span)
    return [Statement(relation.comparison, left, right, span=relation.span)]


def _is_plain(term: Term) -> bool:
    """A number without letters, or with sizes only: 1, 1/n."""
    if isinstance(term, Combine):
        return _is_plain(term.left) and _is_plain(term.right)
    return isinstance(term, Constant | SizeOf)
