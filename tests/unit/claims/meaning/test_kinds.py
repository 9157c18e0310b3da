"""What a letter may be, the likeliest first."""

import pytest

from regard.claims.meaning.kinds import possible_kinds
from regard.claims.meaning.usage import Usage


@pytest.mark.parametrize(
    ("name", "usage", "kinds"),
    [
        ("p", Usage(said={"distribution"}), ["distribution"]),
        ("p", Usage(functions={"KL"}), ["distribution", "vector", "number"]),
        ("A", Usage(), ["matrix", "number", "vector"]),
        ("W", Usage(), ["matrix", "vector"]),
        ("x", Usage(shape=("n",)), ["vector"]),
        ("x", Usage(n_indices={1}), ["vector", "family", "matrix"]),
        ("t", Usage(in_exponent=True), ["number", "vector", "matrix"]),
        ("epsilon", Usage(), ["number"]),
    ],
)
def test_use_says_what_a_letter_may_be(name, usage, kinds):
    found = possible_kinds(name, usage)
    assert [kind for _, kind in found] == kinds
    assert [cost for cost, _ in found] == sorted(cost for cost, _ in found)
