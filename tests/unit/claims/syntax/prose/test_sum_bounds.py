"""Sums whose bounds a text says elsewhere."""

import pytest

from regard.claims.check import check
from regard.claims.syntax.prose.sum_bounds import with_bounds


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("Σₜ x_t, t = 1, …, M", "Σ_{t=1}^M x_t, t = 1, …, M"),
        (r"\sum_{t} x_t for t = 1, \dots, M", r"\sum_{t=1}^M x_t for t = 1, \dots, M"),
        ("Σ_{t=1}^K x_t for t = 1, …, M", "Σ_{t=1}^K x_t for t = 1, …, M"),
        ("Σ_i x_i for t = 1, …, M", "Σ_i x_i for t = 1, …, M"),
        ("Σ_t x_t for t = 1, …, M and t = 1, …, K", "Σ_t x_t for t = 1, …, M and t = 1, …, K"),
    ],
)
def test_bounds(text, written):
    assert with_bounds(text) == written


def test_a_mean_is_one_over_all_of_them():
    text = "Let ℓ_t = −ln p_t for t = 1, …, M. Then exp((1/M) Σ_t ℓ_t) {} (1/M) Σ_t exp(ℓ_t)."
    assert check(text.format("≤")).verdict == "holds"
    assert check(text.format("≥")).verdict == "fails"
