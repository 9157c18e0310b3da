"""What is said of a formula, as an equation about it."""

import pytest

from regard.claims.check import check
from regard.claims.syntax.english import predicates


@pytest.mark.parametrize(
    ("rewriter", "text", "expected"),
    [
        (predicates.state_values, "then q·k has mean 0 and variance d.", "then E[q·k] = 0 and Var(q·k) = d."),
        (predicates.state_values, "A x = b has no solution", "A x = b has no solution"),
        (predicates.state_values, "X has standard deviation at most one quarter", "Std(X) ≤ 1/4"),
        (predicates.state_sameness, "A has the same rank as A^T A", "rank(A) = rank(A^T A)"),
        (predicates.open_conditions, "x = y (a ≠ b).", "x = y for a ≠ b."),
        (predicates.open_conditions, "x = f (a + b).", "x = f (a + b)."),
    ],
)
def test_text(rewriter, text, expected):
    assert rewriter(text) == expected


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [("AᵀA and AAᵀ have the same nonzero eigenvalues.", "holds"), ("AᵀA and AAᵀ have the same determinant.", "fails")],
)
def test_verdict(claim, verdict, unchecked):
    assert check(claim).verdict == verdict
