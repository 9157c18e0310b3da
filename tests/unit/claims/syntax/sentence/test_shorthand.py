"""Shorthand of formulas, written out before they are read."""

import pytest

from regard.claims.check import check
from regard.claims.syntax.sentence.shorthand import write_out


@pytest.mark.parametrize(
    ("text", "written"),
    [
        (r"a_n \xrightarrow[n\to\infty]{} 0; b = 1", r"a_n \to 0, n\to\infty; b = 1"),
        (r"a_n \xrightarrow{n \to \infty} 0", r"a_n \to 0, n \to \infty"),
        (r"a_n \underset{n\to\infty}{\to} 0", r"a_n \to 0, n\to\infty"),
        (r"X_n \xrightarrow{P} 0", r"X_n \xrightarrow{P} 0"),
        ("p_t > 0 (t = 1..M), M > 1", "p_t > 0 ,t = 1..M , M > 1"),
        ("k_i^T k_j = 0 (i, j ≤ n)", "k_i^T k_j = 0 ,i, j = 1, …, n "),
        ("x → 0  (t → ∞)", "x → 0 ,t → ∞ "),
        ("P (X = 1) = ½", "P (X = 1) = ½"),
        ("f(x) = 1", "f(x) = 1"),
        ("x in R^n, A in R^(d x m)", "x ∈ R^n, A ∈ R^{d×m}"),
        ("y in {0,1}^n ⇒ y ≥ 0", "where y ∘ y = y ⇒ y ≥ 0"),
        ("y ∈ {0,1}^n, Σ_i y_i = 1 ⇒ ‖y‖ = 1", "where y onehot ⇒ ‖y‖ = 1"),
    ],
)
def test_what_is_written_out(text, written):
    assert write_out(text) == written


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        (r"q=\beta k_2, k_i^\top k_j=\delta_{ij} \Rightarrow c \xrightarrow[\beta\to\infty]{} v_2", "holds-in-limit"),
        (r"q=\beta k_2, k_i^\top k_j=\delta_{ij} \Rightarrow c \xrightarrow[\beta\to\infty]{} v_1", "fails"),
        ("ln(1 + e^C) − C → 0   (C → ∞)", "holds-in-limit"),
        ("ln(1 + e^C) − C → ln 2   (C → ∞)", "fails"),
        ("lim_{p->0+} -p*log(p) = 0", "holds-in-limit"),
        ("kᵢᵀkⱼ = δᵢⱼ (i,j = 1…n), q = k₁  ⇒  α₁ = e/(e + n − 1)", "holds"),
        ("kᵢᵀkⱼ = δᵢⱼ (i,j = 1…n), q = k₁  ⇒  α₁ = e/(e + n)", "fails"),
        ("y ∈ {0,1}^n, Σ_i y_i = 1 ⇒ ‖y‖ = 1", "holds"),
        ("y ∈ {0,1}^n, Σ_i y_i = 1 ⇒ ‖y‖ = ½", "fails"),
        ("σ″(x) = σ(x)(1 − σ(x))(1 − 2σ(x))", "holds"),
        ("σ″(x) = σ(x)(1 − σ(x))²", "fails"),
    ],
)
def test_it_is_judged_as_what_it_stands_for(claim, verdict):
    assert check(claim).verdict == verdict
