"""Sentences into formulas."""

from regard.claims.check import check
from regard.claims.syntax.english.rewriting import rewrite


def test_a_formula_stays_as_it_is():
    assert rewrite("softmax(x + c) = softmax(x)") == ("softmax(x + c) = softmax(x)", [])


def test_a_note_says_how_words_were_read():
    text, notes = rewrite("tr(ABC) = tr(BAC), since the trace does not care about the order")
    assert text == "tr(ABC) = tr(BAC)"
    assert notes == ["read as: tr(ABC) = tr(BAC)"]


def test_dollar_signs_alone_are_no_words():
    assert rewrite("$x = 1$ and $y = 2$")[1] == []


def test_shapes_that_do_not_fit_in_a_sentence_are_not_held_against_it(unchecked):
    assert check("A^T s = c + d", setting="two-subspaces").verdict == "ill-formed"
    sentence = "A^T s = c + d, since the trace is cyclic"
    assert check(sentence, setting="two-subspaces").verdict == "not-understood"


def test_what_a_later_sentence_concludes_from_is_given(unchecked):
    assert check("A^T A = I. Then ‖A x‖ = ‖x‖.").verdict == "holds"
    assert check("A^T A = I. Then A A^T = I.").verdict == "fails"
