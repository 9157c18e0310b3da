"""Means of functions of normal numbers that are no polynomials but have a closed form: eˣ, |x|, relu(x), P(x > y).

With m and s² the mean and variance of x, φ and Φ the standard normal density and distribution function:

    E e^x       = e^(m + s²/2);   E p(z) e^(a·z) for standard normal z is e^(a·a/2) E p(z + a)
    P(x > 0)    = Φ(m/s);         P(|x| > c) = Φ((m − c)/s) + Φ((−m − c)/s) for c ≥ 0
    E relu(x)   = s φ(m/s) + m Φ(m/s);  E |x| = 2 E relu(x) − m
    E ‖x‖       = s √2 Γ((d + 1)/2) / Γ(d/2) for d independent entries of mean 0 and variance s²
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from regard.claims.meaning.terms import Apply, Combine, Ref, Term
from regard.claims.trial.arithmetic.decimals import PI
from regard.claims.trial.arithmetic.numbers import Arithmetic, NotPolynomial, Value
from regard.claims.trial.arithmetic.polynomial import Monomial, Polynomial, Polynomials, gaussian_moment, variable
from regard.claims.trial.tree_evaluation import World, evaluate


def normal_mean(node: Term, world: World, bound: Mapping[str, int]) -> Value | None:
    """E of one of the forms above; None where the expression has none of them at its top."""
    node = _write_out(node, world)
    if isinstance(node, Apply) and node.function == "greater":
        return _probability(node, world, bound)
    if isinstance(node, Apply) and node.function in ("abs", "relu"):
        return _mean_of_rectifier(node, world, bound)
    if isinstance(node, Apply) and node.function == "norm":
        return _length(evaluate(node.arguments[0], world, bound), world)
    exponents, others = _split_exponentials(node, world)
    if not exponents:
        return None
    exponent = evaluate(exponents[0], world, bound)
    for one in exponents[1:]:
        exponent = exponent + evaluate(one, world, bound)
    return _with_exponential(exponent, [evaluate(one, world, bound) for one in others], world)


def _write_out(node: Term, world: World) -> Term:
    """What a symbol stands for that is defined as a whole: eˣ for Y of Y = eˣ."""
    while isinstance(node, Ref) and not node.indices and node.symbol in world.definitions:
        definition = world.definitions[node.symbol]
        if definition.index is not None or node.symbol in world.given:
            break
        node = definition.body
    return node


def _split_exponentials(node: Term, world: World) -> tuple[list[Term], list[Term]]:
    """The exponents and the other factors of a product."""
    node = _write_out(node, world)
    if isinstance(node, Apply) and node.function == "exp":
        return [node.arguments[0]], []
    if isinstance(node, Combine) and node.operator == "*":
        parts = [_split_exponentials(side, world) for side in (node.left, node.right)]
        return parts[0][0] + parts[1][0], parts[0][1] + parts[1][1]
    return [], [node]


def _with_exponential(exponent: Value, factors: list[Value], world: World) -> Value:
    """E of a product of polynomials and the exponential of a linear one, by a shift of the noise."""
    if any(entry.degree > 1 for entry in exponent.flat):
        raise NotPolynomial("the exponential of what is not normal")
    if not factors:
        mean, variance, numbers = _mean_and_variance(exponent, world)
        return numbers.apply("exp", mean + variance / numbers.number(2))
    if exponent.size > 1:
        raise NotPolynomial("a product with the exponential of a vector")
    slopes = {monomial[0]: slope for monomial, slope in exponent.flat[0].terms.items() if monomial}
    product = factors[0]
    for factor in factors[1:]:
        is_scaling = product.shape[-2:] == (1, 1) or factor.shape[-2:] == (1, 1)
        product = product * factor if is_scaling else product @ factor
    shifted = np.empty(product.shape, dtype=object)
    for place in np.ndindex(product.shape):
        shifted[place] = _shift(product[place], slopes)
    mean, variance, numbers = _mean_and_variance(exponent, world)
    return expectation(shifted, gaussian_moment, world) * numbers.apply("exp", mean + variance / numbers.number(2))


def _shift(polynomial: Polynomial, slopes: dict[Any, Any]) -> Polynomial:
    """p(z + a)."""
    total = Polynomial({})
    for monomial, coefficient in polynomial.terms.items():
        term = Polynomial({(): coefficient})
        for name in monomial:
            term = term * (variable(name) + slopes.get(name, 0))
        total = total + term
    return total


def _probability(node: Apply, world: World, bound: Mapping[str, int]) -> Value:
    larger, smaller = node.arguments
    for side, other, is_tail in ((larger, smaller, True), (smaller, larger, False)):
        if isinstance(side, Apply) and side.function == "abs":
            x, c = evaluate(side.arguments[0], world, bound), evaluate(other, world, bound)
            tail = _two_tails(x, c, world)
            assert isinstance(world.numbers, Polynomials)
            return tail if is_tail else world.numbers.numbers.number(1) - tail
    difference = evaluate(larger, world, bound) - evaluate(smaller, world, bound)
    mean, variance, numbers = _mean_and_variance(difference, world)
    with np.errstate(all="ignore"):
        return numbers.apply("normal_cdf", mean / numbers.apply("sqrt", variance))


def _two_tails(x: Value, bound: Value, world: World) -> Value:
    """P(|x| > c); 1 where c is negative."""
    mean, variance, numbers = _mean_and_variance(x, world)
    c, spread, _ = _mean_and_variance(bound, world)
    if bool((spread != 0).any()):
        raise NotPolynomial("an absolute value beside another random number")
    with np.errstate(all="ignore"):
        sd = numbers.apply("sqrt", variance)
        both = [numbers.apply("normal_cdf", (sign * mean - c) / sd) for sign in (1, -1)]
    return np.where(c < 0, numbers.number(1), both[0] + both[1])


def _mean_of_rectifier(node: Apply, world: World, bound: Mapping[str, int]) -> Value:
    """E relu(x), or E |x|."""
    mean, variance, numbers = _mean_and_variance(evaluate(node.arguments[0], world, bound), world)
    with np.errstate(all="ignore"):
        sd = numbers.apply("sqrt", variance)
        z = mean / sd
        density = numbers.apply("exp", -z * z / numbers.number(2))
        density = density / numbers.apply("sqrt", numbers.number(2 * Fraction(PI)))
        relu = sd * density + mean * numbers.apply("normal_cdf", z)
    return relu if node.function == "relu" else numbers.number(2) * relu - mean


def _length(value: Value, world: World) -> Value:
    """E ‖x‖ of independent entries with mean 0 and one variance."""
    names = [name for entry in value.flat for name in {name for monomial in entry.terms for name in monomial}]
    if len(names) != len(set(names)):
        raise NotPolynomial("the length of a vector whose entries are not independent")
    mean, variance, numbers = _mean_and_variance(value, world)
    first = variance[:, :1, :1]
    if bool((mean != 0).any()) or bool((variance != first).any()):
        raise NotPolynomial("the length of a vector whose entries have other laws")
    half, is_odd = divmod(value.size, 2)
    central = Fraction(math.factorial(2 * half), 4**half * math.factorial(half))  # Γ(half + ½)/√π
    root = numbers.apply("sqrt", numbers.number(Fraction(PI)))
    if is_odd:
        ratio = numbers.number(math.factorial(half) / central) / root
    else:
        ratio = numbers.number(central / math.factorial(half - 1)) * root
    return numbers.apply("sqrt", numbers.number(2) * first) * ratio


def _mean_and_variance(value: Value, world: World) -> tuple[Value, Value, Arithmetic]:
    """Mean and variance of each entry, which must be normal, and the arithmetic they are in."""
    if any(entry.degree > 1 for entry in value.flat):
        raise NotPolynomial("a mean of what is not normal")
    assert isinstance(world.numbers, Polynomials)
    mean = expectation(value, gaussian_moment, world)
    centred = value - with_axes(mean)
    return mean, expectation(centred * centred, gaussian_moment, world), world.numbers.numbers


def expectation(value: Value, moment: Callable[[Monomial], Any], world: World) -> Value:
    """E of each entry, with the draws back on a leading axis."""
    assert isinstance(world.numbers, Polynomials)
    one = world.numbers.numbers.number(1).flat[0]  # so that whole numbers become those of the arithmetic
    entries = [np.atleast_1d(entry.expectation(moment) * one) for entry in value.flat]
    return np.stack(np.broadcast_arrays(*entries), axis=-1).reshape(-1, *value.shape)


def with_axes(value: Value) -> Value:
    """Numbers (draw, …, row, column) as constant polynomials (…, row, column) with one coefficient a draw."""
    if value.ndim == 2:
        value = value[None]
    inner = np.empty(value.shape[1:], dtype=object)
    for place in np.ndindex(inner.shape):
        inner[place] = Polynomial({(): value[(slice(None), *place)]})
    return inner
