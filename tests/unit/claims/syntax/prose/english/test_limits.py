"""Limits in words."""

import pytest

from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("tanh(x) approaches 1 as x tends to infinity.", ("Let x → ∞. Then tanh(x) → 1",)),
        ("In the limit of large x, tanh(x) goes to one.", ("Let x → ∞. Then tanh(x) → 1",)),
        ("x log x tends to 0 as x → 0 from above.", ("Let x → 0⁺. Then x log x → 0",)),
        ("The limit of sin(x)/x as x → 0 is 1.", ("Let x → 0. Then sin(x)/x → 1",)),
        ("e^x blows up as x grows without bound.", ("Let x → ∞. Then e^x → ∞",)),
        ("σ(x) does not tend to zero as x → ∞.", ("Let x → ∞. Then σ(x) → 0 does not hold",)),
        ("As the temperature goes to zero, T log 2 vanishes.", ("Let T → 0. Then T log 2 → 0",)),
        ("Z/T converges in probability to 1 as T → ∞.", ("Let T → ∞. Then E[Z/T] → 1", "Let T → ∞. Then Var(Z/T) → 0")),
        ("For large x, log(1 + e^x) is asymptotically equal to x.", ("Let x → ∞. Then log(1 + e^x) / x → 1",)),
    ],
)
def test_texts_in_signs(text, claims):
    assert read_prose(text).claims == claims


def test_where_nothing_goes_to_is_no_limit():
    assert read_prose("tanh(x) approaches 1 in the limit x = 3.") is None


def test_minus_infinity_in_words():
    assert read_prose("As x tends to minus infinity, e^x goes to 0.").claims == ("Let x → −∞. Then e^x → 0",)
