"""Signs written as words."""

import pytest

from regard.claims.check import check
from regard.claims.syntax.prose.notation import announce, has_speaking_heading, plain_signs
from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("$A \\succ 0$", " A is positive definite "),
        ("B ⪰ 0", " B is positive semidefinite "),
        ("λ_max(A) ≤ 1", "eigmax(A) ≤ 1"),
        ("λ_max ≤ 1", "λ_max ≤ 1"),
        ("the eigenvalues (counted with multiplicity) of A", "the eigenvalues of A"),
        ("the eigenvalue 0 with multiplicity 2", "the eigenvalue 0 with multiplicity 2"),
    ],
)
def test_signs(text, plain):
    assert plain_signs(text) == plain


def test_headings_say_of_what_they_speak():
    assert announce("a projection shortens vectors", "‖Px‖ ≤ ‖x‖") == "for a projection P"
    assert announce("a projection shortens vectors", "‖x‖ ≤ 1") is None
    assert announce("in short", "‖Px‖ ≤ ‖x‖") == ""


def test_a_heading_gives_its_letter_what_it_says():
    found = read_prose("An orthogonal projection gives the closest point: ‖x − Px‖ ≤ ‖x − Py‖ for all x and y.")
    assert found.claims == ("Let P is a projection. Then ‖x − Px‖ ≤ ‖x − Py‖",)
    assert read_prose("Fact: ‖x − Px‖ ≤ ‖x − Py‖.").claims == ("‖x − Px‖ ≤ ‖x − Py‖",)


def test_a_heading_that_formulas_leave_out():
    assert has_speaking_heading("Projecting twice is the same as projecting once: P² = P.")
    assert not has_speaking_heading("A projection P: P² = P.")
    assert not has_speaking_heading("To sum up: P² = P.")
    assert check("Projecting twice is the same as projecting once: P² = P.").verdict == "holds"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("among 10,000 words", "among 10000 words"),
        ("has perplexity 1,000,000.", "has perplexity 1000000."),
        ("the vector (1,000, 2)", "the vector (1,000, 2)"),
        ("for x = 1,200 and more", "for x = 1,200 and more"),
    ],
)
def test_commas_between_thousands(text: str, wanted: str) -> None:
    assert plain_signs(text) == wanted
