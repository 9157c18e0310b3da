"""Laws of letters, written into a claim before it is interpreted: those that nobody states, and those of noisy keys.

A letter that only ever stands in E, Var, Cov or P is random: Var(X + Y) = Var(X) + Var(Y), E[a^T x] = a^T E[x]. So that
as little as possible is taken for granted, such letters get any means, share some of their noise unless the claim calls
them independent, and numbers are not normal unless it says so:

    numbers    X = m + u ξ + w (ξ ζ + ζ²)      m, u, w any numbers, ξ and ζ standard normal and common to all
    normal     X = m + u ξ + w ζ               of letters that are called jointly normal
    positive   X = e^(m + u ξ) + w² ζ²         of letters that are called positive
    vectors    x = m + U ξ                      U any matrix; u ∘ ξ where the X_i are called independent

X ⫫ Y among what is given makes letters independent; claimed, it is judged.

A claim may give the noisy keys of a setting other laws: k_a ~ N(μ_a, 2αI), Σ_a = αI + ½ μ_a μ_aᵀ, Cov(k_i) = 3αI. The
keys have then to be drawn from it. As a premise to be checked it would never be true, for the setting draws its keys
from another law; as another name for a matrix it would say nothing of the keys. So it is written as k_a = μ_a + ε with
ε ~ N(0, Σ), noise of the claim's own.
"""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

from regard.claims.syntax.letters import CONSTANT_NAMES, GREEK_NAMES, MOMENTS
from regard.claims.syntax.sums import INDICES
from regard.claims.syntax.tree import (
    Binary,
    Call,
    Claim,
    Node,
    Number,
    OneOf,
    Relation,
    Symbol,
    children,
    symbol_names,
    walk,
)

RANDOM_FUNCTIONS = MOMENTS | {"Corr", "probability", "given"}
CONSTANT_LETTERS = frozenset({*"abcdtnmijlABC", "alpha", "beta", "lambda", "mu", "rho", "sigma", "tau"})
"""Letters that nobody takes for random ones, wherever they stand."""
SEVERAL = frozenset("XYZ")
"""Letters of random numbers of which there may be several: X_i."""
_NORMAL = re.compile(r"normal|[Gg]aussian")
_INDEPENDENT = re.compile(r"independen|i\.?i\.?d")


def with_unstated_laws(claim: Claim, *, as_vectors: bool) -> Claim | None:
    """The claim with a law for each letter that is random by its use; None where it has none, or states laws itself."""
    parts = (claim, *claim.more)
    relations = [relation for part in parts for relation in (*part.relations, *part.context)]
    positive = {one.left.name for one in relations if _says_positive(one) and isinstance(one.left, Symbol)}
    names = _random_letters([one for one in relations if not _says_positive(one)])
    as_vectors = as_vectors or bool(names & _letters_with_index(relations))
    if not names or any(relation.comparison == "~" for relation in relations) or (as_vectors and positive & names):
        return None
    is_judged = any(one.comparison == "⫫" for one in relations)
    changed = [
        _with_laws(part, names, positive, as_vectors=as_vectors, is_independent=_is_independent(part, is_judged))
        for part in parts
    ]
    return replace(changed[0], more=tuple(changed[1:]))


def _is_independent(part: Claim, is_judged: bool) -> bool:
    """Whether independence is given: by a sign, or by a word where it is not what is to be judged."""
    return any(one.comparison == "⫫" for one in part.premises) or (
        not is_judged and _INDEPENDENT.search(part.text) is not None
    )


def _with_laws(part: Claim, names: set[str], positive: set[str], *, as_vectors: bool, is_independent: bool) -> Claim:
    words = f"{', '.join(sorted(names))}: random, with any means and variances"
    words += ", independent" if is_independent else ""
    laws = _laws(names, positive, part.text, as_vectors=as_vectors, is_independent=is_independent)
    given = [
        one
        for one in part.premises
        if one.comparison != "⫫" and not (_says_positive(one) and getattr(one.left, "name", "") in names)
    ]
    universal = tuple(word for word in part.universal if word not in names)
    notes = (*part.notes, words)
    return replace(part, premises=(*laws, *given), universal=universal, notes=notes, more=())


