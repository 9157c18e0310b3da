"""Cases and matrices in LaTeX."""

import pytest

from regard.claims.check import check
from regard.claims.syntax.grammar import parse
from regard.claims.syntax.printer import as_plain
from regard.errors import NotUnderstood


def test_cases_are_claims_with_conditions(unchecked):
    text = r"k_i^T k_j = \begin{cases} 1 & i = j \\ 0 & \text{otherwise} \end{cases}"
    assert as_plain(parse(text)) == "k_iᵀ k_j = 1 given i = j; k_iᵀ k_j = 0 given i ≠ j"
    assert check(text, setting="orthonormal-keys").verdict == "holds"
    assert check(text.replace(" 1 &", " 2 &"), setting="orthonormal-keys").verdict == "fails"


def test_matrices_are_written_out(unchecked):
    assert check(r"\det(\begin{pmatrix} a & b \\ c & d \end{pmatrix}) = a d - b c").verdict == "holds"
    assert check(r"\begin{pmatrix} a \\ b \end{pmatrix}^T \begin{pmatrix} c \\ d \end{pmatrix} = a c + b d").is_true


@pytest.mark.parametrize("text", [r"\begin{cases} 1 & i = j \end{cases}", r"x = \begin{cases} 1 \\ 2 \end{cases}"])
def test_other_cases_are_not_understood(text):
    with pytest.raises(NotUnderstood):
        parse(text)
