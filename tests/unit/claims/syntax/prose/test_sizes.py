"""Sizes of matrices that nothing else speaks of."""

from regard.claims.syntax.prose.sizes import plain_size, tall_columns


def test_a_size_that_nothing_else_speaks_of():
    assert plain_size("A ∈ R^{m×n}", ["tr(A) = 0"]) == "A is a matrix"
    assert plain_size("A ∈ R^{n×n}", ["tr(A) = 0"]) == "A is square"
    assert plain_size("A ∈ R^{m×n}", ["m = 2"]) == "A ∈ R^{m×n}"


def test_orthonormal_columns_are_those_of_a_tall_matrix():
    assert tall_columns(["A^T A = I"], "A^T A = proj(A)") == ["A ∈ R^{m×r}"]
    assert tall_columns(["A^T A = I"], "A A^T = proj(A)") == []
    assert tall_columns(["A^T A = I", "A ∈ R^{n×k}"], "A^T A = proj(A)") == []
