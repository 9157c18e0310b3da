"""Sizes of matrices that a sentence names and nothing else speaks of, or leaves open."""

from __future__ import annotations

import re

from regard.claims.syntax.prose.signs import symbols_in

_SIZE = re.compile(
    r"(?P<name>\w) (?:∈|\\in) (?:R|ℝ|\\mathbb\{R\})\^\{(?P<rows>[a-zA-Z])\s*(?:×|\\times)\s*(?P<columns>[a-zA-Z])\}"
)


def plain_size(relation: str, others: list[str]) -> str:
    """A is a matrix, for A ∈ R^{m×n} where nothing else speaks of m and n: other letters may have other sizes."""
    found = _SIZE.fullmatch(relation)
    if found is None or {found["rows"], found["columns"]} & {letter for one in others for letter in symbols_in(one)}:
        return relation
    return f"{found['name']} is {'square' if found['rows'] == found['columns'] else 'a matrix'}"


def tall_columns(conditions: list[str], claimed: str) -> list[str]:
    """A ∈ R^{m×r} for orthonormal columns of A, where the claim would else have room for square ones alone."""
    found = [one for each in conditions if (one := re.fullmatch(r"([A-Z])\^T \1 = I", each))]
    used = {letter for one in (*conditions, claimed) for letter in symbols_in(one)}
    is_free = not used & {"m", "r"} and not any("∈" in one for one in conditions)
    names = [one[1] for one in found if is_free and f"{one[1]}^T {one[1]}" in claimed]
    return [f"{name} ∈ R^{{m×r}}" for name in names]
