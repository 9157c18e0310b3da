"""Items and the parts of a claim that are made of them."""

from regard.claims.syntax.grammar import parse
from regard.claims.syntax.sentence.items import Part, give_to


def test_all_that_sentences_say_is_given_to_the_next():
    first, second = parse("a = 1"), parse("b_i = 2")
    parts = [Part(claims=list(first.statements)), Part(claims=list(second.statements), scoped=["i"])]
    given = give_to(parts, [])
    assert given.leading == [*first.statements, *second.statements]
    assert given.universal == ["i"]
    assert not given.claims


def test_what_is_given_for_all_stays_so():
    relation = parse("b_i = 2").statements[0]
    given = give_to([Part(leading=[relation], closed=[(relation, "i")])], [])
    assert given.closed == [(relation, "i")]


def test_what_follows_from_something_is_not_plain():
    assert Part().is_plain
    assert not Part(is_concluded=True).is_plain
    assert not Part(negated=True).is_plain
