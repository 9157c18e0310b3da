import time

from regard.claims.sheets.formulas import find_formulas, find_plain_formulas


def test_each_formula_has_its_sentence_and_its_role():
    text = "# 1a\nSuppose $C \\gg 0$. Let $q = C k_a$, e.g. as above. Then $c \\approx v_a$ for $a \\neq b$."
    found = find_formulas(text, is_tex=False)
    assert [(claim.text, claim.role, claim.stands) for claim in found] == [
        ("C \\gg 0", "given", True),
        ("q = C k_a", "definition", True),
        ("c \\approx v_a", "answer", False),
        ("a \\neq b", "given", False),
    ]
    assert found[2].sentence == "Then $c \\approx v_a$ for $a \\neq b$."
    assert {(claim.question, claim.line) for claim in found} == {("1a", 2)}


def test_a_full_stop_in_a_formula_ends_no_sentence():
    found = find_formulas("We get $x = 1. A$ when $y = 2$.", is_tex=False)
    assert [claim.role for claim in found] == ["answer", "given"]
    assert len({claim.sentence for claim in found}) == 1


def test_formulas_of_plain_text():
    text = "1b) We take M = A A^T, because A^T A = I.\n(2) The output is c = 1/2 (v_a + v_b) for large C.\nNo."
    found = find_plain_formulas(text)
    assert [(claim.question, claim.line, claim.text, claim.role) for claim in found] == [
        ("1b", 1, "M = A A^T", "answer"),
        ("1b", 1, "A^T A = I", "reason"),
        ("2", 2, "c = 1/2 (v_a + v_b)", "answer"),
    ]


def test_plain_text_with_dollar_signs_is_read_like_markdown():
    assert [claim.text for claim in find_plain_formulas("so $x = 1$ follows, a = b is prose")] == ["x = 1"]


def test_many_formulas_take_no_longer_each():
    start = time.process_time()
    assert find_formulas("$x$ a $y = 1$ b " * 3_000, is_tex=False)[0].text == "y = 1"
    assert time.process_time() - start < 5
