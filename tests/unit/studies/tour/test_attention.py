"""Part A of the tour, keys without noise, against figures that were found by other means."""

import pytest


@pytest.mark.parametrize("identifier", ["A1", "A2"])
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


def test_wrong_answers_are_told_from_right_ones(answer):
    verdicts = {claim.claim: claim.verdict for name in ("A1", "A2") for claim in answer(name).claims}
    assert (verdicts["M = A A^T"], verdicts["M = A^T"], verdicts["M = A^T A"]) == ("holds", "fails", "ill-formed")
    assert (verdicts["q = C(k_a + k_b)"], verdicts["q = k_a + k_b"]) == ("holds-in-limit", "fails")
