"""Sums over an index of which a text says how far it goes."""

import pytest

from regard.claims.syntax.bounded_sums import with_bounds


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Σ_t x_t > 0 for t = 1, …, M", "\\sum_{t=1}^{M} x_t > 0 for t = 1, …, M"),
        ("∏ₜ pₜ, t = 1, …, M", "\\prod_{t=1}^{M} pₜ, t = 1, …, M"),
        ("\\sum_{t} x_t, t = 1, \\dots, M", "\\sum_{t=1}^{M} x_t, t = 1, \\dots, M"),
    ],
)
def test_bounds(text, wanted):
    assert with_bounds(text) == wanted


@pytest.mark.parametrize(
    "text", ["Σ_i x_i for t = 1, …, M", "\\sum_{t=1}^{T} x_t for t = 1, …, M", "Σ_t x_t for t = 1, …, n", "Σ_t x_t"]
)
def test_what_is_left_alone(text):
    assert with_bounds(text) == text
