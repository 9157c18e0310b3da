"""Linear forms of random vectors that have no letters."""

import pytest

from regard.claims.syntax.prose.reading import read_prose

STANDARD = "Let x ~ N(0, I_d). Then "


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        (
            "Two linear forms of a standard Gaussian vector are independent exactly when their coefficient vectors are "
            "orthogonal.",
            (f"{STANDARD}b^T x ⫫ c^T x iff (b)^T (c) = 0",),
        ),
        (
            "The variance of a linear form of a standard normal vector is the squared norm of its coefficient vector.",
            (f"{STANDARD}Var(b^T x) = ‖b‖²",),
        ),
        (
            "The linear form a^T x of a standard Gaussian vector has variance ‖a‖.",
            (f"{STANDARD}Var(a^T x) = ‖a‖",),
        ),
    ],
)
def test_sentences(sentence, claims):
    assert read_prose(sentence).claims == claims


def test_forms_of_two_vectors_are_not_understood():
    assert read_prose("Two linear forms a^T x and b^T y of a standard Gaussian vector x are independent.") is None


def test_coefficients_of_nothing_are_not_understood():
    assert read_prose("The norm of its coefficient vector is 1.") is None
