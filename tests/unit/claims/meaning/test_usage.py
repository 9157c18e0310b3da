"""What a claim's use of a letter says about it."""

from regard.claims.meaning.inference import infer_settings
from regard.claims.syntax.grammar import parse


def test_a_size_letter_counts_entries():
    _, setting = next(infer_settings(parse("H(p) ≤ log n")))
    assert setting.symbol("p").shape == ("n", 1)
    assert "n" in setting.size_names


def test_a_defined_letter_is_no_letter_of_the_setting():
    _, setting = next(infer_settings(parse("P = A (A^T A)^{-1} A^T; P P = P")))
    assert [spec.name for spec in setting.symbols] == ["A"]
