"""Laws that a claim gives the noisy keys of a setting: k_a ~ N(μ_a, 2αI), Σ_a = αI + ½ μ_a μ_aᵀ, Cov(k_i) = 3αI.

Where such a law is given, the keys have to be drawn from it. As a premise to be checked it would never be true, for the
setting draws its keys from another law; as another name for a matrix it would say nothing of the keys. So it is written
as k_a = μ_a + ε with ε ~ N(0, Σ), noise of the claim's own.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from regard.claims.syntax.sums import INDICES
from regard.claims.syntax.tree import Binary, Call, Claim, Node, Number, OneOf, Relation, Symbol, symbol_names

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
