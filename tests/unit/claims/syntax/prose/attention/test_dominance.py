"""One score far above all others."""

import pytest

from regard.claims.syntax.prose.reading import read_prose

FAR = "Let k_j^T q - k_m^T q ≫ 0 for all m ≠ j. "


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        ("α_j ≈ 1 if k_j^T q is much larger than all other scores.", (f"{FAR}Then α_j ≈ 1",)),
        ("c copies v_j when k_j^T q dominates all other scores.", (f"{FAR}Then c → v_j",)),
        (
            "If k_j^T q is far smaller than the others, α_j ≈ 0.",
            ("Let k_m^T q - k_j^T q ≫ 0 for all m ≠ j. Then α_j ≈ 0",),
        ),
        (
            "When one score is much larger than the rest, the output is close to the corresponding value.",
            ("Let k_a^T q - k_m^T q ≫ 0 for all m ≠ a. Then c ≈ v_a",),
        ),
        (
            "If k_j^T q is much bigger than k_i^T q for every other i, then c ≈ v_j.",
            ("Let k_j^T q - k_i^T q ≫ 0 for all i ≠ j. Then c ≈ v_j",),
        ),
    ],
)
def test_far_above_all_others(sentence, claims):
    assert read_prose(sentence).claims == claims


@pytest.mark.parametrize(
    "sentence",
    [
        "If one score dominates, then c ≈ v_j.",
        "α_j ≈ 1 if k_j^T q is larger than all other scores.",
        "α_j ≈ 1 if ‖k_j‖ is much larger than all other scores.",
    ],
)
def test_without_much_and_for_other_things_it_is_not_read(sentence):
    assert read_prose(sentence) is None
