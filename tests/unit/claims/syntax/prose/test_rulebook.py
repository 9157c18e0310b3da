"""The rules of all modules."""

import re

from regard.claims.syntax.prose.rulebook import grammar


def test_every_phrase_that_a_rule_asks_for_has_a_rule_or_is_read_by_a_function():
    rules = [rule for of_category in grammar()._rules.values() for rule in of_category]
    asked = {name for rule in rules for name in re.findall(r"<(\w+)>", rule.pattern)}
    assert asked - {rule.category for rule in rules} - set(grammar().leaves) == set()
    assert len(rules) > 3000


def test_it_is_put_together_once():
    assert grammar() is grammar()
