"""Which setting the letters of a claim tell."""

import pytest

from regard.claims.meaning.recognition import choose_setting, recognise_setting


@pytest.mark.parametrize(
    ("text", "name"), [("q = k_a", "attention"), ("M = A A^T", "two-subspaces"), ("(", "attention")]
)
def test_the_setting_with_the_fewest_unknown_letters_is_chosen(text, name):
    assert choose_setting(text).name == name


@pytest.mark.parametrize(
    "text", ["α_a > α_i for all i ≠ a", "α_1 = σ(k_1^T q)", "if s_a - s_i ≥ m for all i ≠ a then α_a > 0"]
)
def test_indices_and_members_are_no_unknown_letters(text):
    setting, is_sure, _ = recognise_setting(text)
    assert (setting.name, is_sure) == ("attention", True)


def test_orthonormal_keys_tell_their_setting():
    assert choose_setting("for orthonormal keys and q = C k_a: α_a > α_b").name == "orthonormal-keys"
