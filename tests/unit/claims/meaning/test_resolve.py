"""Written trees to terms in the setting `attention`: k_i, v_i and q of width d, n keys."""

import pytest

from regard.claims.check import check
from regard.claims.meaning.resolve import TreeReader
from regard.claims.meaning.setting import find_setting
from regard.claims.meaning.shapes import IllFormed, UnknownName
from regard.claims.meaning.terms import Apply, Combine, IndexedSum, PartialDerivative, Ref
from regard.claims.syntax.grammar import parse

K_A, Q = Ref("k", ("a",)), Ref("q")


def read(text):
    return TreeReader(find_setting("attention")).read(parse(f"{text} = 0").statements[0].left)


def test_products_and_their_shapes():
    assert read("k_a^T q") == (Combine("*", Apply("transpose", (K_A,)), Q), (1, 1))
    assert read("k_a q^T")[1] == ("d", "d")
    assert read(r"k_a \cdot q") == (Combine(".", K_A, Q), (1, 1))


def test_a_subscript_picks_a_member_then_an_entry():
    assert read("k_{a,1}") == (Ref("k", ("a", "1")), (1, 1))
    assert read("α_i") == (Ref("alpha", ("i",)), (1, 1))


def test_a_sum_counts_what_its_index_is_of():
    term, shape = read(r"\sum_i α_i v_i")
    assert isinstance(term, IndexedSum)
    assert shape == ("d", 1)


def test_a_derivative_has_the_shape_of_what_it_is_taken_by():
    assert read("∂α_a/∂q") == (PartialDerivative(Ref("alpha", ("a",)), Q, "by"), ("d", 1))
    assert read("∂α/∂q")[1] == ("n", "d")


def test_free_letters_are_collected():
    reader = TreeReader(find_setting("attention"))
    reader.read(parse("C ε q_j = 0").statements[0].left)
    assert {name: one.limit for name, one in reader.scalars.items()} == {"C": "large", "epsilon": "small"}
    assert list(reader.free_indices) == ["j"]


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("k_a q", IllFormed, r"a column \(d, 1\) cannot be multiplied with a column \(d, 1\): transpose the first"),
        ("k_a + α", IllFormed, r"a column \(d, 1\) cannot be added to a column \(n, 1\)"),
        ("q/k_a", IllFormed, "nothing can be divided by a column"),
        ("k", UnknownName, "k is no symbol of attention; it has k_i"),
        ("x_c", UnknownName, "x_c is no symbol of attention; it has k_i, v_i, q"),
        ("KL(q)", UnknownName, r"KL takes 2 argument\(s\); got 1"),
    ],
)
def test_what_does_not_fit_is_refused(text, error, message):
    with pytest.raises(error, match=message):
        read(text)


def test_softmax_of_several_numbers_is_that_of_their_vector(unchecked):
    assert check("softmax(0, ln 3) = (1/4, 3/4)").verdict == "holds"
    assert check("softmax(0, ln 3) = (3/4, 1/4)").verdict == "fails"
