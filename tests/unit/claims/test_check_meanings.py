"""What letters and words of a claim are taken for."""

import pytest

from regard.claims.check import check


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("A B = 0 ⇒ A = 0 or B = 0", "fails"),  # a product of matrices is 0 where none of them is
        ("x^2 = 1 ⇒ x = 1 or x = -1", "holds"),
        ("x^T z = y^T z for all z ⇒ x = y", "not-understood"),  # one z would not do
        ("|z_i| ≤ B for all i ⇒ softmax(z)_i ≥ e^{-2B}/n", "holds"),  # the i before ⇒ is another
        ("Σ_i p_i = 1, Σ_i q_i = 1, p_i, q_i > 0 ⇒ Σ_i p_i log(p_i/q_i) ≥ 0", "holds"),  # bounds are meant for all i
        ("if k_i^T q = k_j^T q then v_i = v_j", "fails"),  # at i = j nothing is said
        ("x ~ N(μ, Σ) ⇒ E‖x - a‖² > E‖x - μ‖²", "fails"),  # a tie at a = μ
        ("y one-hot ⇒ H(p, y) = 0", "undecided"),  # infinite on most instances
        ("Π_i softmax(x)_i ≤ n^{-n}", "holds"),
        ("softmax(x) → e_1 as x_1 → ∞", "holds-in-limit"),
        ("p → 0 ⇒ -log p → ∞", "holds-in-limit"),
        ("p → 0 ⇒ log p → ∞", "fails"),
        (r"\lim_{x→∞} Φ(x) = 1 and \lim_{x→-∞} Φ(x) = 0", "holds-in-limit"),
        ("Let A be a square matrix with orthonormal columns. Then A A^T = I", "holds"),
        ("x^T A x > 0 for all x ≠ 0 if A = B^T B", "fails"),  # B of one row
        ("L = -t^T log softmax(z) ⇒ ∇_z L = softmax(z) - t", "undecided"),  # it holds where t sums to one
    ],
)
def test_no_verdict_on_another_statement(claim, expected, unchecked):
    assert check(claim).verdict == expected


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("u_a ~ N(m_a, s I), u_b ~ N(m_b, s I) independent, w = m_a + m_b ⇒ Var(u_a^T w) = s w^T w", "holds"),
        ("k ~ N(m, λI + τ m m^T) ⇒ Var(q^T k) = λ‖q‖² + τ(m^T q)²", "holds"),
        ("X ~ N(μ, σ^2) ⇒ P(X > μ + σ) < 0.16", "holds"),
        (r"p = softmax(z), L = -\log p_k ⇒ ∂L/∂z_k = p_k - 1", "holds"),
        ("J = diag(p) - pp^T, p = softmax(z) ⇒ J^T = J", "holds"),
        (r"\frac{d^2}{dx^2} e^{2x} = 4e^{2x}", "holds"),
        (r"\frac{e^C}{e^C + n - 1} → 0 as n → ∞", "holds-in-limit"),
        (r"\frac{e^C}{e^C + n - 1} → 1 as n → ∞", "fails"),
        ("if P is a permutation matrix then softmax(Px) = P softmax(x)", "holds"),
        ("p = softmax(z) ⇒ diag(p) - pp^T is positive semidefinite", "holds"),
        ("p = softmax(z) ⇒ all eigenvalues of diag(p) - pp^T are positive", "fails"),
        ("A symmetric ⇒ λ_max(A) ≥ x^T A x when ‖x‖ = 1", "holds"),
        (r"P = I - \frac{1}{n} 1 1^T ⇒ P^2 = P", "holds"),
        ("x = μ + σ z, z ~ N(0, I_d) ⇒ x ~ N(μ, σ² I_d)", "holds"),
        ("s_i ~ N(0, 1), s_j ~ N(0, 1) independent ⇒ Var(s_i - s_j) = 2", "holds"),
        ("if A^T A = I then P = A A^T satisfies P^2 = P", "holds"),
    ],
)
def test_own_letters(claim, expected):
    assert check(claim).verdict == expected


@pytest.mark.parametrize(
    ("claim", "setting", "expected"),
    [
        ("q ⊥ k_i for all i ⇒ α_i = 1/n", "attention", "holds"),
        ("q ⊥ k_i ⇒ α_i = 1/n", "attention", "fails"),
        ("if s_a - s_i = Δ for all i ≠ a then α_a = e^Δ/(e^Δ + n - 1)", "attention", "holds"),
        ("q' = 2q ⇒ softmax(Kq')_a/softmax(Kq')_b = (α_a/α_b)^2", "attention", "holds"),
        ("softmax((K + 1u^T) q) = softmax(K q)", "attention", "holds"),
        ("q = C k_a ⇒ α_a/α_b = C", "orthonormal-keys", "fails"),
        ("For large C the query q = C k_a gives c ≈ v_a", "orthonormal-keys", "holds-in-limit"),
        ("q = C k_a + C k_b, i ∉ {a, b} ⇒ α_i = 1/(2e^C + n - 2)", "orthonormal-keys", "holds"),
        ("q = C(μ_a + μ_b) ⇒ s_a - s_b ~ N(0, 2αC²)", "noisy-keys", "fails"),
        ("As α → 0, k_a^T q → μ_a^T q", "noisy-keys", "holds-in-limit"),
    ],
)
def test_in_a_setting(claim, setting, expected):
    assert check(claim, setting=setting).verdict == expected


def test_one_entry_alone_refutes_nothing():
    found = check("a = softmax(s), s_j → -∞ ⇒ a_j → 0")
    assert found.verdict == "holds-in-limit"
    assert any("n = 1" in note for note in found.notes)


def test_a_letter_that_others_of_the_setting_follow_from_may_be_the_claims_own():
    claim = "Let ŷ = softmax(W x + b) and L = -sum_i y_i log ŷ_i. Then ∂L/∂W = (ŷ − y) xᵀ"
    assert check(claim).verdict not in ("fails", "ill-formed")
