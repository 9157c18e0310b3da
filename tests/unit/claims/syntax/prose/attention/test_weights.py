"""Nouns for weights, scores and outputs, and the letters that they get."""

import pytest

from regard.claims.syntax.prose.attention.weights import index_of, keep_apart, name_weights
from regard.claims.syntax.prose.chart import Unreadable
from regard.claims.syntax.prose.phrases import Thing
from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        ("If q = 0, the attention weight on the j-th key is 1/n.", ("Let q = 0. Then α_{j} = 1/n",)),
        ("If q = 0, the attention weight that k_a receives is 1/n.", ("Let q = 0. Then α_{a} = 1/n",)),
        ("The score of key a is at most the largest score.", ("k_{a}^T q ≤ max_i s_i",)),
        (
            "If q = 0, the output is the plain arithmetic mean of the values.",
            ("Let q = 0. Then c = (1/n) \\sum_i v_i",),
        ),
        (
            "As the temperature goes to infinity, the attention weights become uniform.",
            ("Let T → ∞. Then softmax(s/T)_i → 1/n",),
        ),
        ("Let a = softmax(Kq). The weights sum to one.", ("Let a = softmax(Kq). Then sum(a) = 1",)),
    ],
)
def test_sentences(sentence, claims):
    assert read_prose(sentence).claims == claims


def test_a_matrix_of_weights_has_no_weight_of_a_key():
    with pytest.raises(Unreadable):
        name_weights("Then ⱥ_i = 1/n", "Let A = softmax(Q K^T). The weights are uniform.")


def test_an_output_of_something_else_is_not_understood():
    assert read_prose("The output is the zero vector.") is None


@pytest.mark.parametrize(("written", "index"), [("k_j", "j"), ("v_{a}", "a"), ("k₁", "1"), ("j", "j")])
def test_index(written, index):
    assert index_of(Thing(written)).signs == index


def test_no_index_of_a_query():
    with pytest.raises(Unreadable):
        index_of(Thing("q"))


def test_a_key_between_two_others_is_none_of_them():
    assert keep_apart("Let k_m = (k_a + k_b)/2. Then 1 = 1").startswith("Let m ≠ a. Let m ≠ b. Let a ≠ b. ")


def test_two_random_keys_are_not_understood():
    with pytest.raises(Unreadable):
        keep_apart("Let k_i ~ N(0, I). Let k_j ~ N(0, I). Then Var(k_i^T k_j) = d")