def _says_positive(relation: Relation) -> bool:
    """X > 0, X ≥ 0 or `X is positive`, of a letter by itself."""
    if not isinstance(relation.left, Symbol) or relation.left.subscripts:
        return False
    if relation.comparison == "is":
        return getattr(relation.right, "name", "") in ("positive", "nonnegative")
    return relation.comparison in (">", "≥") and relation.right == Number(Fraction(0))


def _random_letters(relations: list[Relation]) -> set[str]:
    inside: set[str] = set()
    outside: set[str] = set()
    for relation in relations:
        for side in (relation.left, relation.right):
            _sort(side, inside, outside, is_inside=relation.comparison == "⫫")
    found = inside - outside - CONSTANT_NAMES - CONSTANT_LETTERS
    found = {name for name in found if name.isupper()} or found
    is_odd = any(len(name) > 1 or (name in _letters_with_index(relations) and name not in SEVERAL) for name in found)
    return set() if is_odd else found


def _letters_with_index(relations: list[Relation]) -> set[str]:
    """Letters with an index."""
    nodes = [node for one in relations for node in walk(one)]
    return {node.name for node in nodes if isinstance(node, Symbol) and node.subscripts and len(node.name) == 1}


def _sort(node: Node, inside: set[str], outside: set[str], *, is_inside: bool) -> None:
    if isinstance(node, Symbol):
        (inside if is_inside else outside).add(node.name)
    is_moment = _is_of_random(node)
    parts = children(node)
    if isinstance(node, OneOf):
        with_moment = [
            one for one in parts if any(isinstance(n, Call) and n.function in RANDOM_FUNCTIONS for n in walk(one))
        ]
        parts = tuple(with_moment[:1]) or (parts[1:] if _is_run(parts[0]) else parts)  # XY is X times Y
    for child in parts:
        _sort(child, inside, outside, is_inside=is_inside or is_moment)


def _is_of_random(node: Node) -> bool:
    return isinstance(node, Call) and node.function in RANDOM_FUNCTIONS


def _is_run(node: Node) -> bool:
    """Whether this is a name of several letters that nobody knows, alone or transposed."""
    while isinstance(node, Call) and node.arguments:
        node = node.arguments[0]
    node = node.left if isinstance(node, Binary) and node.operator == "^" else node
    return isinstance(node, Symbol) and len(node.name) > 1 and node.name.split("_")[0] not in GREEK_NAMES


def _laws(
    names: set[str], positive: set[str], text: str, *, as_vectors: bool, is_independent: bool
) -> tuple[Relation, ...]:
    is_entrywise = is_independent and as_vectors and re.search(r"(?<![A-Za-z])[XYZ]_", text) is not None
    spread = Symbol("I") if as_vectors else Number(Fraction(1))
    found: list[Relation] = []
    for name in sorted(names):
        label = (name.upper(),)
        noise, second, third = (Symbol(one, label if is_independent else ()) for one in ("xi", "zeta", "eta"))
        if as_vectors:
            scale = Symbol("u" if is_entrywise else "U", label)
            body: Node = Binary("+", Symbol("m", label), Binary("∘" if is_entrywise else "*", scale, noise))
        elif name in positive:
            body = _positive(label, noise, second if len(names) > 1 and not is_independent else noise)
        elif _NORMAL.search(text):
            body = _normal(label, [noise] if is_independent else [noise, second, third][: max(2, len(names))])
        else:
            body = _bent(label, noise, second)
        used = [one for one in (noise, second, third) if any(node == one for node in walk(body))]
        laws = [Relation("~", one, Call("N", (Number(Fraction(0)), spread))) for one in used]
        found += [law for law in laws if law not in found]
        found.append(Relation("=", Symbol(name), body))
    return tuple(found)


def _bent(label: tuple[str, ...], noise: Symbol, second: Symbol) -> Node:
    """m + u ξ + w (ξ ζ + ζ²)."""
    curve = Binary("+", Binary("*", noise, second), _square(second))
    line = Binary("+", Symbol("m", label), Binary("*", Symbol("u", label), noise))
    return Binary("+", line, Binary("*", Symbol("w", label), curve))


def _normal(label: tuple[str, ...], noises: list[Symbol]) -> Node:
    """m + u ξ + w ζ."""
    body: Node = Symbol("m", label)
    for scale, noise in zip("uwh", noises, strict=False):
        body = Binary("+", body, Binary("*", Symbol(scale, label), noise))
    return body


