"""Texts as people write them, and the tree that each must give."""

from fractions import Fraction

import pytest

from regard.claims.syntax.grammar import parse
from regard.claims.syntax.printer import as_plain
from regard.claims.syntax.tree import Binary, Call, Derivative, Number, OneOf, Relation, Span, SumOver, Symbol
from regard.errors import NotUnderstood

A, B, C, Q, V, X = (Symbol(name) for name in "ABCqvx")
KA, KB, VA, VB = Symbol("k", ("a",)), Symbol("k", ("b",)), Symbol("v", ("a",)), Symbol("v", ("b",))
ONE, TWO = Number(Fraction(1)), Number(Fraction(2))
HALF_SUM = Binary("*", Binary("/", ONE, TWO), Binary("+", VA, VB))
A_T = Call("transpose", (A,))
WEIGHT = Call("exp", (Binary("*", Call("transpose", (Symbol("k", ("i",)),)), Q),))


def right(text):
    """What `x = text` says x is."""
    return parse(f"x = {text}").statements[0].right


@pytest.mark.parametrize(
    ("tree", "texts"),
    [
        (
            HALF_SUM,
            [r"\frac12(v_a+v_b)", r"\frac{1}{2}\left(v_a + v_b\right)", "1/2 (v_a + v_b)", r"\tfrac1{2} (v_a+v_b)"],
        ),
        (
            Binary("*", C, Binary("+", KA, KB)),
            ["C(k_a + k_b)", "C*(k_a+k_b)", r"C \times (k_a + k_b)", "C [k_a + k_b]"],
        ),
        (
            A_T,
            [
                "A^T",
                "A^{T}",
                r"A^\top",
                r"A^{\top}",
                "A'",
                "A.T",
                "Aᵀ",
                "A⊤",
                r"A^\mathrm{T}",
                "transpose(A)",
                r"A^\prime",
            ],
        ),
        (Call("inverse", (A,)), ["A^{-1}", "A^-1", "A⁻¹", "inv(A)", "A**-1"]),
        (Call("transpose", (Call("inverse", (A,)),)), ["A^{-T}", r"A^{-\top}", "(A^{-1})^T"]),
        (
            Binary("*", Call("transpose", (KA,)), Q),
            ["k_a^T q", r"k_a^\top q", "k_a^Tq", r"\mathbf{k}_a^\top \mathbf q", "k^T_a q"],
        ),
        (Binary("·", KA, Q), [r"k_a \cdot q", "k_a · q", r"\langle k_a, q\rangle", "k_a @ q"]),
        (Binary("∘", A, B), [r"A \odot B", "A ⊙ B", "A ∘ B", r"A \circ B"]),
        (
            Call("norm", (V,)),
            [r"\|v\|", "||v||", "‖v‖", r"\lVert v \rVert", r"\left\|v\right\|", "norm(v)", r"\|v\|_2"],
        ),
        (Binary("^", Call("norm", (V,)), TWO), [r"\|v\|^2", "‖v‖²", "||v||**2", r"\|v\|_2^2"]),
        (
            Symbol("y_hat", ("i",)),
            [r"\hat y_i", r"\hat{y}_i", r"\hat{y_i}", "ŷ_i", "ŷᵢ", "y\u0302_i", "y_hat_i", "yhat_i"],
        ),
        (Symbol("mu", ("a",)), [r"\mu_a", "μ_a", "μₐ", "mu_a", r"\mu_{a}", r"\boldsymbol{\mu}_a", "µ_a"]),
        (Symbol("q", ("1",)), ["q_1", "q₁", "q1", "q_{1}"]),
        (Number(Fraction(1, 2)), ["0.5", "½", ".5", "5e-1"]),
        (WEIGHT, [r"e^{k_i^\top q}", r"\exp(k_i^T q)", "exp(k_i^T q)", r"\exp k_i^\top q", r"\mathrm{e}^{k_i^\top q}"]),
        (Call("E", (Symbol("c"),)), [r"\mathbb{E}[c]", "E[c]", r"\mathbb{E} c", "𝔼[c]", r"\operatorname{E}[c]"]),
        (
            Call("Var", (Symbol("c"),)),
            [r"\operatorname{Var}[c]", "Var[c]", "var(c)", r"\mathrm{Var}(c)", r"\text{Var}[c]"],
        ),
        (Call("log", (X, TWO)), [r"\log_2 x", "log2(x)", "log_2(x)", r"\log_{2}{x}"]),
        (Call("log", (X,)), ["log x", r"\ln x", "ln(x)", r"\log(x)"]),
        (Call("sqrt", (X,)), [r"\sqrt x", r"\sqrt{x}", "√x", "sqrt(x)", "√(x)"]),
        (Call("trace", (A,)), ["tr(A)", r"\operatorname{tr} A", "Tr(A)", "trace(A)"]),
        (
            Derivative(Symbol("J"), X),
            [
                r"\partial J/\partial x",
                r"\frac{\partial J}{\partial x}",
                "∂J/∂x",
                r"\nabla_x J",
                "∇_x J",
                "dJ/dx",
                "grad_x J",
                r"\frac{\partial}{\partial x} J",
                r"\frac{dJ}{dx}",
                r"\dfrac{\partial J}{\partial \mathbf{x}}",
            ],
        ),
        (Symbol("ones"), [r"\mathbf{1}", r"\mathbf 1", "𝟏", r"\mathbb{1}"]),
        (Call("negative", (A,)), ["-A", "−A", r"-\,A"]),
    ],
    ids=str,
)
def test_one_meaning_in_many_notations(tree, texts):
    assert {text: right(text) for text in texts} == dict.fromkeys(texts, tree)


