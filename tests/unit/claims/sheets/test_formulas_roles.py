import pytest

from regard.claims.sheets.formulas import is_condition, role_of


@pytest.mark.parametrize(
    ("words", "formula", "role", "stands"),
    [
        ("We choose ", "M = A A^T", "answer", True),
        ("", "c = v_a", "answer", False),
        ("Let ", "q = C k_a", "definition", True),
        ("Here ", "x := A y", "definition", True),
        ("Suppose that ", r"\alpha_j \approx 1", "given", True),
        (" when ", r"\alpha_j \approx 1", "given", False),
        ("If the weights satisfy ", r"\alpha_j = 1", "given", False),
        ("we need ", "M s = v_a", "requirement", False),
        ("find a query such that ", "c = v_a", "requirement", False),
        ("Suppose this. We want it; hence ", "c = v_a", "answer", False),
        ("because ", "A^T A = I", "reason", False),
        ("", "C \\gg 0", "given", False),
        (" for ", "i \\neq j", "given", False),
        ("so ", "c > 0", "answer", False),
        ("we choose ", "C \\gg 0", "given", True),
        ("Let ", r"\epsilon_i \sim N(0, \sigma^2 I)", "given", True),
    ],
)
def test_the_last_word_decides(words, formula, role, stands):
    assert role_of(formula, words, None) == (role, stands)


def test_formulas_in_a_row_share_their_role():
    assert role_of("A^T B = 0", " and ", ("given", True)) == ("given", True)
    assert role_of("A^T B = 0", ", we get ", ("given", True)) == ("answer", False)
    assert role_of("A^T B = 0", " and ", ("answer", False)) == ("answer", False)


@pytest.mark.parametrize("formula", ["i ≠ j", "n \\ge 2", "x \\in \\mathbb{R}^d", "C >> 0", "0 < t < 1"])
def test_conditions(formula):
    assert is_condition(formula)


@pytest.mark.parametrize("formula", ["q = k_a", "c \\approx v_a", "H(p) \\le \\log n"])
def test_what_claims_something_is_no_condition(formula):
    assert not is_condition(formula)
