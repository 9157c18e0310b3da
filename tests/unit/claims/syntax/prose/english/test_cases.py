"""Two cases, each with a condition of its own."""

import pytest

from regard.claims.syntax.prose.reading import read_prose

CASES = ("c → v_a if g > 0", "c → v_b if g < 0")


@pytest.mark.parametrize(
    "sentence",
    [
        "For g > 0, c → v_a and for g < 0, c → v_b.",
        "If g > 0 then c → v_a, and if g < 0 then c → v_b.",
        "c → v_a when g > 0 and c → v_b when g < 0.",
        "c → v_a if g > 0, but c → v_b if g < 0.",
    ],
)
def test_each_case_has_its_own_condition(sentence):
    assert read_prose(sentence).claims == CASES
