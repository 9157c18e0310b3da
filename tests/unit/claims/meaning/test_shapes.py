"""Open sizes become what they meet; one that counts several is never 1."""

from regard.claims.meaning.shapes import UnknownSize, known_size, unify


def test_an_open_size_becomes_what_it_meets():
    size = UnknownSize()
    assert unify(size, "n")
    assert known_size(size) == "n"
    assert not unify(size, "d")


def test_a_plural_size_is_not_one():
    first, second = UnknownSize(plural=True), UnknownSize()
    assert not unify(first, 1)
    assert unify(second, first)
    assert not unify(second, 1)
