"""Vectors whose entries are drawn alike."""

import pytest

from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    "given",
    [
        "q and k have iid entries with mean 0 and variance 1",
        "q and k have i.i.d. N(0, 1) entries",
        "the entries of q and k are independent with mean 0 and variance 1",
    ],
)
def test_laws_of_whole_vectors(given):
    claims = read_prose(f"If {given}, then Var(q^T k) = d.").claims
    assert claims == ("Let q ~ N(0, I). Let k ~ N(0, I). Then Var(q^T k) = d",)


def test_entries_without_a_variance_are_not_read():
    assert read_prose("If q and k have iid entries with mean 0, then Var(q^T k) = d.") is None
