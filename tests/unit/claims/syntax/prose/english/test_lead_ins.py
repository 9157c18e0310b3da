"""What leads up to a claim."""

import pytest

from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    "lead",
    [
        "By Jensen's inequality,",
        "Gibbs' inequality gives",
        "By the concavity of the logarithm",
        "It is well known that",
        "That is,",
        "In other words,",
        "This shows that",
        "It follows from the definition that",
        "One can show that",
        "As a consequence of Gibbs' inequality,",
    ],
)
def test_lead_ins_say_nothing(lead):
    assert read_prose(f"{lead} H(p, q) ≥ H(p).").claims == ("H(p, q) ≥ H(p)",)


@pytest.mark.parametrize("lead", ["It is false that", "By an inequality that fails,", "Nobody believes that", "Unless"])
def test_doubts_are_no_lead_ins(lead):
    assert read_prose(f"{lead} H(p, q) ≥ H(p).") is None
