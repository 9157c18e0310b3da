"""Every error is one of ours and also the built-in that its docstring names."""

import builtins
import inspect
import re

import pytest

from regard import errors
from regard.errors import NotUnderstood, RegardError, UnreachableError

TREE = dict(re.findall(r"── (\w+)\s+(\w+)  ", errors.__doc__))
CLASSES = {
    name: each
    for name, each in inspect.getmembers(errors, inspect.isclass)
    if issubclass(each, RegardError) and each is not RegardError
}


def test_the_tree_in_the_docstring_is_complete():
    assert set(TREE) == set(CLASSES)


@pytest.mark.parametrize("name", CLASSES)
def test_an_error_is_caught_as_ours_and_as_the_builtin(name):
    assert issubclass(CLASSES[name], getattr(builtins, TREE[name]))


def test_errors_carry_their_evidence():
    assert UnreachableError("no", certificate="proof").certificate == "proof"
    found = NotUnderstood("what is ?", span=(3, 4), expected="a number")
    assert (str(found), found.span, found.expected) == ("what is ?", (3, 4), "a number")
