"""Equations of rational functions are identities."""

from regard.claims.check import check


def test_how_sure_an_equation_is(unchecked):
    assert check("(a + b)^2 = a^2 + 2ab + b^2").how.endswith("an identity of rational functions")
    assert "identity" not in check("e^{a + b} = e^a e^b").how
