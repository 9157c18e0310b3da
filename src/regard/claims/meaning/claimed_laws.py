"""What a claim says of a law, as statements about moments: x ~ N(m, v), x ~ χ²_k, and x ⫫ y for independence.

Independence of what is linear in normal noise is Cov(x, y) = 0. Of other numbers, what is tried is that no power of x
up to the second varies with one of y; as a condition that is not read, since more would be meant.
"""

from __future__ import annotations

import math
import re
from fractions import Fraction

from regard.claims.meaning.randomness import may_be_deviation
from regard.claims.meaning.resolve import ZERO, TreeReader
from regard.claims.meaning.shapes import IllFormed, UnknownName, describe, is_number, is_vector, unify_shapes
from regard.claims.meaning.terms import (
    Apply,
    Combine,
    Constant,
    Definition,
    Entry,
    IndexedSum,
    Moment,
    Ref,
    Statement,
    Term,
    subterms,
    symbols_in,
)
from regard.claims.syntax.tree import Call, OneOf, Relation

_POWERS = ((1, 1), (2, 1), (1, 2), (2, 2))
_LINEAR = frozenset({"transpose", "negative", "diag", "trace", "sum", "mean", "vector"})


def state_law(reader: TreeReader, relation: Relation) -> list[Statement]:
    """x ~ N(m, v): x is normal, E x = m, Var x = v; a second argument that is a number may also be a deviation."""
    law = relation.right
    if isinstance(law, OneOf):
        law = law.readings[0]
    if isinstance(law, Call) and law.function == "chisq":
        return _chi_square(reader, relation, law)
    if not isinstance(law, Call) or law.function != "N" or len(law.arguments) != 2:
        raise UnknownName("after ~ a normal law is expected: N(mean, variance)", relation.right.span)
    left, shape = reader.read(relation.left)
    mean, mean_shape = reader.read(law.arguments[0])
    spread, spread_shape = reader.read(law.arguments[1])
    if mean != ZERO and not unify_shapes(mean_shape, shape):
        raise IllFormed(f"{describe(shape)} cannot have the mean {describe(mean_shape)}", law.arguments[0].span)
    length = shape[0] if not is_number((shape[0], 1)) else shape[1]
    if not unify_shapes(spread_shape, (length, length)):
        wanted = describe((length, length))
        raise IllFormed(f"the variance must be {wanted}; got {describe(spread_shape)}", law.arguments[1].span)
    if is_number(spread_shape) and may_be_deviation(reader, law.arguments[1]) and reader.path.choose(2):
        spread = Combine("^", spread, Constant(Fraction(2)))
        reader.notes.append("the second number of N(·, ·) read as a standard deviation")
    elif is_number(spread_shape):
        reader.notes.append("the second number of N(·, ·) read as a variance")
    vanishing = {spec.name for spec in reader.setting.symbols if spec.limit is not None}
    vanishing |= {one.name for one in reader.setting.symbols if _has_any(one.definition, vanishing)}  # Σ_i = αI
    is_exact = reader.setting.broadcasts or (symbols_in(mean) | symbols_in(spread)) & vanishing
    comparison = "=" if is_exact else "≈"  # N(C, α C²) is meant exactly, N(1, ½) may leave out what vanishes
    return [
        Statement("normal", left, left, span=relation.span),
        Statement(comparison, Moment("mean", (left,)), mean, span=relation.span, moment="mean"),
        Statement(comparison, Moment("covariance", (left,)), spread, span=relation.span, moment="variance"),
    ]


def _has_any(definition: str | None, names: set[str]) -> bool:
    return definition is not None and bool(names & set(re.findall(r"[A-Za-z]+", definition)))


