"""What counts as a request that was foreseen; `make faults` asks for too much of every command."""

import pytest

from tests.faults.forked import Ending
from tests.faults.large_requests import judge


@pytest.mark.parametrize(
    ("end", "is_well"),
    [
        (Ending(0, "done"), True),
        (Ending(1, "", "regard: at most 100 heads; got 1000000000\n"), True),
        (Ending(1, "fails: 1 = 2"), True),
        (Ending(1, "", "regard: this takes more memory than there is; ask for less\n"), False),
        (Ending(1, "", "regard: internal error, ValueError: x; --debug shows where\n"), False),
        (Ending(-9), False),
        (Ending(1, "", "Traceback (most recent call last):\n"), False),
    ],
)
def test_a_request_is_answered_or_refused_beforehand(end, is_well):
    assert (judge(end) == "") == is_well
