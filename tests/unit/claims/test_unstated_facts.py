"""What everybody takes for granted of a letter, and a claim does not say."""

import pytest

from regard.claims.check import check
from regard.claims.unstated_facts import outputs_as_variables


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("tr(P) = rank(P)", "undecided"),
        ("tr(P) = 2 rank(P)", "fails"),
        ("For any matrix P, tr(P) = rank(P)", "fails"),
        ("AA^T projects onto the column space of A", "undecided"),
        ("AA^T is invertible", "fails"),
        ("A^T A = I and A^T B = 0", "undecided"),
        ("A^T A = I and A^T B = I", "fails"),
    ],
)
def test_what_is_true_with_it_is_left_open(claim, verdict):
    assert check(claim).verdict == verdict


def test_the_reason_says_what_is_missing():
    assert check("tr(P) = rank(P)").reason.startswith("it is true where P is an orthogonal projection")


@pytest.mark.parametrize(("part", "verdict"), [("¼", "holds"), ("½", "fails")])
def test_two_outputs_that_are_independent_are_any_two_random_numbers(part, verdict):
    claim = f"If c_1 and c_2 are independent, then Var(½(c_1 + c_2)) = {part}(Var(c_1) + Var(c_2))"
    assert outputs_as_variables(claim) == claim.replace("c_1", "X").replace("c_2", "Y")
    assert check(claim).verdict == verdict


def test_outputs_of_queries_that_are_given_are_no_such_numbers():
    assert outputs_as_variables("q_1 = q_2 ⇒ Var(c_1 + c_2) = Var(c_1) + Var(c_2) for independent heads") is None
    assert outputs_as_variables("Var(c_1 + c_2) = Var(c_1) + Var(c_2)") is None
