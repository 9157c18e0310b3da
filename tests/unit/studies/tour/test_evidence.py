"""Evidence of the tour: stamped numbers, claims tried, drawings that are the same in every run."""

import pytest

from regard import __version__
from regard.report.figures import new_figure
from regard.studies.tour.evidence import Origin, draw, try_claim, try_claims


def test_a_number_carries_its_origin():
    number = Origin(3, "manual", "ab").number("perplexity", 12, error=0.5, how="measured")
    assert (number.value, number.error, number.seed, number.data, number.digest) == (12.0, 0.5, 3, "manual", "ab")
    assert number.version == __version__


def test_claims_have_the_verdict_of_check():
    right, wrong = try_claims(("PP = 2^{H_2}", "perplexity"), ("q = k_a", "orthonormal-keys", r"c \approx v_a"))
    assert (right.verdict, right.goal) == ("holds", "")
    assert (wrong.verdict, wrong.goal) == ("fails", r"c \approx v_a")
    assert "needs a large factor" in wrong.nearest


def test_a_claim_that_is_not_understood_is_our_mistake():
    with pytest.raises(AssertionError, match="does not fit here"):
        try_claim("q = k_a + * k_b", "orthonormal-keys")


def test_a_drawing_is_the_same_in_every_run():
    def make():
        figure = new_figure((1.0, 1.0))
        figure.subplots().plot([0, 1], [1, 0])
        return figure

    (one,), (other,) = draw("a line", make), draw("a line", make)
    assert one.svg == other.svg
    assert one.svg.startswith("<svg")
