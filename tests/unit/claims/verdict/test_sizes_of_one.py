"""One key, one class: what counts where the claim lets n be 1, and is told where it says nothing of n."""

import pytest

from regard.claims.check import check

NOTE = "for n = 1 it fails, which was not taken to be meant"


@pytest.mark.parametrize(
    ("claim", "setting", "verdict"),
    [
        ("0 < α_i < 1 for n ≥ 1", "attention", "fails"),
        ("0 < α_i < 1 for all n", "attention", "fails"),
        ("0 < α_i < 1 for n ≥ 2", "attention", "holds"),
        ("0 < α_i ≤ 1 for n ≥ 1", "attention", "holds"),
        ("CE > 0 for n ≥ 1", "softmax-cross-entropy", "fails"),
        ("CE ≥ 0 for n ≥ 1", "softmax-cross-entropy", "holds"),
        ("q = C k_a ⇒ α_a < 1 for n ≥ 1", "orthonormal-keys", "fails"),
        ("q = C k_a ⇒ α_a = e^C/(e^C + n - 1) for n ≥ 1", "orthonormal-keys", "holds"),
        ("p = softmax(z), z ∈ R^n, n ≥ 1 ⇒ 0 < p_i < 1", None, "fails"),
        ("n = 1 ⇒ c = v_1", "attention", "holds"),
    ],
)
def test_a_size_that_may_be_one_is_tried(claim, setting, verdict, unchecked):
    assert check(claim, setting=setting).verdict == verdict


def test_what_one_key_would_change_is_told(unchecked):
    assert NOTE in check("0 < α_i < 1", setting="attention").notes
    assert NOTE not in check("0 < α_i < 1 for n ≥ 2", setting="attention").notes
    assert NOTE not in check("0 < α_i ≤ 1", setting="attention").notes


def test_a_size_beyond_those_of_the_setting_is_tried(unchecked):
    assert check("n = 7, q = 0 ⇒ α_i = 1/7", setting="attention").verdict == "holds"
    assert check("n = 7, q = 0 ⇒ α_i = 1/6", setting="attention").verdict == "fails"
    assert check("n = 16, q = k_a ⇒ α_a = e/(e + 15)", setting="orthonormal-keys").verdict == "holds"