def _chi_square(reader: TreeReader, relation: Relation, law: Call) -> list[Statement]:
    """x ~ χ²_k: mean k, variance 2k and third central moment 8k, which is what is tried."""
    left, shape = reader.read(relation.left)
    n, n_shape = reader.read(law.arguments[0])
    if not (is_number(shape) and is_number(n_shape)):
        raise IllFormed(f"a χ² law is one of a number; got {describe(shape)}", relation.span)
    reader.notes.append("a χ² law is tried by its first three moments")
    centred = Combine("-", left, n)
    sides = (
        ("mean", Moment("mean", (left,)), n),
        ("variance", Moment("covariance", (left,)), Combine("*", Constant(Fraction(2)), n)),
        ("third moment", Moment("mean", (Combine("^", centred, Constant(Fraction(3))),)), None),
    )
    eight = Combine("*", Constant(Fraction(8)), n)
    return [
        Statement("=", one, other if other is not None else eight, span=relation.span, moment=name)
        for name, one, other in sides
    ]


def state_independence(reader: TreeReader, relation: Relation, *, is_given: bool = False) -> list[Statement]:
    """What is to be judged, or with `is_given` what instances must satisfy.

    Raises: UnknownName for matrices, for vectors that are not normal, and for a condition on what is not.
    """
    sides = [reader.read(side) for side in (relation.left, relation.right)]
    (x, x_shape), (y, y_shape) = sides
    if not (is_vector(x_shape) and is_vector(y_shape)):
        raise UnknownName("independence is read of numbers and vectors", relation.span)
    is_normal = all(random_degree(reader, side) <= 1 for side in (x, y))
    if is_normal:
        return [Statement("=", Moment("covariance", (x, y)), ZERO, span=relation.span, moment="covariance")]
    if is_given or not (is_number(x_shape) and is_number(y_shape)):
        words = "of what is not normal, independence is read as a claim about two numbers only"
        raise UnknownName(f"{words}; as a condition give the letters laws of their own, X ~ N(0, 1)", relation.span)
    reader.notes.append("independence is tried by the covariances of first and second powers")
    return [
        Statement(
            "=", Moment("covariance", (_power(x, a), _power(y, b))), ZERO, span=relation.span, moment="covariance"
        )
        for a, b in _POWERS
    ]


def _power(term: Term, exponent: int) -> Term:
    return term if exponent == 1 else Combine("^", term, Constant(Fraction(exponent)))


def random_degree(reader: TreeReader, term: Term) -> float:
    """The degree of a term as a polynomial in random letters; infinite where it is none."""
    match term:
        case Ref():
            return _degree_of_symbol(reader, term.symbol)
        case Moment():
            return 0
        case Combine(operator="+" | "-"):
            return max(random_degree(reader, term.left), random_degree(reader, term.right))
        case Combine(operator="/"):
            return math.inf if random_degree(reader, term.right) else random_degree(reader, term.left)
        case Combine(operator="^"):
            return _degree_of_power(reader, term)
        case Combine():
            return random_degree(reader, term.left) + random_degree(reader, term.right)
        case Entry():
            return random_degree(reader, term.of)
    inside = max((random_degree(reader, one) for one in subterms(term)), default=0)
    is_linear = isinstance(term, IndexedSum) and term.operator == "+"
    is_linear = is_linear or (isinstance(term, Apply) and term.function in _LINEAR)
    return inside if is_linear or not inside else math.inf


def _degree_of_symbol(reader: TreeReader, name: str) -> float:
    definition: Definition | None = reader.local.get(name)
    if definition is not None:
        return max(random_degree(reader, body) for body in (definition.body, *(one for _, one in definition.special)))
    return int(any(spec.name == name and spec.random for spec in reader.setting.symbols))


def _degree_of_power(reader: TreeReader, term: Combine) -> float:
    base = random_degree(reader, term.left)
    if not base and not random_degree(reader, term.right):
        return 0
    is_whole = isinstance(term.right, Constant) and term.right.value.denominator == 1 and term.right.value > 0
    return base * float(term.right.value) if is_whole and isinstance(term.right, Constant) else math.inf
