"""Which value the output comes near to, draw by draw."""

import pytest

from regard.claims.check import check
from regard.claims.syntax.prose.reading import read_prose

NOISY = "Let k_a = (1+g) μ_a with g ~ N(0, 1/2) and q = C(μ_a + μ_b)."


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("Then c oscillates between v_a and v_b as C → ∞", "holds-in-limit"),
        ("Then c oscillates between v_a and 0 as C → ∞", "fails"),
        ("Then c is either close to v_a or close to v_b as C → ∞", "holds-in-limit"),
        ("Then c ≈ v_a with probability 1/2 and c ≈ v_b with probability 1/2 for C → ∞", "holds-in-limit"),
        ("Then c is close to v_a half of the time and close to 0 half of the time for C → ∞", "fails"),
        ("If k_a is longer than μ_a then c → v_a as C → ∞", "holds-in-limit"),
        ("If k_a is shorter than μ_a then c → v_a as C → ∞", "fails"),
        ("If g > 0 then c → v_a as C → ∞", "holds-in-limit"),
        ("If g < 0 then c → v_a as C → ∞", "fails"),
    ],
)
def test_verdict(claim, verdict):
    assert check(f"{NOISY} {claim}").verdict == verdict


def test_where_nothing_is_drawn_nothing_jumps():
    assert read_prose("c oscillates between v_a and v_b.") is None
    assert read_prose("With q = C(μ_a + μ_b) and C → ∞, the output jumps between v_a and v_b.") is None
