"""The number of tokens in a formula for the perplexity, which may have another letter: PP = exp(−(1/M) Σ ln p_t)."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from regard.claims.syntax.sentence.items import with_index
from regard.claims.syntax.tree import Claim, Relation, Symbol, walk

_COUNTS = frozenset({"M", "T", "n", "K", "m", "L"})
"""Letters that people take for the number of tokens."""


def name_token_count(claim: Claim) -> Claim:
    """The claim with N for the one letter that counts the tokens of PP and p_t; any other claim as it is."""
    everything = [one for each in (claim, *claim.more) for one in each.relations]
    symbols = [node for one in everything for node in walk(one) if isinstance(node, Symbol)]
    names = {node.name for node in symbols}
    counts = names & _COUNTS
    if not {"PP", "p"} <= names or "N" in names or len(counts) != 1:
        return claim
    letter = counts.pop()
    if any(node.name == letter and node.subscripts for node in symbols):
        return claim
    return _renamed(claim, letter)


def _renamed(claim: Claim, letter: str) -> Claim:
    def put(relations: tuple[Relation, ...]) -> tuple[Relation, ...]:
        return tuple(cast(Relation, with_index(one, letter, "N")) for one in relations)

    return replace(
        claim,
        statements=put(claim.statements),
        premises=put(claim.premises),
        context=put(claim.context),
        more=tuple(_renamed(one, letter) for one in claim.more),
    )
