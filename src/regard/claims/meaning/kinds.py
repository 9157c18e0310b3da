"""What a letter may be, by how a claim uses it: number, vector, matrix, distribution, or a family of them.

Each guess has a cost: what people write seldom, a capital letter for a number, costs more.
"""

from __future__ import annotations

from regard.claims.meaning.resolve import SHIFTS
from regard.claims.meaning.symbols import SMALL_LETTERS
from regard.claims.meaning.usage import DISTRIBUTION_FUNCTIONS, Usage

MATRIX_FUNCTIONS = frozenset({"inverse", "det", "trace", "rank", "projector", "singularvalues"}) | {
    *("eigmin", "eigmax", "eigreal", "eigimag", "eigmoduli", "eigprod")
}
VECTOR_FUNCTIONS = frozenset({"norm", "norm_1", "norm_inf", "softmax", "logsumexp", "diag"})
MATRIX_WORDS = frozenset(
    {"matrix", "matrices", "symmetric", "orthogonal", "projection", "invertible", "definite", "idempotent"}
    | {"permutation", "semidefinite"}
)
VECTOR_LETTERS = frozenset("xyzuvwh")
"""Letters that people write for vectors beside matrices, or for rows: A x, W h, u vᵀ."""


def possible_kinds(name: str, usage: Usage) -> list[tuple[int, str]]:
    """What a letter may be, with what each guess costs."""
    said = usage.said
    if said & {"distribution", "distributions", "onehot", "probability"}:
        return [(0, "distribution")]
    if usage.shape is not None and len(usage.shape) == 1 and usage.functions & DISTRIBUTION_FUNCTIONS:
        return [(0, "distribution")]  # of no other p ∈ ℝ^n is there an entropy
    if usage.shape is not None:
        return [(0, ("number", "vector", "matrix")[len(usage.shape)])]
    if said & {"scalar", "scalars", "number", "numbers"}:
        return [(0, "number")]
    if said & {"vector", "vectors", "unit"}:
        return [(0, "vector"), (1, "family")]
    if said & MATRIX_WORDS:
        return [(0, "matrix")]
    if usage.is_random or usage.limit or usage.divides or usage.in_exponent:
        return [(0, "number"), (2, "vector"), (4, "matrix")]
    return _by_use(name, usage)


def _by_use(name: str, usage: Usage) -> list[tuple[int, str]]:
    is_capital = name[0].isupper()
    most_indices = max(usage.n_indices, default=0)
    if most_indices == 2:
        return [(0, "matrix"), (2, "family")]
    if usage.functions & DISTRIBUTION_FUNCTIONS and not is_capital:
        return [(0, "distribution"), (1, "vector"), (3, "number")]
    if most_indices == 1:
        if usage.transposed or usage.functions & VECTOR_FUNCTIONS:
            return [(0, "family"), (1, "vector"), (3, "matrix")]
        return [(0, "vector"), (1, "family"), (3, "matrix")]
    if usage.functions & MATRIX_FUNCTIONS:
        if is_capital:
            return [(0, "matrix"), (3, "number")]
        is_vector = usage.transposed or usage.after_transpose or (usage.by_matrix and name in VECTOR_LETTERS)
        return [(0, "vector"), (1, "matrix")] if is_vector else [(0, "number"), (1, "vector"), (2, "matrix")]
    if is_capital:
        is_weight = name[0] == "W"  # nobody writes W for a number, which would make W x = x W
        return [(0, "matrix"), (4, "vector")] if is_weight else [(0, "matrix"), (3, "number"), (4, "vector")]
    is_vector = usage.transposed or usage.after_transpose
    if name in SMALL_LETTERS and not is_vector and not usage.functions & VECTOR_FUNCTIONS:
        return [(0, "number")]
    is_shift = name in SHIFTS and not usage.functions & {"norm", "norm_1", "norm_inf"}
    if is_vector or (usage.functions & VECTOR_FUNCTIONS and not is_shift):
        is_certain = usage.transposed or usage.after_transpose
        return [(0, "vector")] if is_certain else [(0, "vector"), (2, "number")]
    if usage.by_matrix and name in VECTOR_LETTERS:
        return [(0, "vector"), (1, "number"), (3, "matrix")]
    return (
        [(0, "number"), (1, "vector"), (4, "matrix")] if name != "x" else [(0, "number"), (1, "vector"), (3, "matrix")]
    )
