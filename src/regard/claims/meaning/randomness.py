"""Letters that a claim itself makes random: γ ~ N(0, ½), z ~ N(0, I), ε_i ~ N(0, σ² I).

Such a letter is its mean plus a root of its variance times noise of its own, so that different letters are
independent of each other; a note says so.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from regard.claims.meaning.resolve import ZERO, TreeReader
from regard.claims.meaning.setting import SymbolSpec
from regard.claims.meaning.shapes import SCALAR, Dim, Shape, UnknownName, UnknownSize, is_number, known_size, unify
from regard.claims.meaning.terms import Apply, Combine, Constant, Definition, Identity, Ref, Term
from regard.claims.syntax.tree import Binary, Call, Node, OneOf, Relation, Symbol, walk

if TYPE_CHECKING:
    from regard.claims.meaning.conditions import ClaimStatements
    from regard.claims.meaning.definitions import CompiledSetting

ONE = Constant(Fraction(1))


def declare(reader: TreeReader, compiled: CompiledSetting, parts: ClaimStatements) -> CompiledSetting:
    """The setting with the random letters that the claim declares; they are noted in the reader."""
    for symbol, relation in parts.declared:
        compiled = _declare_one(reader, compiled, symbol, relation)
    if len(parts.declared) > 1:
        names = ", ".join(symbol.name for symbol, _ in parts.declared)
        reader.notes.append(f"{names} are taken to be independent of each other")
    return compiled


def _declare_one(reader: TreeReader, compiled: CompiledSetting, symbol: Symbol, relation: Relation) -> CompiledSetting:
    name = "_".join((symbol.name, *(word for word in symbol.subscripts if word.isdigit())))
    index = next((word for word in symbol.subscripts if not word.isdigit()), None)
    reader.bound = {index: reader.setting.counts} if index else {}
    mean, mean_shape, root, root_shape = _law(reader, relation)
    reader.bound = {}
    size = known_size(root_shape[0])
    if isinstance(size, UnknownSize):
        of_mean = reader.setting.width if is_number(mean_shape) else known_size(mean_shape[0])
        size.is_ = reader.setting.width if of_mean is size else of_mean  # a size that was itself would never end
        size = known_size(size)
    found = reader.spec(symbol)
    if isinstance(size, int) and found is not None and not is_number(found[0].shape):
        raise UnknownName(f"{name} is no number here, so its variance is a matrix such as σ² I", relation.span)
    shape: tuple[int | str, int | str] = (size, 1)  # type: ignore[assignment]
    roots = _roots(reader, root, size)
    noise = SymbolSpec(
        name=f"noise of {name}", shape=shape, meaning="", over=reader.setting.counts if index else None,
        law="noise", random=True, hidden=True,
    )  # fmt: skip
    own = Ref(noise.name, (index,) if index else ())
    body = Combine("*", root, own)
    definition = Definition(
        name, body if mean == ZERO else Combine("+", mean, body), shape, index, reader.setting.counts if index else None
    )
    reader.local[name] = definition
    if index:
        reader.local_families.add(name)
    setting = replace(compiled.setting, symbols=(*compiled.setting.symbols, *roots, noise))
    reader.setting = setting
    families = compiled.families | ({noise.name} if index else set())
    return replace(compiled, setting=setting, families=families)


def _roots(reader: TreeReader, root: Term, size: Dim) -> list[SymbolSpec]:
    """For a variance Σ that is any matrix: a matrix L to be drawn, and Σ = L Lᵀ."""
    prefix = "root of "
    if not isinstance(root, Ref) or not root.symbol.startswith(prefix):
        return []
    name = root.symbol.removeprefix(prefix)
    reader.local[name] = Definition(name, Combine("*", root, Apply("transpose", (root,))), (size, size))
    known = any(spec.name == root.symbol for spec in reader.setting.symbols)
    return [] if known else [SymbolSpec(root.symbol, (size, size), "", law="normal", hidden=True)]


def _law(reader: TreeReader, relation: Relation) -> tuple[Term, Shape, Term, Shape]:
    """Mean and root of the variance, with the shape of one sample."""
    law = relation.right.readings[0] if isinstance(relation.right, OneOf) else relation.right
    if not isinstance(law, Call) or law.function != "N" or len(law.arguments) != 2:
        raise UnknownName("after ~ a normal law is expected: N(mean, variance)", relation.right.span)
    mean, mean_shape = reader.read(law.arguments[0])
    spread, shape = reader.read(law.arguments[1])
    if is_number(shape):
        if not has_square(law.arguments[1]) and reader.path.choose(2):
            reader.notes.append("the second number of N(·, ·) read as a standard deviation")
            return mean, mean_shape, spread, SCALAR
        reader.notes.append("the second number of N(·, ·) read as a variance")
        return mean, mean_shape, Apply("sqrt", (spread,)), SCALAR
    scale = _scale_of_identity(spread)
    if scale is not None:
        return mean, mean_shape, Apply("sqrt", (scale,)), (shape[0], 1)
    if isinstance(spread, Ref) and not spread.indices and _is_drawn(reader, spread.symbol) and unify(*shape):
        return mean, mean_shape, Ref(f"root of {spread.symbol}"), (shape[0], 1)
    raise UnknownName("a random vector is read with a variance such as I, σ² I or Σ", law.arguments[1].span)


def _is_drawn(reader: TreeReader, name: str) -> bool:
    """Whether a matrix is any matrix, so that it may be made a root times its transpose."""
    spec = next((one for one in reader.setting.symbols if one.name == name), None)
    is_rooted = name in reader.local and isinstance(reader.local[name].body, Combine)
    return (spec is not None and spec.law in ("normal", "symmetric", "definite")) and (
        name not in reader.local or is_rooted
    )


def has_square(node: Node) -> bool:
    """Whether a second argument of N(·, ·) can only be a variance: it has a square in it, as σ² and a² σ² do."""
    return any(isinstance(one, Binary) and one.operator == "^" for one in walk(node))


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
