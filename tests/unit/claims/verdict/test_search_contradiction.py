"""What is given and the opposite of what is claimed, solved for at once."""

import numpy as np
import pytest

from regard.claims.check import check
from regard.claims.verdict.search import _distance


@pytest.mark.parametrize(
    "claim",
    ["P² = P, P x = λ x, x ≠ 0 ⇒ λ = 1", "Q^T Q = I, Q x = λ x, x ≠ 0 ⇒ λ = 1", "P² = P, Px = x, Py = 0 ⇒ x^T y = 0"],
)
def test_instances_of_another_kind_are_found(claim, unchecked):
    assert check(claim).verdict == "fails"


@pytest.mark.parametrize("claim", ["P² = P, P x = λ x, x ≠ 0 ⇒ λ² = λ", "A^T = −A ⇒ x^T A x = 0"])
def test_what_follows_is_not_contradicted(claim, unchecked):
    assert check(claim).verdict == "holds"


@pytest.mark.parametrize(("comparison", "expected"), [("=", 5.0), ("<", 3.0), (">", 4.0)])
def test_how_far_sides_speak_against_a_comparison(comparison, expected):
    left, right = np.array([[[3.0], [0.0]]]), np.array([[[0.0], [4.0]]])
    assert _distance(comparison, left, right) == pytest.approx([expected])


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("α_i ≥ 0.9 ⇒ α_j < 0.1 for j ≠ i", "fails"),
        ("α_i ≥ 0.9 ⇒ α_j ≤ 0.1 for j ≠ i", "holds"),
        ("α_i > 0.9 ⇒ α_j < 0.1 for j ≠ i", "holds"),
    ],
)
def test_what_is_given_is_tried_where_it_holds_with_equality(claim, verdict, unchecked):
    assert check(claim, setting="attention").verdict == verdict
