import pytest

from regard.claims.check import check
from regard.claims.sheets.context import answers_with_context, defined_letter, in_context, judge_in_context, relevant
from regard.claims.sheets.formulas import FoundClaim, find_formulas
from regard.claims.verdict.records import Verdict


def answers(text):
    return answers_with_context(find_formulas(text, is_tex=False))


def test_definitions_stand_for_what_follows_and_are_not_answers():
    (found,) = answers("Let $q = C k_a$. Then $k_a^T q = C$.")
    assert (found.text, found.given) == ("k_a^T q = C", ("q = C k_a",))


def test_a_choice_stands_for_what_follows_and_a_result_does_not():
    first, second, third = answers("We choose $q = C k_a$. Then $k_a^T q = C$. And $q = 0$.")
    assert (first.given, second.given, third.given) == ((), ("q = C k_a",), ("q = C k_a",))
    assert relevant(third.text, third.given) == ()  # it defines q itself
    first, second = answers("We get $c = v_a$. Then $c = v_b$.")
    assert second.given == ()


def test_requirements_are_not_answers():
    assert [found.text for found in answers("We need $M s = v_a$. We choose $M = A A^T$.")] == ["M = A A^T"]


def test_a_definition_is_the_answer_where_nothing_else_is():
    assert [found.text for found in answers("Let $q = C k_a$.")] == ["q = C k_a"]


def test_a_condition_holds_in_its_sentence_and_an_assumption_further():
    first, second = answers("$c = v_j$ when $c = 1$. And $c = 2$.")
    assert (first.given, second.given) == (("c = 1",), ())
    first, second = answers("Suppose $c > 1$. So $c > 0$. And hence $c > -1$.")
    assert first.given == second.given == ("c > 1",)


def test_another_question_forgets_it():
    first, second = answers("# 1\nLet $q = C k_a$. Then $k_a^T q = C$.\n# 2\nHence $k_b^T q = 0$.")
    assert (first.given, second.given) == (("q = C k_a",), ())


def test_numbered_answers_belong_together():
    (found,) = answers("We choose $q_1 = C k_a$ and $q_2 = C k_b$.")
    assert found.text == "q_1 = C k_a; q_2 = C k_b"


def test_rows_of_a_table_stand_for_themselves():
    rows = [FoundClaim("q = k_a", 1), FoundClaim("c = q", 2)]
    assert answers_with_context(rows) == rows


def test_what_defines_none_of_the_letters_is_left_out():
    assert relevant("A^T A = I", ["c = A^T v_a", "M = A^T"]) == ()
    assert relevant("c = v_a", ["q = C k_a", "M = A^T"], open_letters=["q"]) == ("q = C k_a",)
    assert relevant("3 x = 1", ["x = y + z", "y = 2 w", "u = 3"]) == ("x = y + z", "y = 2 w")


def test_one_sentence():
    assert in_context("c = v_a.", ["q = C k_a", "C > 1"]) == "if C > 1, then c = v_a with q = C k_a"
    assert defined_letter(r"\hat y = 1") == ""


def test_a_claim_is_tried_under_its_definitions():
    found = FoundClaim("k_a^T q = C", 1, given=("q = C (k_a + k_b)",))
    verdict = judge_in_context(found, lambda text: check(text, setting="orthonormal-keys"))
    assert (verdict.verdict, verdict.claim) == ("holds", "k_a^T q = C")
    assert verdict.notes[-1] == "taken as given: q = C (k_a + k_b)"


@pytest.mark.parametrize(("alone", "expected"), [("holds", "holds"), ("fails", "not-understood")])
def test_nobody_is_accused_under_a_condition_that_cannot_be_used(alone, expected):
    def pretend(text):
        return Verdict(text, "attention", "not-understood" if text.startswith("if") else alone, "so it is")

    verdict = judge_in_context(FoundClaim("c = v_a", 1, given=("c ⋈ d",)), pretend)
    assert verdict.verdict == expected
    assert "c ⋈ d" in (verdict.reason + str(verdict.notes))