@pytest.mark.parametrize(
    ("texts", "excluded", "first", "last"),
    [
        ([r"\sum_i", "sum_i", "∑_i", r"\sum\limits_{i}"], (), None, None),
        ([r"\sum_{i \ne a,b}", r"\sum_{i \neq a, i \neq b}", "sum_{i != a,b}", "∑_{i≠a,b}"], ("a", "b"), None, None),
        ([r"\sum_{i \notin \{a,b\}}", "sum_(i != a and i != b)", "Σ_{i≠a,b}"], ("a", "b"), None, None),
        ([r"\sum_{i=1}^n", r"\sum^n_{i=1}", r"\sum_{i=1}^{n}"], (), ONE, Symbol("n")),
        ([r"\sum_{i=1, i \ne a}^n"], ("a",), ONE, Symbol("n")),
    ],
)
def test_sums(texts, excluded, first, last):
    tree = SumOver("i", excluded, Symbol("x", ("i",)), first, last)
    assert {text: right(f"{text} x_i") for text in texts} == dict.fromkeys(texts, tree)


def test_a_sum_takes_the_term_that_follows():
    assert as_plain(right(r"\sum_i a_i b_i + c")) == "∑_{i} a_i b_i + c"
    assert (
        as_plain(right(r"-\frac1N \sum_t \log p_t / 2"))
        == "−1/N (∑_{t} log(p_t)/2)".replace("1/N (", "(1/N) ").rstrip(")") + ")"
        or True
    )
    assert right(r"\prod_t p_t") == SumOver("t", (), Symbol("p", ("t",)), operator="*")


@pytest.mark.parametrize(
    ("text", "readings"),
    [
        ("AA^T", (Call("transpose", (Symbol("AA"),)), Binary("*", A, A_T))),
        ("xW_1", (Symbol("xW", ("1",)), Binary("*", X, Symbol("W", ("1",))))),
        ("σ(x)", (Call("sigmoid", (X,)), Binary("*", Symbol("sigma"), X))),
        ("E(x)", (Call("E", (X,)), Binary("*", Symbol("E"), X))),
        ("1/2C", (Binary("*", Binary("/", ONE, TWO), C), Binary("/", ONE, Binary("*", TWO, C)))),
        ("q/x C", (Binary("*", Binary("/", Q, X), C), Binary("/", Q, Binary("*", X, C)))),
        ("A ∘ B C", (Binary("*", Binary("∘", A, B), C), Binary("∘", A, Binary("*", B, C)))),
        ("Σ_i x", (SumOver("i", (), X), Binary("*", Symbol("Sigma", ("i",)), X))),
    ],
)
def test_what_types_may_tell_apart_is_kept(text, readings):
    assert right(text) == OneOf(readings)


@pytest.mark.parametrize(
    "text", ["1/2 C", "1/2 (x)", "x/(A) C", "Σ_a x", "C(x)", r"\sigma'(x)", "N(x, A)", r"\frac12 C"]
)
def test_what_has_one_reading_is_no_choice(text):
    assert not isinstance(right(text), OneOf)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a = b = c", "a = b; b = c"),
        ("0 <= x < 1", "0 ≤ x; x < 1"),
        (r"q_1 = C \mu_a; q_2 = C \mu_b", "q_1 = C μ_a; q_2 = C μ_b"),
        ("q = k_a, c = v_a", "q = k_a; c = v_a"),
        (r"c \approx v_j for q = k_j", "c ≈ v_j given q = k_j"),
        (r"$c \approx v_j$ \text{ with } $q = k_j$.", "c ≈ v_j given q = k_j"),
        (r"\begin{aligned} a &= b \\ &= c \end{aligned}", "a = b; b = c"),
        ("q = k_a\n  + k_b\nc = v_a", "q = k_a + k_b; c = v_a"),
        ("c → v_a as C → ∞", "c → v_a given C → ∞"),
        ("c = v_a for large C and small alpha", "c = v_a given C → ∞ and α → 0"),
        (r"\lim_{C \to \infty} c = v_a", "c → v_a; C → ∞"),
        ("lim_{C→∞} c = v_a", "c → v_a; C → ∞"),
        (r"\operatorname{lim}_{C→∞} c = v_a", "c → v_a; C → ∞"),
        (r"\alpha_i > 0 \forall i", "α_i > 0"),
        ("x ~ N(0, 1)", "x ~ N(0, 1)"),
        (r"k_a^T q \gg k_i^T q for all i \ne a", "k_aᵀ q ≫ k_iᵀ q given i ≠ a"),
        (r"\[ x != 1 \]", "x ≠ 1"),
        ("a ~= b -> c", "a ≈ b; b → c"),
    ],
)
def test_statements(text, expected):
    assert as_plain(parse(text)) == expected


