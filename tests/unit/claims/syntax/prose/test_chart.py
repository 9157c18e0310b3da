"""The chart parser, on a grammar of four rules."""

from regard.claims.syntax.prose.chart import Chart, Grammar, Rule, Unreadable
from regard.claims.syntax.prose.tokens import tokenise_sentence


def _refuse(*_):
    raise Unreadable


def _read(text, *rules, leaves=None):
    return Chart(tokenise_sentence(text), Grammar(rules, leaves or {})).whole("s")


def test_words_may_be_one_of_several_or_missing():
    rule = Rule("s", "the? cat/dog sleeps", lambda: "yes")
    assert _read("the dog sleeps", rule) == "yes"
    assert _read("cat sleeps", rule) == "yes"
    assert _read("the bird sleeps", rule) is None


def test_parts_are_handed_to_the_meaning_and_missing_ones_as_none():
    rules = (
        Rule("n", "one", lambda: 1),
        Rule("n", "two", lambda: 2),
        Rule("s", "<n> plus? <n>?", lambda a, b: (a, b)),
    )
    assert _read("one plus two", *rules) == (1, 2)
    assert _read("two", *rules) == (2, None)


def test_the_first_rule_wins_and_one_that_refuses_is_passed_over():
    assert _read("a cat", Rule("s", "a cat", lambda: 1), Rule("s", "a? cat", lambda: 2)) == 1
    assert _read("a cat", Rule("s", "a cat", _refuse), Rule("s", "a? cat", lambda: 2)) == 2


def test_a_category_that_begins_with_itself_ends():
    assert _read("one one", Rule("s", "<s> one", lambda *_: 0), Rule("s", "one one", lambda: 1)) == 1


def test_words_of_a_formula_are_no_words():
    assert _read("x = 1", Rule("s", "x", lambda: 1)) is None


def test_a_category_that_may_be_missing_is_asked_for_beside_one_that_must_be_there():
    rules = (
        Rule("n", "one", lambda: 1),
        Rule("s", "<n> cat", lambda n: n),
        Rule("s", "<n>? dog", lambda n: n),
        Rule("s", "the? <n>? bird", lambda n: (n,)),
    )
    assert _read("one cat", *rules) == 1
    assert _read("one dog", *rules) == 1
    assert _read("the bird", *rules) == (None,)
    assert Chart(tokenise_sentence("dog"), Grammar(rules, {})).read("s", 0) == {1: None}


def test_the_furthest_word_is_told_that_some_rule_could_use():
    chart = Chart(tokenise_sentence("the big red cat"), Grammar((Rule("s", "the? big? red dog", lambda: 1),), {}))
    assert chart.whole("s") is None
    assert chart.furthest == 3
