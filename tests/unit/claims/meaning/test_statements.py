"""A claim in its setting: the goal of definitions, conditions on sizes, laws after ~."""

import pytest

from regard.claims.meaning.definitions import compile_setting
from regard.claims.meaning.setting import find_setting
from regard.claims.meaning.shapes import IllFormed, UnknownName
from regard.claims.meaning.statements import GoalMissed, interpret_claim
from regard.claims.meaning.terms import Ref
from regard.claims.syntax.grammar import parse
from regard.claims.syntax.tree import ReadingPath


def interpret(text, setting="attention", *, goal=None):
    compiled = compile_setting(find_setting(setting))
    wanted = goal or compiled.setting.goal
    return interpret_claim(parse(text), compiled, parse(wanted), ReadingPath(), insist=goal is not None)


def test_a_definition_alone_is_judged_by_the_goal():
    task = interpret("q = C k_a")
    assert task.is_goal
    [statement] = task.statements
    assert (statement.comparison, statement.left, statement.right) == ("≈", Ref("c"), Ref("v", ("a",)))
    assert task.notes == ("C stands for any positive number, large in a limit",)


def test_a_statement_is_judged_itself_and_a_given_goal_beside_it():
    assert not interpret("c = v_a").is_goal
    assert len(interpret("c = v_a").statements) == 1
    assert len(interpret("c = v_a", goal="q = q").statements) == 2


def test_conditions_choose_the_sizes():
    sizes = find_setting("attention").sizes
    assert [sizes[row]["n"] for row in interpret("c = v_a; n = 2").rows] == [2] * sum(one["n"] == 2 for one in sizes)
    with pytest.raises(UnknownName, match="no instance that can be tried has such sizes"):
        interpret("c = v_a; n > 1000")


def test_a_goal_may_be_missed_by_shape_alone():
    with pytest.raises(GoalMissed, match=r"its left side would be a column \(m, 1\)"):
        interpret("M = A^T", "two-subspaces")


def test_a_law_is_three_statements():
    task = interpret("k_a ~ N(μ_a, α I)", "noisy-keys")
    assert [one.comparison for one in task.statements] == ["normal", "=", "="]


@pytest.mark.parametrize("text", ["c < v_a", "c = α"])
def test_sides_that_cannot_be_compared_are_refused(text):
    with pytest.raises(IllFormed):
        interpret(text)
