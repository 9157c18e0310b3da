"""What is said of a thing beside another."""

import pytest

from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        (
            "If k_a^T q exceeds k_b^T q by ln 3, then α_a is three times as large as α_b.",
            ("Let (k_a^T q) = (k_b^T q) + (ln 3). Then α_a = 3 α_b",),
        ),
        (
            "The rank of a product of two matrices is no larger than the rank of either factor.",
            (
                "Let A is a matrix. Let B is a matrix. Then rank(A B) ≤ rank(A)",
                "Let A is a matrix. Let B is a matrix. Then rank(A B) ≤ rank(B)",
            ),
        ),
        (
            "If p = softmax(z), the ratio p_i/p_j depends only on the difference z_i − z_j.",
            (
                "Let p = softmax(z). Let x_a − x_b - (z_a − z_b) = 0. "
                "Then softmax(x)_a/softmax(x)_b = softmax(z)_a/softmax(z)_b",
            ),
        ),
        (
            "The entropy of softmax(z) depends only on the differences z_i - z_j.",
            ("Let x_i - x_j - (z_i - z_j) = 0. Then H(softmax(x)) = H(softmax(z))",),
        ),
    ],
)
def test_sentences(sentence, claims):
    assert read_prose(sentence).claims == claims


@pytest.mark.parametrize(
    "sentence",
    [
        "The weight α_i depends only on the length of q.",
        "The trace of A depends only on x.",
    ],
)
def test_what_is_not_plain_is_not_read(sentence):
    assert read_prose(sentence) is None


@pytest.mark.parametrize(
    ("sentence", "claim"),
    [
        ("s_j exceeds every other score by at least D.", "s_j ≥ s_m + D for all m ≠ j"),
        ("s_j is larger than every other score by more than D.", "s_j > s_m + D for all m ≠ j"),
    ],
)
def test_a_thing_beside_all_others(sentence, claim):
    assert read_prose(sentence).claims == (claim,)


def test_a_letter_that_is_no_entry_has_no_others():
    assert read_prose("s exceeds every other score.") is None
