"""How a thing depends on a letter."""

import pytest

from regard.claims.check import check
from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        ("softmax(z/T) does not depend on T.", ("∂/∂T (softmax(z/T)) = 0",)),
        ("x² grows quadratically with x.", ("∂/∂x ((x²)/x^{2}) = 0",)),
        ("The sigmoid is strictly increasing in x.", ("∂/∂x (σ(x)) > 0",)),
        ("x² is minimal at x = 0.", ("x² ≥ (0)²",)),
        (
            "p(1 - p) is maximised when p = 1/2, where it equals 1/4.",
            ("p(1 - p) ≤ (1/2)(1 - (1/2))", "(1/2)(1 - (1/2)) = 1/4"),
        ),
    ],
)
def test_sentences(sentence, claims):
    assert read_prose(sentence).claims == claims


def test_convex_functions_lie_below_their_chords():
    assert read_prose("x² is convex in x.").claims == ("((x + y)/2)² ≤ (x² + y²)/2",)
    assert read_prose("x² is strictly convex in x.").claims == ("∂²(x²)/∂x² is positive definite",)


def test_a_letter_that_is_not_there_is_not_read():
    assert read_prose("x² does not depend on y.") is None


@pytest.mark.parametrize(
    ("claim", "is_true"),
    [
        ("The value of tanh at 0 is 0.", True),
        ("The value of tanh at 0 is 1.", False),
        ("The slope of the sigmoid at 0 is 1/4.", True),
        ("The slope of the sigmoid at 0 is 1/2.", False),
    ],
)
def test_the_value_at_a_place(claim, is_true):
    assert check(claim).is_true is is_true


def test_the_letter_of_a_function_may_have_a_sign():
    assert read_prose("τ² is a strictly increasing function of τ > 0.").claims == ("Let τ > 0. Then ∂/∂τ (τ²) > 0",)
