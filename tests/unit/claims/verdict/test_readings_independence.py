"""Covariances of single keys do not make keys independent."""

from regard.claims.check import check


def test_single_covariances_say_nothing_of_two_keys(unchecked):
    found = check("Σ_i = αI ⇒ Cov(k_a, k_b) = 0", setting="noisy-keys")
    assert found.verdict == "fails"
    assert found.reason.startswith("Σ_i says nothing of two keys at once; with the same noise in all of them, at n = 2")
    assert check("Σ_i = αI ⇒ Var(k_a^T q) = α ‖q‖^2", setting="noisy-keys").verdict == "holds"
