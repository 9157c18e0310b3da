"""Laws of reading claims: any text gets an answer, and what is written from a tree is read back as that tree."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.support.claim_trees import built_claim, claims

from regard.claims.syntax.grammar import parse
from regard.claims.syntax.printer import as_plain
from regard.claims.syntax.tree import MAX_CHARACTERS, check_size
from regard.claims.syntax.typeset import as_latex, as_mathml
from regard.errors import NotUnderstood

PARTS = [
    *"abcCqxTdeE123 ()[]{}|^_+-*/=<>~,;.'&$\\\n",
    *["\\frac", "\\sum_", "\\left", "\\right", "\\|", "\\hat", "\\partial", "\\text{", "\\mathrm{", "\\lim_", "\\\\"],
    *["k_a", "^T", "^{-1}", "μ", "Σ_i", "½", "²", "₁", "‖", "∂J/∂x", "ŷ", "\u0302", "а", "\u200b", "softmax(", "sum_"],
    *["E[", "σ(", "\\sqrt[", "\\langle", "for all", "large", "→", "∞", "1e9", "∇_", "√", "𝟏", "dJ/dx", "**"],
]


def complaint(text):
    """Why a text is not understood; None where it is."""
    try:
        claim = parse(text)
    except NotUnderstood as error:
        return error
    assert claim.statements
    for write in (as_plain, as_latex, as_mathml):
        assert write(claim)
    return None


def answer(text):
    """A claim, or a complaint about a place in the text."""
    error = complaint(text)
    if error is not None:
        start, end = error.span
        assert 0 <= start <= end <= len(text)
        assert "\n" not in str(error)
        assert error.expected


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(st.text())
def test_any_text_gets_an_answer(text):
    answer(text)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(PARTS), max_size=25).map("".join))
def test_any_piece_of_a_formula_gets_an_answer(text):
    answer(text)


def small(claim):
    try:
        check_size(claim)
    except NotUnderstood:
        return False
    return True


@pytest.mark.slow
@pytest.mark.parametrize("write", [as_latex, as_plain])
@settings(max_examples=40, deadline=None)
@given(claims())
def test_what_is_written_is_read_back(write, relations):
    claim = built_claim(relations)
    assume(small(claim))
    text = write(claim)
    assume(len(text) < MAX_CHARACTERS)
    assert parse(text).statements == claim.statements


@pytest.mark.parametrize("write", [as_latex, as_plain])
@pytest.mark.parametrize("text", ["c = Φ(x)", "y ∼ χ²(3)", "E[χ²(k)] = k", "(∂y/∂z) (∂z/∂x) = 1"])
def test_letters_that_may_be_functions_are_read_back_in_the_same_ways(write, text):
    """Φ(x) is the distribution function or a product, and which it is no writing can say."""
    once = parse(text)
    assert parse(write(once)).statements == once.statements


def test_both_ways_are_kept():
    assert [type(one).__name__ for one in parse("c = Φ(x)").statements[0].right.readings] == ["Call", "Binary"]