def _positive(label: tuple[str, ...], noise: Symbol, second: Symbol) -> Node:
    """e^(m + u ξ) + w² ζ²."""
    exponent = Binary("+", Symbol("m", label), Binary("*", Symbol("u", label), noise))
    return Binary("+", Call("exp", (exponent,)), Binary("*", _square(Symbol("w", label)), _square(second)))


def _square(node: Node) -> Node:
    return Binary("^", node, Number(Fraction(2)))


NOISE_LETTERS = ("epsilon", "eta", "zeta", "omega", "delta", "psi")
KEY, COVARIANCE, MEAN = "k", "Sigma", "mu"


def draw_keys_as_given(claim: Claim) -> Claim:
    """The claim with each law that it takes as given for a noisy key as mean plus noise."""
    used = symbol_names(*claim.relations)
    free = [name for name in NOISE_LETTERS if name not in used]
    listed = tuple(one for one in claim.statements if one.comparison == "=" and _is_covariance(one.left))
    listed = listed if len(listed) < len(claim.statements) else ()  # beside a statement about something else
    given = (*claim.premises, *listed)
    covariances = {one.left: one.right for one in given if one.comparison == "=" and _is_covariance(one.left)}
    said = {key: one for one in given if (key := _key_of(one)) is not None}
    premises: list[Relation] = [one for one in given if not (_is_law(one) and _key_of(one) in said)]
    for key, one in said.items():
        mean, covariance = _mean_and_covariance(key, one, covariances)
        if isinstance(covariance, Symbol) and covariance.name == COVARIANCE:
            premises += [one] if _is_law(one) else []  # k_i ~ N(μ_i, Σ_i) is what the setting says
            continue
        if not free:
            return claim
        premises += _mean_plus_noise(key, mean, covariance, free.pop(0))
    statements = tuple(one for one in claim.statements if one not in listed)
    return replace(claim, premises=tuple(premises), statements=statements)


def _is_covariance(node: Node) -> bool:
    return isinstance(node, Symbol) and node.name == COVARIANCE and len(node.subscripts) == 1


def _is_law(relation: Relation) -> bool:
    return relation.comparison == "~" and isinstance(_first(relation.right), Call)


def _key_of(relation: Relation) -> Symbol | None:
    """The key whose law a premise gives: k_a of k_a ~ N(m, S), of Σ_a = S and of Cov(k_a) = S."""
    left = _first(relation.left)
    law = _first(relation.right)
    if relation.comparison == "~" and isinstance(law, Call) and law.function == "N" and len(law.arguments) == 2:
        return left if _is_key(left) else None  # type: ignore[return-value]
    if relation.comparison != "=":
        return None
    if _is_covariance(left):
        return Symbol(KEY, left.subscripts)  # type: ignore[union-attr]
    if isinstance(left, Call) and left.function in ("Var", "Cov") and len(left.arguments) == 1:
        return _first(left.arguments[0]) if _is_key(_first(left.arguments[0])) else None  # type: ignore[return-value]
    return None


def _is_key(node: Node) -> bool:
    return isinstance(node, Symbol) and node.name == KEY and len(node.subscripts) == 1


def _first(node: Node) -> Node:
    return node.readings[0] if isinstance(node, OneOf) else node


def _mean_and_covariance(key: Symbol, relation: Relation, covariances: dict[Node, Node]) -> tuple[Node, Node]:
    """Where the key lies, and how it spreads; Σ_a as the claim says what it is."""
    law = _first(relation.right)
    if relation.comparison == "~":
        assert isinstance(law, Call)
        return law.arguments[0], covariances.get(law.arguments[1], law.arguments[1])
    return Symbol(MEAN, key.subscripts, relation.left.span), relation.right


def _mean_plus_noise(key: Symbol, mean: Node, covariance: Node, letter: str) -> list[Relation]:
    """k_a = μ_a + ε and ε ~ N(0, Σ); the noise has an index where the law is one of all keys."""
    runs = key.subscripts[0] in INDICES
    noise = Symbol(letter, key.subscripts if runs else ())
    zero = Number(Fraction(0))
    return [
        Relation("=", key, Binary("+", mean, noise, mean.span), mean.span),
        Relation("~", noise, Call("N", (zero, covariance), covariance.span), covariance.span),
    ]
