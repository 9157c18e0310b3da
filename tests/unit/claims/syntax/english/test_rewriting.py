"""Sentences into formulas."""

from regard.claims.syntax.english.rewriting import rewrite


def test_a_formula_stays_as_it_is():
    assert rewrite("softmax(x + c) = softmax(x)") == ("softmax(x + c) = softmax(x)", [])


def test_a_note_says_how_words_were_read():
    text, notes = rewrite("tr(ABC) = tr(BAC), since the trace does not care about the order")
    assert text == "tr(ABC) = tr(BAC)"
    assert notes == ["read as: tr(ABC) = tr(BAC)"]
