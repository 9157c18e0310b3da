"""Part A of the tour, against figures that were found by other means."""

import pytest


@pytest.mark.parametrize("identifier", ["A1", "A2", "A3", "A4"])
def test_every_answer_keeps_the_rules(keeps_the_rules, identifier):
    keeps_the_rules(identifier)


def test_the_scale_of_a_copy(answer):
    found = answer("A1")
    assert found.number("C for a weight of 0.99 among 10 keys").value == pytest.approx(6.792344, abs=1e-6)
    assert found.number("weight of the wanted key for q = k, 10 keys").value == pytest.approx(0.231969, abs=1e-6)
    assert found.number("weight of the wanted key at that C").value == pytest.approx(0.99, abs=1e-14)
    assert "C = 6.7923" in found.sentences[1]


def test_a_summand_is_taken_out_and_two_values_are_averaged(answer):
    found = answer("A2")
    assert found.number("largest entry of M(v_a + v_b) − v_a").value < 1e-14
    assert found.number("C for a leak of 0.01, 10 keys").value == pytest.approx(5.981414, abs=1e-6)
    assert found.number("weight of key a at that C").value == pytest.approx(0.495, abs=1e-14)


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


def test_wrong_answers_are_told_from_right_ones(answer):
    verdicts = {claim.claim: claim.verdict for name in ("A1", "A2") for claim in answer(name).claims}
    assert (verdicts["M = A A^T"], verdicts["M = A^T"], verdicts["M = A^T A"]) == ("holds", "fails", "ill-formed")
    assert (verdicts["q = C(k_a + k_b)"], verdicts["q = k_a + k_b"]) == ("holds-in-limit", "fails")
