"""What a claim's use of a letter says about it."""

import pytest

from regard.claims.check import check
from regard.claims.meaning.inference import infer_settings
from regard.claims.syntax.grammar import parse


def test_a_size_letter_counts_entries():
    _, setting = next(infer_settings(parse("H(p) ≤ log n")))
    assert setting.symbol("p").shape == ("n", 1)
    assert "n" in setting.size_names


def test_a_defined_letter_is_no_letter_of_the_setting():
    _, setting = next(infer_settings(parse("P = A (A^T A)^{-1} A^T; P P = P")))
    assert [spec.name for spec in setting.symbols] == ["A"]


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("(∏_t p_t)^{−1/T} ≤ (1/T) Σ_t 1/p_t for p_t > 0", "holds"),
        ("(∏_t p_t)^{−1/T} ≥ (1/T) Σ_t 1/p_t for p_t > 0", "fails"),
        ("(1/T) Σ_i z_i = (1/n) Σ_i z_i", "fails"),  # a temperature, not the number of the z_i
    ],
)
def test_a_mean_over_all_t_counts_them(claim: str, verdict: str) -> None:
    assert check(claim).verdict == verdict
