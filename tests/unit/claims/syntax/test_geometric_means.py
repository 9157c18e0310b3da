import pytest

from regard.claims.syntax.grammar import parse
from regard.claims.syntax.printer import as_plain


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
