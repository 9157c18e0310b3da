"""Formulas as text."""

import pytest

from regard.claims.syntax.prose.chart import Unreadable
from regard.claims.syntax.prose.signs import checked_limit, letters_of, substitute, symbols_in, together


def test_the_letters_of_formulas():
    assert symbols_in("x^T A y") == ["x", "T", "A", "y"]
    assert {"p", "q"} <= letters_of(["p = 1", "q > 0"])


def test_a_letter_is_put_for_another_and_not_inside_of_names():
    assert substitute("C(k_a + k_b)", "C", "2") == "2(k_a + k_b)"
    assert substitute("exp(x) + x", "x", "y") == "exp(y) + y"


def test_two_limits_of_one_kind_go_together():
    assert together("C → ∞", "β → ∞") == ("C → ∞", "β → ∞")
    with pytest.raises(Unreadable):
        together("C → ∞", "α → 0")
    with pytest.raises(Unreadable):
        checked_limit("C > 0")
