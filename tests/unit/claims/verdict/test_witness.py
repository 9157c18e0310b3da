"""Something exists: a place of an index, a value of a letter."""

from regard.claims.check import check


def test_a_place(unchecked):
    assert check("α_i ≥ 1/n for some i", setting="attention").verdict == "holds"
    assert check("α_i > 1/2 for some i", setting="attention").verdict == "fails"
    assert check("α_i > 1/n for some i", setting="attention").verdict == "fails"  # with q = 0 all weights are 1/n


def test_a_value(unchecked):
    assert check("there is an x such that e^x = 2").verdict == "holds"
    assert check("there is an x such that e^x = 0").verdict == "undecided"
