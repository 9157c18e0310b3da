import pytest

from regard.claims.syntax.grammar import parse
from regard.claims.syntax.printer import as_plain


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("x = (1/T) Σ_t p_t", "x = (1/T) ∑_{t = 1}^{T} p_t"),
        ("x = (Σ_t p_t)/M", "x = ∑_{t = 1}^{M} p_t/M"),
        ("x = −\\frac1K Σ_t p_t", "x = −(1/K) ∑_{t = 1}^{K} p_t"),
        ("x = T Σ_t e^{z_t/T}", "x = T ∑_{t} exp(z_t/T)"),
        ("x = (1/C) Σ_t p_t", "x = (1/C) ∑_{t} p_t"),
        ("x = (1/T) Σ_{t≠a} p_t", "x = (1/T) ∑_{t≠a} p_t"),
        ("x = (1/T_1) Σ_t p_t", "x = (1/T_1) ∑_{t} p_t"),
    ],
)
def test_end_of_an_index_is_what_a_mean_is_divided_by(text, read):
    assert as_plain(parse(text)) == read


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("(Π_t p_t)^{−1/T} = c", ["p_t > 0", "p_t ≤ 1"]),
        ("(Π_t x_t)^{1/T} = c", ["x_t > 0"]),
        ("(Π_t p_t)^{−1/T} = c for p_t > 2", ["p_t > 2"]),
        ("(Π_t x_t)^2 = c", []),
        ("PP = (Π_t p_t)^{−1/T}", []),
    ],
)
def test_factors_of_a_root_are_positive(text, given):
    assert [as_plain(one) for one in parse(text).premises] == given
