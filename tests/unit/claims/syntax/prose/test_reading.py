"""Whole texts in signs, and what is told where words were not read."""

import inspect
import time

import pytest

from regard.claims.syntax.prose.reading import MAX_LENGTH, first_unread_words, grammar, read_prose


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        (
            "Let A be a symmetric matrix. Then the trace of A is at most its rank.",
            ("Let A is a matrix. Let A is symmetric. Then tr(A) ≤ rank(A)",),
        ),
        (
            "If u is the uniform distribution on n outcomes, then KL(p‖u) = log n − H(p); in particular it is never "
            "larger than log n.",
            (
                "Let u is a distribution. Let u_r = u_t. Let u ∈ R^{n}. Then KL(p‖u) = log n − H(p)",
                "Let u is a distribution. Let u_r = u_t. Let u ∈ R^{n}. Then KL(p‖u) ≤ log n",
            ),
        ),
        ("Exam: the softmax of the logits (0, ln 2) is (1/3, 2/3).", ("softmax((0, ln 2)) = (1/3, 2/3)",)),
        ("Multiplying cannot create rank: rank(AB) ≤ rank(A).", ("rank(AB) ≤ rank(A)",)),
        ("We divide by √d since q·k has variance d.", None),
        ("softmax(x) is positive because exp(x) is.", ("softmax(x) > 0",)),
        (
            "The product of two symmetric matrices is symmetric.",
            ("Let A is a matrix. Let A is symmetric. Let B is a matrix. Let B is symmetric. Then A B is symmetric",),
        ),
        ("The error vanishes.", None),
        ("Let A ∈ R^{m×n}. Then A x vanishes.", ("Let A is a matrix. Then A x = 0",)),
        ("As T → ∞, the variance of X/T vanishes.", ("Let T → ∞. Then Var(X/T) → 0",)),
        ("H(X, Y) = H(X) + H(Y) for independent X and Y", ("Let X ⫫ Y. Then H(X, Y) = H(X) + H(Y)",)),
        ("x = 1 ⇒ the norm of x is 1", ("Let x = 1. Then ‖x‖ = 1",)),
    ],
)
def test_texts_in_signs(text, claims):
    found = read_prose(text)
    assert (found.claims if found else None) == claims


def test_conclusions_that_are_not_understood_are_told():
    found = read_prose("For all real x we have tanh(x) = 2σ(2x) − 1, so tanh is a rescaled and shifted sigmoid.")
    assert found.claims == ("tanh(x) = 2σ(2x) − 1",)
    assert found.unread == ("so tanh is a rescaled and shifted sigmoid",)


def test_a_sentence_after_the_claim_is_told_but_one_that_sets_up_is_needed():
    assert read_prose("The trace of A is 1. Nobody knows why it should be so.").unread
    assert read_prose("The trace of A is 1. Let A be frobnicated.") is None
    assert read_prose("Nobody knows why. The trace of A is 1.") is None


def test_things_without_a_name_get_letters_that_the_text_does_not_use():
    found = read_prose("For a matrix B, the trace of a symmetric matrix is zero.")
    assert "tr(A)" in found.claims[-1]
    found = read_prose("With A = 0, the determinant of a symmetric matrix is zero.")
    assert "det(A)" not in found.claims[-1]


def test_long_and_repetitive_texts_take_a_moment():
    assert read_prose("x " * MAX_LENGTH) is None
    for words in ("the trace of ", "and ", "x is positive and ", "if x = 1, ", "a ", "of the norm of "):
        start = time.process_time()
        read_prose((words * 200)[: MAX_LENGTH - 1])
        assert time.process_time() - start < 20  # seconds; some hundredths on an idle machine


def test_a_condition_after_as_long_as_is_no_reason():
    found = read_prose("H(softmax(βx)) → 0 as β → ∞, as long as the maximum of x is unique").claims
    assert found == ("Let β → ∞. Let x uniquemax. Then H(softmax(βx)) → 0",)
    assert read_prose("H(softmax(βx)) → 0 as β → ∞, as long as the maximum of x is blue") is None


def test_conditions_before_the_last_claim_of_a_text_without_verbs():
    assert read_prose("n orthonormal keys, q = 0: α_i = 1/n").claims == (
        "Let the keys be orthonormal. Let q = 0. Then α_i = 1/n",
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The trace of A sings a song of its rank.", "sings a song of"),
        ("Let A be symmetric. Then the rank of A whistles.", "whistles"),
        ("The trace of A is 2.", ""),
    ],
)
def test_the_words_at_which_a_sentence_stops_being_understood(text, words):
    assert first_unread_words(text) == words


def test_each_meaning_takes_the_parts_of_its_pattern():
    rules = [rule for of_category in grammar()._rules.values() for rule in of_category]
    for rule in rules:
        parts = [step for step in rule.steps if step.category]
        assert inspect.signature(rule.meaning).bind(*parts), rule.pattern
