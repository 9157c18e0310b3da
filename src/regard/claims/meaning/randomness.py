"""Letters that a claim itself makes random: γ ~ N(0, ½), z ~ N(0, I), ε_i ~ N(0, σ² I).

Such a letter is its mean plus a root of its variance times noise of its own, so that different letters are
independent of each other; where the claim does not say so, `verdict.dependence` tries letters that are not.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from typing import TYPE_CHECKING

from regard.claims.meaning.resolve import ZERO, TreeReader
from regard.claims.meaning.setting import SymbolSpec
from regard.claims.meaning.shapes import (
    SCALAR,
    Dim,
    IllFormed,
    Shape,
    UnknownName,
    UnknownSize,
    describe,
    is_number,
    is_vector,
    known_size,
    unify,
    unify_shapes,
)
from regard.claims.meaning.terms import Apply, Combine, Constant, Definition, Identity, Ref, Term
from regard.claims.syntax.tree import Binary, Call, Claim, Node, Number, OneOf, Relation, Symbol, walk

if TYPE_CHECKING:
    from regard.claims.meaning.conditions import ClaimStatements
    from regard.claims.meaning.definitions import CompiledSetting

ONE = Constant(Fraction(1))
ROOT = "root of "
"""How the name of a drawn matrix L begins where a variance is L Lᵀ."""


def declare(reader: TreeReader, compiled: CompiledSetting, parts: ClaimStatements) -> CompiledSetting:
    """The setting with the random letters that the claim declares; they are noted in the reader."""
    defined = {symbol: body for symbol, body, _ in parts.definitions}
    for symbol, relation in parts.declared:
        compiled = _declare_one(reader, compiled, symbol, _write_out_variance(relation, defined))
    return compiled


def _write_out_variance(relation: Relation, defined: dict[Symbol, Node]) -> Relation:
    """x ~ N(0, Σ) with Σ = L Lᵀ as x ~ N(0, L Lᵀ): the variance that the claim itself defines."""
    law = relation.right.readings[0] if isinstance(relation.right, OneOf) else relation.right
    if not isinstance(law, Call) or len(law.arguments) != 2 or law.arguments[1] not in defined:
        return relation
    return replace(relation, right=replace(law, arguments=(law.arguments[0], defined[law.arguments[1]])))


def _declare_one(reader: TreeReader, compiled: CompiledSetting, symbol: Symbol, relation: Relation) -> CompiledSetting:
    name = "_".join((symbol.name, *(word for word in symbol.subscripts if not _is_index(word))))
    index = next((word for word in symbol.subscripts if _is_index(word)), None)
    over = reader.setting.counts if index else None
    before = reader.local.get(name)
    if before is not None and (before.index is None) != (index is None):
        raise UnknownName(f"{name} is given a law as one and as several", relation.span)
    reader.bound = {index: reader.setting.counts} if index else {}
    law = _law(reader, relation)
    reader.bound = {}
    size = _size_of_sample(reader, law)
    found = reader.spec(symbol)
    if isinstance(size, int) and found is not None and not is_number(found[0].shape):
        raise UnknownName(f"{name} is no number here, so its variance is a matrix such as σ² I", relation.span)
    if found is not None and not unify_shapes(found[0].shape, (size, 1)):
        raise UnknownName(f"{name} is {describe(found[0].shape)} in {reader.setting.name}", relation.span)
    shape: tuple[int | str, int | str] = (size, 1)  # type: ignore[assignment]
    added: list[SymbolSpec] = []
    body: Term | None = None if law.mean == ZERO else law.mean
    for place, part in enumerate(law.parts):
        added += _roots(reader, part.root, size)
        length = size if part.length is None else known_size(part.length)
        noise = SymbolSpec(
            name=f"noise {place + 1} of {name}" if place else f"noise of {name}", shape=(length, 1), meaning="",
            over=over, law="noise", random=True, hidden=True,
        )  # fmt: skip
        added.append(noise)
        term = Combine("*", part.root, Ref(noise.name, (index,) if index else ()))
        body = term if body is None else Combine("+", body, term)
    assert body is not None
    reader.local[name] = Definition(name, body, shape, index, over)
    if index:
        reader.local_families.add(name)
    setting = replace(compiled.setting, symbols=(*compiled.setting.symbols, *added))
    reader.setting = setting
    families = compiled.families | ({one.name for one in added if one.random} if index else set())
    return replace(compiled, setting=setting, families=families)


def _is_index(word: str) -> bool:
    """Whether a subscript counts; digits and capital letters belong to the name."""
    return not (word.isdigit() or word.isupper())


def _size_of_sample(reader: TreeReader, law: NormalLaw) -> Dim:
    """How many entries one sample has: as its variance says, else as its mean, else the setting's width."""
    size = known_size(law.shape[0])
    if isinstance(size, UnknownSize):
        of_mean = reader.setting.width if is_number(law.mean_shape) else known_size(law.mean_shape[0])
        size.is_ = reader.setting.width if of_mean is size else of_mean  # a size that was itself would never end
    return known_size(size)


