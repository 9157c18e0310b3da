"""What the words before items make of them."""

import pytest

from regard.claims.syntax.lexer import tokenise
from regard.claims.syntax.printer import as_plain
from regard.claims.syntax.sentence.items import state_properties
from regard.claims.syntax.sentence.parts import SentenceSorter
from regard.claims.syntax.sentence.sentences import Sentences
from regard.claims.syntax.tree import Symbol
from regard.errors import NotUnderstood


def sort(text):
    tokens, notes = tokenise(text)
    reader = Sentences(tokens, notes=notes)
    items, _ = reader.items()
    return SentenceSorter(reader, items, []).parts()


def test_what_stands_before_an_arrow_is_given():
    [part] = sort("x = 1 ⇒ y = 2")
    assert [as_plain(one) for one in part.leading] == ["x = 1"]
    assert [as_plain(one) for one in part.claims] == ["y = 2"]


def test_a_condition_behind_a_claim_is_its_own():
    [part, other] = sort("y = 2 if x = 1, z + w = 3")
    assert [as_plain(one) for one in part.given] == ["x = 1"]
    assert [as_plain(one) for one in other.claims] == ["z + w = 3"]


def test_each_side_of_an_equivalence_is_kept():
    [part] = sort("x = 1 ⇔ y = 2")
    assert [as_plain(one) for one in part.before] == ["x = 1"]
    assert [as_plain(one) for one in part.claims] == ["y = 2"]


def test_unless_is_refused():
    with pytest.raises(NotUnderstood, match="'if' with the opposite"):
        sort("y = 2 unless x = 1")


def test_properties_are_relations():
    found = state_properties(Symbol("A"), {"symmetric", "and", "invertible"})
    assert [one.right.name for one in found] == ["invertible", "symmetric"]
