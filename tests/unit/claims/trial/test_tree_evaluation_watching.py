"""Looking on while a claim is tried."""

import pytest

from regard.claims.check import check
from regard.claims.trial.tree_evaluation import watch


def test_whoever_watches_is_called_and_changes_nothing():
    steps = 0

    def look():
        nonlocal steps
        steps += 1

    with watch(look):
        seen = check(r"\alpha_i < \frac12")
    assert steps > 10
    assert seen == check(r"\alpha_i < \frac12")


def test_they_can_end_it_and_are_not_called_afterwards():
    class Enough(BaseException):
        pass

    def look():
        raise Enough

    with pytest.raises(Enough), watch(look):
        check(r"\sum_i \alpha_i = 1")
    assert check(r"\sum_i \alpha_i = 1").verdict == "holds"
