"""Terms and their shapes, on letters."""

from fractions import Fraction

import pytest

from regard.claims.meaning.shapes import (
    FUNCTION_RULES,
    SCALAR,
    UnknownSize,
    describe,
    is_column,
    is_vector,
    known_size,
    length_of,
    unify,
    unify_shapes,
)
from regard.claims.meaning.terms import (
    Apply,
    Combine,
    Constant,
    Definition,
    Moment,
    Ref,
    contains,
    symbols_in,
    with_dependencies,
)

TERM = Combine("*", Ref("A"), Apply("exp", (Ref("x", ("i",)),)))


def test_symbols_and_kinds_in_a_term():
    assert symbols_in(TERM) == {"A", "x"}
    assert (contains(TERM, Apply), contains(TERM, Moment)) == (True, False)


def test_dependencies_are_followed_to_the_end():
    chain = {"c": Definition("c", Ref("b"), SCALAR), "b": Definition("b", TERM, SCALAR)}
    assert with_dependencies({"c"}, chain) == {"c", "b", "A", "x"}


def test_letters_never_agree_by_chance_but_an_open_size_becomes_what_it_meets():
    size = UnknownSize()
    assert not unify("n", "d")
    assert unify(size, "n")
    assert known_size(size) == "n"
    assert not unify(size, "d")
    assert unify_shapes(("d", 1), ("d", 1))
    assert not unify_shapes(("d", 1), (1, "d"))


def test_shapes_in_words():
    assert [describe(shape) for shape in ((1, 1), ("d", 1), (1, "d"), ("n", UnknownSize()))] == [
        "a number",
        "a column (d, 1)",
        "a row (1, d)",
        "a matrix (n, ?)",
    ]
    assert (is_column(("d", 1)), is_column((1, "d")), is_vector((1, "d")), length_of((1, "d"))) == (
        True,
        False,
        True,
        "d",
    )


@pytest.mark.parametrize(
    ("function", "shapes", "result"),
    [
        ("transpose", [("n", "d")], ("d", "n")),
        ("trace", [("n", "n")], SCALAR),
        ("trace", [("n", "d")], None),
        ("diag", [("d", 1)], ("d", "d")),
        ("softmax", [("n", "d")], None),
        ("KL", [("n", 1), ("n", 1)], SCALAR),
    ],
)
def test_what_functions_make_of_shapes(function, shapes, result):
    assert FUNCTION_RULES[function].shape(shapes) == result


def test_a_written_number_is_exact():
    assert Constant(Fraction(1, 10)) != Constant(Fraction(0.1))
