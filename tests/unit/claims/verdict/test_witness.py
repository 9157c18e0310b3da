"""Something exists: a place of an index, a value of a letter."""

from regard.claims.check import check


def test_a_place(unchecked):
    assert check("α_i ≥ 1/n for some i", setting="attention").verdict == "holds"
    assert check("α_i > 1/2 for some i", setting="attention").verdict == "fails"
    assert check("α_i > 1/n for some i", setting="attention").verdict == "fails"  # with q = 0 all weights are 1/n


def test_a_value(unchecked):
    assert check("there is an x such that e^x = 2").verdict == "holds"
    assert check("there is an x such that e^x = 0").verdict == "undecided"


def test_what_is_found_may_be_negative(unchecked):
    assert check("softmax(z) = softmax(w) ⇒ there is a t with z = w + t·1").verdict == "holds"


def test_what_is_given_of_keys_beside_a_letter_to_be_found(unchecked):
    assert check("if k_i^T k_j = δ_ij, there is a q such that α_a > 0.9").verdict == "holds"
