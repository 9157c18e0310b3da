"""Where formulas in a sentence begin and end."""

from regard.claims.syntax.english.formulas import formula_after, formula_before, is_word, wrap


def test_words_are_told_from_formulas():
    assert [is_word(one) for one in ("matrix", "A", "log", "softmax(z)", "their,", "k_i")] == [
        True,
        False,
        False,
        False,
        True,
        False,
    ]


def test_a_formula_ends_at_words_and_marks_outside_of_brackets():
    text = "then f(x, y) + 1 is z, so"
    assert text[formula_before(text, 16) : 16] == "f(x, y) + 1"
    assert text[20 : formula_after(text, 20)] == "z"
    assert text[5 : formula_after(text, 5)] == "f(x, y) + 1"


def test_an_article_is_no_letter():
    text = "if A is a matrix"
    assert formula_before(text, 4) == 3
    assert formula_after(text, 8) == 8


def test_brackets_only_where_they_are_needed():
    assert (wrap("x_1"), wrap("a b")) == ("x_1", "(a b)")
