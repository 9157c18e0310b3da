"""Commands of LaTeX as signs."""

import pytest

from regard.claims.check import check
from regard.claims.syntax.prose.commands import without_commands
from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        (r"$\theta_i \le \mu_{a}$", "$θ_i ≤ μ_{a}$"),
        (r"$\mathcal{N}(0, \Sigma)$", "$N(0, Σ)$"),
        (r"$x^\top A^{\top}$", "$xᵀ Aᵀ$"),
        (r"$\mathrm{softmax}(z)$ in $\mathbb{R}^n$", "$softmax(z)$ in $ℝ^n$"),
        (r"$\sum_i \frac12 x_i$", r"$\sum_i \frac12 x_i$"),
        (r"costs \$ and \alpha", r"costs \$ and \alpha"),
    ],
)
def test_signs(text, plain):
    assert without_commands(text) == plain


def test_a_text_that_is_read_keeps_its_commands():
    assert read_prose(r"If $\alpha = 1$, then $\beta = 2$.").claims == (r"Let \alpha = 1. Then \beta = 2",)


def test_rules_that_look_into_formulas_know_commands():
    claim = r"If not all $\theta_i$ are equal, then $\max_i \theta_i {} \min_i \theta_i$."
    assert [check(claim.format(sign)).is_true for sign in (">", "<")] == [True, False]
