"""Densities, entropies and divergences of normal laws, written out as terms.

N(x; m, S)                 e^{−½ (x − m)ᵀ S⁻¹ (x − m)} / √det(2π S)
H(N(m, S))                 ½ log det(2πe S);  H(x) of a normal x likewise, with its covariance
KL(N(m, S) ‖ N(n, R))      ½ (tr(R⁻¹ S) + (n − m)ᵀ R⁻¹ (n − m) − tr(R⁻¹ R) + log det R − log det S)
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from regard.claims.meaning.shapes import SCALAR, IllFormed, Shape, UnknownName, is_number, is_vector, unify_shapes
from regard.claims.meaning.terms import Apply, Combine, Constant, Moment, NamedConstant, Ref, Term
from regard.claims.syntax.tree import Call, Node, OneOf

if TYPE_CHECKING:
    from regard.claims.meaning.resolve import TreeReader

ZERO, HALF, TWO = Constant(Fraction(0)), Constant(Fraction(1, 2)), Constant(Fraction(2))


def read_normal(reader: TreeReader, node: Call) -> tuple[Term, Shape] | None:
    """The density N(x; m, S), the entropy of N(m, S), or the divergence of two normal laws; None for other calls."""
    if node.function == "N" and len(node.arguments) == 3:
        return _density(reader, node), SCALAR
    laws = [_law(argument) for argument in node.arguments]
    if node.function not in ("H", "KL") or not laws or any(law is None for law in laws):
        return None
    parts = [_mean_and_variance(reader, law) for law in laws if law is not None]
    shapes = [reader.read(side)[1] for law in laws if law is not None for side in law.arguments]
    if len(parts) == 2 and not unify_shapes(shapes[1], shapes[3]):
        raise IllFormed("two laws of different sizes have no divergence", node.span)
    if node.function == "H" and len(parts) == 1:
        return _entropy(parts[0][1]), SCALAR
    if node.function == "KL" and len(parts) == 2:
        return _divergence(*parts[0], *parts[1]), SCALAR
    raise UnknownName("H takes one normal law, KL two", node.span)


def read_entropy(reader: TreeReader, node: Call) -> tuple[Term, Shape] | None:
    """H(x) of a letter that the claim has given a normal law."""
    if node.function != "H" or len(node.arguments) != 1:
        return None
    term, shape = reader.read(node.arguments[0])
    is_declared = isinstance(term, Ref) and any(
        spec.name == f"noise of {term.symbol}" for spec in reader.setting.symbols
    )
    if not is_declared or not is_vector(shape):
        return None
    return _entropy(Moment("normal", (term,))), SCALAR


def _law(node: Node) -> Call | None:
    node = node.readings[0] if isinstance(node, OneOf) else node
    return node if isinstance(node, Call) and node.function == "N" and len(node.arguments) == 2 else None


def _mean_and_variance(reader: TreeReader, law: Call) -> tuple[Term, Term]:
    mean, mean_shape = reader.read(law.arguments[0])
    spread, shape = reader.read(law.arguments[1])
    if not unify_shapes(shape, (shape[0], shape[0])) or not (
        mean == ZERO or unify_shapes(mean_shape, SCALAR if is_number(shape) else (shape[0], 1))
    ):
        raise IllFormed("mean and variance of a normal law do not fit each other", law.span)
    return mean, spread


def _density(reader: TreeReader, node: Call) -> Term:
    x, shape = reader.read(node.arguments[0])
    mean, spread = _mean_and_variance(reader, Call("N", node.arguments[1:], node.span))
    if mean != ZERO and not unify_shapes(shape, reader.read(node.arguments[1])[1]):
        raise IllFormed("a density is taken at a point of the shape of its mean", node.span)
    exponent = Apply("negative", (Combine("*", HALF, _quadratic(Combine("-", x, mean), spread)),))
    return Combine("/", Apply("exp", (exponent,)), Apply("sqrt", (_determinant(spread, with_e=False),)))


def _quadratic(x: Term, spread: Term) -> Term:
    return Combine("*", Apply("transpose", (x,)), Combine("*", Apply("inverse", (spread,)), x))


def _determinant(spread: Term, *, with_e: bool) -> Term:
    """det(2π S), or det(2πe S)."""
    factor: Term = Combine("*", TWO, NamedConstant("pi"))
    factor = Combine("*", factor, NamedConstant("e")) if with_e else factor
    return Apply("det", (Combine("*", factor, spread),))


def _entropy(spread: Term) -> Term:
    return Combine("*", HALF, Apply("log", (_determinant(spread, with_e=True),)))


def _divergence(mean: Term, spread: Term, other_mean: Term, other: Term) -> Term:
    inverse = Apply("inverse", (other,))
    size = Apply("trace", (Combine("*", inverse, other),))
    traces = Combine("-", Apply("trace", (Combine("*", inverse, spread),)), size)
    logs = [Apply("log", (Apply("det", (one,)),)) for one in (other, spread)]
    difference = Combine("-", other_mean, mean)
    whole = Combine("+", traces, Combine("-", logs[0], logs[1]))
    if difference != Combine("-", ZERO, ZERO):
        whole = Combine("+", whole, _quadratic(difference, other))
    return Combine("*", HALF, whole)
