"""Conditions, limits, and what stands before a claim."""

import pytest

from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        ("If x = 1, then y = 2.", ("Let x = 1. Then y = 2",)),
        ("Whenever x = 1 and z = 3, we have y = 2.", ("Let x = 1. Let z = 3. Then y = 2",)),
        ("As T → ∞, x tends to 0.", ("Let T → ∞. Then x → 0",)),
        ("For large C the norm of x tends to 1.", ("Let C → ∞. Then ‖x‖ → 1",)),
        ("Note that x = 1.", ("x = 1",)),
        ("It follows that the trace of A is 0.", ("tr(A) = 0",)),
        ("By the chain rule, the derivative of x² is 2x.", ("∂/∂x (x²) = 2x",)),
        ("A short calculation shows that x = 1.", ("x = 1",)),
        ("Because the trace is cyclic, tr(AB) = tr(BA).", ("tr(AB) = tr(BA)",)),
        ("Since P² = P, the trace of P is 1.", ("Let P² = P. Then tr(P) = 1",)),
        ("The larger T, the smaller the norm of x/T.", ("∂/∂T (‖x/T‖) ≤ 0",)),
        ("If i = j then x = 1, otherwise x = 0.", ("x = 1 for i = j", "x = 0 for i ≠ j")),
        ("Let x = 1 and let y = 2. Then x + y = 3.", ("Let x = 1. Let y = 2. Then x + y = 3",)),
        (
            "Draw q and k independently from N(0, I_d). Then q·k has mean zero.",
            ("Let q ~ N(0, I_d). Let k ~ N(0, I_d). Then E[q·k] = 0",),
        ),
        (
            "Assume the components of q and k are independent with mean 0 and variance 1. Then q·k has mean 0.",
            ("Let q ~ N(0, I). Let k ~ N(0, I). Then E[q·k] = 0",),
        ),
    ],
)
def test_sentences(sentence, claims):
    assert read_prose(sentence).claims == claims


@pytest.mark.parametrize(
    "sentence", ["As n → ∞ with q = 0, α_i → 0.", "Unless x = 1, never mind.", "Only if x = 1, y = 2."]
)
def test_no_condition_is_dropped(sentence):
    found = read_prose(sentence)
    assert found is None or all("n → ∞" in one for one in found.claims)


def test_what_stands_before_an_arrow_is_given():
    assert read_prose("A is symmetric ⇒ A^2 is symmetric").claims == ("Let A is symmetric. Then A^2 is symmetric",)
    assert read_prose("A is symmetric ⇒ B is symmetric ⇒ AB is symmetric") is None  # claims B, too


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("If P is a projection, then so is I − P.", ("Let P is a projection. Then (I − P) is a projection",)),
        (
            "If A and B are symmetric, so is their product.",
            ("Let A is symmetric. Let B is symmetric. Then (A B) is symmetric",),
        ),
        (
            "If P is a projection, then 2P is not one.",
            ("Let P is a projection. Then (2P) is a projection does not hold",),
        ),
        (
            "The trace of a projection is its rank, tr(P) = rank(P).",
            ("Let P is a projection. Then tr(P) = rank(P)",) * 2,
        ),
    ],
)
def test_what_is_said_again(text, claims):
    assert read_prose(text).claims == claims


@pytest.mark.parametrize(
    "text",
    [
        "So is I − P.",
        "If x^T z = y^T z for all z, then x = y.",
        "If x^T z = y^T z for all vectors z, then x = y.",
        "If A is symmetric and x is a unit vector, then so is Ax.",
        "If tr(A) = 0, then so is A^2.",
        "The trace of a projection is its rank, tr(PQ) = rank(PQ).",
    ],
)
def test_what_nobody_said_is_not_said_again(text):
    assert read_prose(text) is None


def test_what_is_given_for_all_of_a_letter_is_not_read_as_one_of_it():
    assert read_prose("x^T z = y^T z for all z ⇒ x = y") is None


def test_definitions_before_a_colon_are_given():
    reading = read_prose("with temperature T, p = softmax(z/T): ∂p_i/∂z_i = p_i(1 − p_i)/T")
    assert reading.claims == ("Let p = softmax(z/T). Then ∂p_i/∂z_i = p_i(1 − p_i)/T",)
    assert read_prose("p = softmax(z), q = 1 and p_1 = q.") is None


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("Take y = C x with some finite C > 0. Then y > x.", ("Let y = C x. Let C > 0. Let C is fixed. Then y > x",)),
        ("Suppose x > 0. Suppose further that y > 0. Then x y > 0.", ("Let x > 0. Let y > 0. Then x y > 0",)),
        ("Write y for x + 1. Then y > x.", ("Let y = x + 1. Then y > x",)),
        ("Let x > 0. Here y = 2 x. Then y > x.", ("Let x > 0. Let y = 2 x. Then y > x",)),
    ],
)
def test_what_is_set_up(text, claims):
    assert read_prose(text).claims == claims


def test_a_number_that_there_is_is_not_given():
    found = read_prose("x = 2 y for some finite C > 0.")
    assert found is None or "C > 0. Then" not in found.claims[0]


def test_in_the_sense_that():
    assert read_prose("x ≈ y as n → ∞ in the sense that x/y → 1.").claims == ("Let n → ∞. Then x/y → 1",)


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("Denote by y the square of x. Then y ≥ 0.", ("Let y = x^2. Then y ≥ 0",)),
        ("By y we denote x + 1. Then y > x.", ("Let y = x + 1. Then y > x",)),
        ("Let y denote x + 1. Then y > x.", ("Let y = x + 1. Then y > x",)),
        ("Let's take y = x + 1. Then y > x.", ("Let y = x + 1. Then y > x",)),
        ("In the case n = 2, x = y.", ("Let n = 2. Then x = y",)),
        ("My notes say that x = y.", ("x = y",)),
        ("If we send C to infinity, 1/C tends to 0.", ("Let C → ∞. Then 1/C → 0",)),
        ("x = 0 only for y = 0.", ("Let x = 0. Then y = 0",)),
    ],
)
def test_ways_to_say_what_is_given(text, claims):
    assert read_prose(text).claims == claims
