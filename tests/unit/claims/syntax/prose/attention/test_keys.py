"""What is said of keys, queries and values."""

import pytest

from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    ("sentence", "given"),
    [
        ("n orthonormal keys, q = C k_a: α_a = 1", "Let the keys be orthonormal. Let q = C k_a. "),
        ("Orthonormal keys again. If q = C k_a, then α_a = 1.", "Let the keys be orthonormal. Let q = C k_a. "),
        ("With five orthonormal keys and q = 0, α_a = 1.", "Let the keys be orthonormal. Let n = 5. Let q = 0. "),
        ("If all values are equal to v, then α_a = 1.", "Let v_i = v. "),
        (
            "All keys are unit vectors and pairwise distinct. Then α_a = 1.",
            "Let ‖k_m‖ = 1. Let k_m ≠ k_l for all m ≠ l. ",
        ),
        ("Two keys only: q = 0. Then α_a = 1.", "Let n = 2. Let q = 0. "),
        ("If the query is a very large multiple of k_a, then α_a = 1.", "Let q = C k_a. Let C → ∞. "),
        ("q = C(k_a + k_b), keys orthonormal. Then α_a = 1.", "Let q = C(k_a + k_b). Let the keys be orthonormal. "),
    ],
)
def test_given(sentence, given):
    assert read_prose(sentence).claims == (f"{given}Then α_a = 1",)


@pytest.mark.parametrize(
    "sentence",
    [
        "With d + 1 orthonormal keys, α_a = 1 for every query.",
        "With n + 1 orthonormal keys, α_a = 1 for every query.",
        "All keys are brown, so that α_a = 1.",
    ],
)
def test_refused(sentence):
    assert read_prose(sentence) is None