def _roots(reader: TreeReader, root: Term, size: Dim) -> list[SymbolSpec]:
    """For a variance Σ that is any matrix: a matrix L to be drawn, and Σ = L Lᵀ."""
    if isinstance(root, Combine) and root.operator == "*":
        return _roots(reader, root.right, size)
    if not isinstance(root, Ref) or not root.symbol.startswith(ROOT):
        return []
    name = root.symbol.removeprefix(ROOT)
    spec = next(one for one in reader.setting.symbols if one.name == name)
    reader.local[name] = Definition(name, Combine("*", root, Apply("transpose", (root,))), spec.shape)
    known = any(spec.name == root.symbol for spec in reader.setting.symbols)
    return [] if known else [SymbolSpec(root.symbol, spec.shape, "", law="normal", hidden=True)]


@dataclass(frozen=True)
class NoisePart:
    """A root that multiplies independent standard noise; `length` of the noise where it differs from the sample's."""

    root: Term
    length: Dim | None = None


@dataclass(frozen=True)
class NormalLaw:
    """A normal law as mean + Σ root · noise, and the shape of one sample."""

    mean: Term
    mean_shape: Shape
    parts: tuple[NoisePart, ...]
    shape: Shape


def _law(reader: TreeReader, relation: Relation) -> NormalLaw:
    """Mean and roots of the variance, with the shape of one sample."""
    law = relation.right.readings[0] if isinstance(relation.right, OneOf) else relation.right
    if not isinstance(law, Call) or law.function != "N" or len(law.arguments) != 2:
        raise UnknownName("after ~ a normal law is expected: N(mean, variance)", relation.right.span)
    mean, mean_shape = reader.read(law.arguments[0])
    spread, shape = reader.read(law.arguments[1])
    if is_number(shape):
        if not is_number(mean_shape):
            raise IllFormed("a vector has a matrix as variance, such as σ² I", law.arguments[1].span)
        if may_be_deviation(reader, law.arguments[1]) and reader.path.choose(2):
            reader.notes.append("the second number of N(·, ·) read as a standard deviation")
            return NormalLaw(mean, mean_shape, (NoisePart(spread),), SCALAR)
        reader.notes.append("the second number of N(·, ·) read as a variance")
        return NormalLaw(mean, mean_shape, (NoisePart(Apply("sqrt", (spread,))),), SCALAR)
    if mean != ZERO and not (is_vector(mean_shape) and unify_shapes(mean_shape, (shape[0], 1))):
        raise IllFormed(f"the mean is {describe(mean_shape)}, the variance {describe(shape)}", relation.right.span)
    parts = _noise_parts(reader, spread)
    if not unify(*shape) or parts is None:
        raise UnknownName(
            "a random vector is read with a variance such as I, σ² I, Σ, diag(v), m mᵀ or a sum of these",
            law.arguments[1].span,
        )
    return NormalLaw(mean, mean_shape, tuple(parts), (shape[0], 1))


def _noise_parts(reader: TreeReader, spread: Term) -> list[NoisePart] | None:
    """The roots of a variance: each term of a sum has noise of its own; None where a root is not known."""
    if isinstance(spread, Combine) and spread.operator == "+":
        left, right = _noise_parts(reader, spread.left), _noise_parts(reader, spread.right)
        return None if left is None or right is None else [*left, *right]
    scale = _scale_of_identity(spread)
    if scale is not None:
        return [NoisePart(Apply("sqrt", (scale,)))]
    if isinstance(spread, Ref) and not spread.indices and _is_drawn(reader, spread.symbol):
        return [NoisePart(Ref(f"{ROOT}{spread.symbol}"))]
    if isinstance(spread, Apply) and spread.function == "vector":
        return [NoisePart(Combine("^", spread, Constant(Fraction(1, 2))))]
    if isinstance(spread, Apply) and spread.function == "diag":
        return [NoisePart(Apply("diag", (Apply("sqrt", spread.arguments),)))]
    return _root_of_product(reader, spread)


