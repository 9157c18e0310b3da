"""What a matrix does to a vector."""

import pytest

from regard.claims.check import check
from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        ("The matrix AA^T kills v_b.", ("(AA^T) v_b = 0",)),
        ("AA^T keeps v_a and annihilates v_b.", ("(AA^T) v_a = v_a", "(AA^T) v_b = 0")),
        ("A A^T does not change v_a.", ("(A A^T) v_a = v_a",)),
        ("M = A A^T extracts v_a from v_a + v_b.", ("Let M = A A^T. Then M (v_a + v_b) = v_a",)),
        ("A A^T removes v_b from v_a + v_b.", ("(A A^T) (v_a + v_b) = v_a + v_b - v_b",)),
        ("Multiplying v_a + v_b by A A^T gives v_a.", ("(A A^T) (v_a + v_b) = v_a",)),
        ("Applying P to x gives y.", ("P x = y",)),
        ("v_b is annihilated by A A^T.", ("(A A^T) v_b = 0",)),
    ],
)
def test_each_action_is_an_equation(sentence, claims):
    assert read_prose(sentence).claims == claims


@pytest.mark.parametrize("sentence", ["A A^T does not kill v_b.", "A A^T never keeps v_a.", "q kills v_b."])
def test_what_is_denied_and_what_is_no_matrix_is_not_read(sentence):
    assert read_prose(sentence) is None


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("AA^T keeps v_a and kills v_b", "holds"),
        ("AA^T keeps v_b and kills v_a", "fails"),
        ("I − AA^T removes v_a from v_a + v_b", "holds"),
        ("I − AA^T removes v_b from v_a + v_b", "fails"),
    ],
)
def test_verdict(claim, verdict):
    assert check(claim).verdict == verdict
