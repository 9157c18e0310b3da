"""What is near a false statement: a factor, a sign, a limit, a large factor, another goal."""

import pytest

from regard.claims.check import check


@pytest.mark.parametrize(
    ("claim", "setting", "nearest"),
    [
        ("2 s = V c", "attention", None),
        ("s = 2 K q", "attention", "a factor is missing: the left side is 1/2 times the right side"),
        ("s = -K q", "attention", "the sign is wrong: the left side is minus the right side"),
        ("q = C k_a; c = v_a", "orthonormal-keys", "≈ instead of =: it holds as C → ∞"),
        ("M = A^T", "two-subspaces", "instead M s = c holds; M = A Aᵀ reaches the goal"),
    ],
)
def test_nearest(claim, setting, nearest, unchecked):
    found = check(claim, setting=setting)
    assert found.verdict == "fails"
    assert found.nearest == nearest
