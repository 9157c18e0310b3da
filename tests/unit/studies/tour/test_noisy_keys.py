"""Part A of the tour, noisy keys, against figures that were found by other means."""

import pytest


@pytest.mark.parametrize("identifier", ["A3", "A4"])
def test_every_answer_keeps_the_rules(keeps_the_rules, identifier):
    keeps_the_rules(identifier)


def test_the_variance_under_noise_in_the_length(answer):
    found = answer("A3")
    exact = found.number("total variance of c at C = 10").value
    sampled = found.number("the same from 20,000 draws")
    assert exact == pytest.approx(0.390500, abs=1e-6)
    assert abs(sampled.value - exact) < 5 * sampled.error
    assert found.number("total variance of c at C = 10000").value == pytest.approx(0.499887, abs=1e-6)
    assert found.number("probability of 0.05 < α_a < 0.95").value == pytest.approx(0.3229, abs=1e-4)


def test_what_remains_with_two_heads(answer):
    found = answer("A4")
    assert found.number("variance of their average").value == pytest.approx(0.025368, abs=1e-6)
    assert found.number("variance of c₂ at C = 10").value == 0
    assert found.number("probability that head 1 loses key a, C = 10").value == pytest.approx(0.1349, abs=1e-4)
    assert found.number("Φ(−√2), what remains as C → ∞").value == pytest.approx(0.0786496035, abs=1e-10)
    assert "7.86 %" in found.sentences[2]
