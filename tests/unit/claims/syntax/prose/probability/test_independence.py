"""Independence, claimed and given."""

import pytest

from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("If X and Y are uncorrelated then they are independent", ("Let Cov(X, Y) = 0. Then X ⫫ Y",)),
        ("If X and Y are independent, then X² and Y² are uncorrelated.", ("Let X ⫫ Y. Then Cov(X², Y²) = 0",)),
        ("X² is independent of X for X ~ N(0, 1).", ("Let X ~ N(0, 1). Then X² ⫫ X",)),
        ("X² is not independent of X for X ~ N(0, 1).", ("Let X ~ N(0, 1). Then X² ⫫ X does not hold",)),
        (
            "Zero covariance implies independence for jointly normal variables.",
            ("Let ξ ~ N(0, 1). Let ζ ~ N(0, 1). Let X = m_X + (s_X) ξ. Let Y = m_Y + (s_Y) ζ. Then X ⫫ Y",),
        ),
    ],
)
def test_texts_in_signs(text, claims):
    assert read_prose(text).claims == claims


def test_of_one_thing_nothing_is_independent():
    assert read_prose("Let x ~ N(0, 1). Then x is independent.") is None


def test_a_law_of_each_is_drawn_apart():
    found = read_prose("Let x ~ N(μ, I_d) and y ~ N(ν, I_d) be independent. Then xᵀy has mean μᵀν.")
    assert found.claims == ("Let x ~ N(μ, I_d). Let y ~ N(ν, I_d). Then E[xᵀy] = μᵀν",)


@pytest.mark.parametrize("given", ["X, Y ~ N(0, 1) are independent", "X and Y are independent N(0, 1)"])
def test_sums_are_independent_of_letters_that_are_drawn_apart(given):
    claims = read_prose(f"If {given}, then X + Y and X - Y are independent.").claims
    assert claims == ("Let X ~ N(0, 1). Let Y ~ N(0, 1). Then X + Y ⫫ X - Y",)


def test_sums_of_letters_that_may_depend_on_each_other_are_not_read():
    assert read_prose("If X ~ N(0, 1) and Y ~ N(0, 1), then X + Y and X - Y are independent.") is None