def _root_of_product(reader: TreeReader, spread: Term) -> list[NoisePart] | None:
    """The root of τ m mᵀ, A Aᵀ or A Σ Aᵀ, with numbers before it."""
    factors = _factors(spread)
    scales: list[Term] = []
    while len(factors) > 1 and _is_number_term(reader, factors[0]):
        scales.append(factors.pop(0))
    if len(factors) < 2 or factors[-1] != Apply("transpose", (factors[0],)):
        return None
    root: Term = factors[0]
    for scale in scales:
        root = Combine("*", Apply("sqrt", (scale,)), root)
    if len(factors) == 2:
        return [NoisePart(root, _shape_of(reader, factors[0])[1])]
    inner = _noise_parts(reader, reduce(lambda a, b: Combine("*", a, b), factors[1:-1]))
    length = _shape_of(reader, factors[0])[1]
    return None if inner is None else [NoisePart(Combine("*", root, one.root), one.length or length) for one in inner]


def _factors(term: Term) -> list[Term]:
    if isinstance(term, Combine) and term.operator in "*·":
        return [*_factors(term.left), *_factors(term.right)]
    return [term]


def _shape_of(reader: TreeReader, term: Term) -> Shape:
    """The shape of a symbol or of a member of a family, μ_a; of others a number's."""
    if not isinstance(term, Ref):
        return SCALAR
    found = reader.local.get(term.symbol) or next(
        (one for one in reader.setting.symbols if one.name == term.symbol), None
    )
    is_whole = found is not None and len(term.indices) == (found.over is not None)
    return found.shape if found is not None and is_whole else SCALAR


def _is_number_term(reader: TreeReader, term: Term) -> bool:
    match term:
        case Combine():
            return _is_number_term(reader, term.left) and _is_number_term(reader, term.right)
        case Ref():
            return is_number(_shape_of(reader, term))
        case Apply():
            return term.function in ("sqrt", "exp", "log", "norm", "abs", "trace", "det")
    return not isinstance(term, Identity)


def _is_drawn(reader: TreeReader, name: str) -> bool:
    """Whether a matrix is any matrix, so that it may be made a root times its transpose."""
    spec = next((one for one in reader.setting.symbols if one.name == name), None)
    is_rooted = name in reader.local and isinstance(reader.local[name].body, Combine)
    return (spec is not None and spec.law in ("normal", "symmetric", "definite", "semidefinite")) and (
        name not in reader.local or is_rooted
    )


def may_be_deviation(reader: TreeReader, node: Node) -> bool:
    """Whether a second argument of N(·, ·) may be a standard deviation: it has no square, nor has another of the claim.

    1 and 0 are the same as variance and as deviation.
    """
    is_same = isinstance(node, Number) and node.value in (0, 1)
    return not (is_same or is_variance(node) or (reader.claim is not None and states_variances(reader.claim)))


def is_variance(node: Node) -> bool:
    """Whether a second argument of N(·, ·) can only be a variance: σ² and a² σ² have a square, σ I is a matrix."""
    nodes = list(walk(node))
    has_square = any(isinstance(one, Binary) and one.operator == "^" for one in nodes)
    return has_square or any(isinstance(one, Symbol) and one.name in ("I", "Sigma", "Lambda") for one in nodes)


def states_variances(claim: Claim) -> bool:
    """Whether some law of the claim has what can only be a variance, so that no other has a deviation."""
    calls = [node for one in (*claim.relations, *claim.context) for node in walk(one)]
    laws = [one for one in calls if isinstance(one, Call) and one.function == "N" and len(one.arguments) == 2]
    return any(is_variance(one.arguments[1]) for one in laws)


def _scale_of_identity(term: Term) -> Term | None:
    """σ² of σ² I; None for any other matrix."""
    if isinstance(term, Identity):
        return ONE
    if not isinstance(term, Combine) or term.operator not in "*·/":
        return None
    left, right = _scale_of_identity(term.left), _scale_of_identity(term.right)
    if term.operator == "/":
        return None if left is None else Combine("/", left, term.right)
    if left is not None and right is None:
        return Combine("*", left, term.right)
    return Combine("*", term.left, right) if right is not None and left is None else None
