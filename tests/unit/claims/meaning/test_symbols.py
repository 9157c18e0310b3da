"""Kronecker's delta, and members of a family."""

from regard.claims.check import check


def test_kroneckers_delta(unchecked):
    assert check("k_i^T k_j = δ_{ij}", setting="orthonormal-keys").verdict == "holds"
    assert check("k_i^T k_j = 2δ_{ij}", setting="orthonormal-keys").verdict == "fails"
