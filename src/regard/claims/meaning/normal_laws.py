"""Moments, probabilities, and the densities, entropies and divergences of normal laws, written out as terms.

E, Var, Cov, Std, Corr     of numbers and vectors; E[x | y] and Var(x | y) as they are for jointly normal x and y
P(x > y)                   the mean of what is 1 where x is larger
N(x; m, S)                 e^{−½ (x − m)ᵀ S⁻¹ (x − m)} / √det(2π S)
H(N(m, S))                 ½ log det(2πe S);  H(x) of a normal x likewise, with its covariance
KL(N(m, S) ‖ N(n, R))      ½ (tr(R⁻¹ S) + (n − m)ᵀ R⁻¹ (n − m) − tr(R⁻¹ R) + log det R − log det S)
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from regard.claims.meaning.shapes import (
    SCALAR,
    IllFormed,
    Shape,
    UnknownName,
    is_column,
    is_number,
    is_vector,
    length_of,
    unify_shapes,
)
from regard.claims.meaning.terms import Apply, Combine, Constant, Moment, NamedConstant, Ref, Term
from regard.claims.syntax.tree import Call, Node, OneOf

if TYPE_CHECKING:
    from regard.claims.meaning.resolve import TreeReader

ZERO, HALF, TWO = Constant(Fraction(0)), Constant(Fraction(1, 2)), Constant(Fraction(2))


OF_RANDOM = frozenset({"E", "Var", "Cov", "Std", "Corr", "probability", "N", "H", "KL"})
"""Functions of random letters and of laws; H and KL are of distributions, too."""


def read_of_random(reader: TreeReader, node: Call) -> tuple[Term, Shape] | None:
    """A moment, correlation or probability, or what is read of normal laws; None for H and KL of anything else."""
    if node.function in ("E", "Var", "Cov", "Std"):
        return _moment(reader, node)
    if node.function == "probability":
        return _probability(reader, node)
    if node.function == "Corr":
        return _correlation(reader, node)
    return read_normal(reader, node) or read_entropy(reader, node)


def _correlation(reader: TreeReader, node: Call) -> tuple[Term, Shape]:
    """Corr(x, y) = Cov(x, y) / √(Var(x) Var(y)) of numbers."""
    arguments = [reader.read(argument) for argument in node.arguments]
    if len(arguments) != 2 or not all(is_number(shape) for _, shape in arguments):
        raise UnknownName("Corr is read of two numbers", node.span)
    (x, _), (y, _) = arguments
    spreads = Combine("*", Moment("covariance", (x,)), Moment("covariance", (y,)))
    return Combine("/", Moment("covariance", (x, y)), Apply("sqrt", (spreads,))), SCALAR


def _probability(reader: TreeReader, node: Call) -> tuple[Term, Shape]:
    """P(x > y): the mean of what is 1 where x is larger."""
    (left, left_shape), (right, right_shape) = (reader.read(argument) for argument in node.arguments)
    if not (is_number(left_shape) and is_number(right_shape)):
        raise IllFormed("a probability is read of numbers that are compared", node.span)
    return Moment("mean", (Apply("greater", (left, right)),)), SCALAR


def _moment(reader: TreeReader, node: Call) -> tuple[Term, Shape]:
    """E has the shape of what it is of; Var of a vector may be a matrix, one number, or one for each entry."""
    given = [one for one in node.arguments if isinstance(one, Call) and one.function == "given"]
    if given:
        return _conditional(reader, node, given)
    arguments = [reader.read(argument) for argument in node.arguments]
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
    if reader.spread is None:  # the same for all of a claim
        reader.spread = reader.path.choose(3)
    kind = reader.spread
    if node.function == "Std":
        return Apply("sqrt", (Moment("total" if kind else "variances", resolved),)), SCALAR if kind else shapes[0]
    results = ((lengths[0], lengths[0]), SCALAR, shapes[0])
    return Moment(("covariance", "total", "variances")[kind], resolved), results[kind]


def _conditional(reader: TreeReader, node: Call, given: list[Call]) -> tuple[Term, Shape]:
    """E[x | y] = E x + Cov(x, y) Cov(y)⁻¹ (y − E y) and Var(x | y) = Cov x − Cov(x, y) Cov(y)⁻¹ Cov(y, x).

    So it is for jointly normal x and y; for others nothing is worked out.
    """
    plain = [one for one in node.arguments if one not in given]
    arguments = [reader.read(argument) for argument in plain]
    known = [[reader.read(side) for side in one.arguments] for one in given]
    shapes = [shape for _, shape in arguments] + [shape for sides in known for _, shape in sides]
    most = 2 if node.function == "Cov" else 1
    if not 1 <= len(plain) <= most or not all(is_number(shape) or is_column(shape) for shape in shapes):
        raise UnknownName("a conditional moment is read of numbers and columns, as in E[x | y]", node.span)
    about, value = (
        sides[0] if len(known) == 1 else Apply("vector", tuple(sides))
        for sides in ([one[0][0] for one in known], [one[-1][0] for one in known])
    )
    first, second = arguments[0][0], arguments[-1][0]
    slope = Combine("*", Moment("normal", (first, about)), Apply("inverse", (Moment("normal", (about,)),)))
    if node.function == "E":
        shift = Combine("*", slope, Combine("-", value, Moment("mean", (about,))))
        return Combine("+", Moment("mean", (first,)), shift), shapes[0]
    left = Combine("*", slope, Apply("transpose", (Moment("normal", (second, about)),)))
    rest = Combine("-", Moment("normal", (first, second)), left)
    lengths = [length_of(shape) for _, shape in arguments]
    if node.function == "Std":
        return Apply("sqrt", (rest,)), SCALAR
    return rest, (lengths[0], lengths[-1])


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
