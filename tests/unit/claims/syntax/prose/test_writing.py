"""Clauses as statements in signs."""

from regard.claims.syntax.prose.phrases import Clause
from regard.claims.syntax.prose.writing import write_clauses


def test_what_is_given_stands_before_each_statement():
    found = write_clauses([Clause(("A is symmetric",)), Clause(("tr(A) = 1", "rank(A) = 1"))], "A is symmetric. …")
    assert found is not None
    assert [one.rpartition(". ")[2] for one in found.claims][-2:] == ["Then tr(A) = 1", "Then rank(A) = 1"]


def test_it_without_a_subject_is_not_written():
    assert write_clauses([Clause(("⟨it⟩ = 1",))], "It is 1.") is None