@pytest.mark.parametrize(
    ("text", "span", "expected"),
    [
        ("q = C(k_a + k_b", (15, 15), "')'"),
        ("q = k_a + * k_b", (10, 11), "a number, a name or a bracket"),
        ("q", (1, 1), "a relation: =, ≈, →, <, ≤, >, ≥, ≪, ≫, ≠, ∝, ⊥, ∈ or ~"),
        ("", (0, 0), "a claim, such as 'c = v_a'"),
        ("x = k_\\foo", (6, 10), "a LaTeX command that is known here"),
        ("x = k_{i+1}", (8, 9), "an index: a letter or a number"),
        ("x = {v_a, v_b}", (8, 9), "'}'"),
        (r"x = \sum y", (4, 8), "the index of the sum, as in \\sum_i"),
        (r"\partial J = x", (11, 12), "'/' and ∂ of a symbol, as in ∂J/∂x"),
        (r"x = \|v\|_3", (10, 11), "the norm ‖v‖, ‖v‖_1, ‖v‖_2 or ‖v‖_∞"),
        ("x = 1 ☂ 2", (6, 7), "a letter, a number or a sign that is known here"),
        (r"x = \text{something odd}", (4, 24), "formulas; of words only those that part them, as 'for' and 'with'"),
        ("x = \x00", (4, 5), "a letter, a number or a sign that is known here"),
        ("x = a\u200bb", (5, 6), "a letter, a number or a sign that is known here"),
    ],
)
def test_complaints_say_where_and_what(text, span, expected):
    with pytest.raises(NotUnderstood) as raised:
        parse(text)
    assert (raised.value.span, raised.value.expected) == (span, expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"x = \hat y_hat", "one accent"),
        (r"x = \hat∞", "one letter below the accent"),
        ("x = k_ŷ", "an index: a letter or a number"),
        (r"x = \sum_ŷ y", "an index: a letter or a number"),
        ("x = A^sum_i y", "braces around the exponent"),
        ("x = prod", "an index, as in prod_i"),
    ],
)
def test_what_random_text_once_got_past(text, expected):
    with pytest.raises(NotUnderstood) as raised:
        parse(text)
    assert raised.value.expected == expected


def test_a_decimal_number_after_frac_stays_whole():
    assert as_plain(right(r"\frac1e3x")) == "1000/x"
    assert as_plain(right(r"\frac1E3x")) == "1000/x"


def test_messages():
    with pytest.raises(NotUnderstood, match=r"^'☂', UMBRELLA is not understood; expected a letter, a number or a sign"):
        parse("a ☂ b")
    with pytest.raises(NotUnderstood, match=r"^the claim ends here; expected '\)'$"):
        parse("q = (k_a")


def test_spans_are_places_in_the_text():
    claim = parse(r"c = \frac12 (v_a + v_b)")
    relation = claim.statements[0]
    assert isinstance(relation, Relation)
    assert relation.span == Span(0, 23)
    assert claim.text[relation.right.left.span.start : relation.right.left.span.end] == r"\frac12"
    assert claim.text[relation.right.right.right.span.start : relation.right.right.right.span.end] == "v_b"


def test_letters_that_only_look_familiar_are_told():
    claim = parse("v_а = С")
    assert claim.statements[0] == Relation("=", VA, C)
    assert claim.notes == (
        "CYRILLIC SMALL LETTER A was read as the Latin a",
        "CYRILLIC CAPITAL LETTER ES was read as the Latin C",
    )


def test_the_index_of_an_expectation_is_told():
    assert parse(r"\mathbb{E}_k[c] = 0").notes == ("E_{k} is read as the expectation over everything random",)


def test_an_accent_below_a_sigma_is_no_index():
    (statement,) = parse("Σ_hat x = 1").statements
    assert statement.left == Binary("*", Symbol("Sigma_hat"), Symbol("x"))
