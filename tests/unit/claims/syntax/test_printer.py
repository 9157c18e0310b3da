"""Trees as text: brackets where they are needed and nowhere else, and nothing of a text left unescaped."""

from fractions import Fraction

import pytest

from regard.claims.syntax.grammar import parse
from regard.claims.syntax.printer import as_plain, decimal_text, make_visible, point_at
from regard.claims.syntax.tree import Binary, Call, Number, Span, Symbol
from regard.claims.syntax.typeset import as_latex, as_mathml

A, B, C = Symbol("A"), Symbol("B"), Symbol("C")


@pytest.mark.parametrize(
    ("text", "latex", "plain"),
    [
        ("c ~= 1/2(v_a+v_b)", r"c \approx \frac{1}{2} (v_{a} + v_{b})", "c ≈ 1/2 (v_a + v_b)"),
        ("M = AA^T", r"M = A A^{\top}", "M = A Aᵀ"),
        ("x = -(a - (b - c))", "x = -(a - (b - c))", "x = −(a - (b - c))"),
        ("x = (a b)(c d)", "x = a b (c d)", "x = a b (c d)"),
        ("x = (a/b)/(c/d)", r"x = \frac{\frac{a}{b}}{\frac{c}{d}}", "x = a/b/(c/d)"),
        ("x = (A^2)^T", r"x = (A^{2})^{\top}", "x = (A^2)ᵀ"),
        ("x = e^{-q}", "x = e^{-q}", "x = exp(−q)"),
        (r"x = \sum_{i \ne a} x_i", r"x = \sum_{i \ne a} x_{i}", "x = ∑_{i≠a} x_i"),
        (r"x = (\sum_i x_i) y", r"x = \left(\sum_{i} x_{i}\right) y", "x = (∑_{i} x_i) y"),
        ("∇_x J = 0", r"\frac{\partial J}{\partial x} = 0", "∂J/∂x = 0"),
        ("Σ_a = αI", r"\Sigma_{a} = \alpha I", "Σ_a = α I"),
        ("Sigma_i = I", r"\Sigma_{i} = I", "Sigma_i = I"),
        ("x = E * (a + b)", r"x = E \times (a + b)", "x = E * (a + b)"),
        ("PPL > 1", r"\mathrm{PPL} > 1", "PPL > 1"),
    ],
)
def test_clean_text(text, latex, plain):
    claim = parse(text)
    assert (as_latex(claim), as_plain(claim)) == (latex, plain)


def test_mathml():
    assert as_mathml(parse("y_1 < 2")) == (
        "<math><mrow><msub><mi>y</mi><mrow><mn>1</mn></mrow></msub></mrow><mo>&lt;</mo><mrow><mn>2</mn></mrow></math>"
    )
    assert "<mfrac><mrow><mn>1</mn></mrow><mrow><mn>2</mn></mrow></mfrac>" in as_mathml(parse(r"x = \frac12"))
    assert '<mover accent="true"><mi>y</mi><mo>^</mo></mover>' in as_mathml(parse("ŷ = 1"))


def test_names_are_escaped_in_mathml():
    assert as_mathml(Symbol("<script>", ("<b>",))) == (
        "<math><msub><mi>&lt;script&gt;</mi><mrow><mi>&lt;b&gt;</mi></mrow></msub></math>"
    )
    assert "<script>" not in as_mathml(Call("<script>", (A,)))


def test_what_would_look_like_something_else_is_bracketed():
    minus_one = Call("negative", (Number(Fraction(1)),))
    assert as_latex(Binary("^", A, minus_one)) == "A^{(-1)}"
    assert as_plain(Binary("^", A, Symbol("T"))) == "A^(T)"
    assert as_plain(Binary("*", Binary("∘", A, B), C)) == "(A ∘ B) C"
    assert as_plain(Binary("∘", A, Binary("*", B, C))) == "A ∘ (B C)"


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (Fraction(3), "3"),
        (Fraction(-1, 4), "-0.25"),
        (Fraction(1, 1000), "0.001"),
        (Fraction(2, 3), "2/3"),
        (Fraction(10**30), "1e30"),
        (Fraction(5, 10**40), "5e-40"),
        (Fraction(0), "0"),
    ],
)
def test_numbers(value, written):
    assert decimal_text(value) == written
    assert Fraction(written) == value


def test_a_place_is_pointed_at():
    assert point_at("a = b\nc = * d", Span(10, 11)) == ("c = * d", "    ^")
    assert point_at("q = (", Span(5, 5)) == ("q = (", "     ^")
    line, carets = point_at("x" * 200 + "*" + "y" * 200, Span(200, 201))
    assert len(line) == 76
    assert line[carets.index("^")] == "*"
    assert make_visible("a\x00\u202eb\tc") == "a··b c"


@pytest.mark.parametrize(
    "text",
    [
        "P(X > a) = ½ given X ~ N(0, 1)",
        "x = [1, 2]",
        "‖x‖_1 ≤ ‖x‖_∞",
        "A ∈ ℝ^{m×n}",
        "x = max_{i} s_i",
        "b = 2 given a = 1; c = 3 given d = 4",
        "a = b does not hold",
    ],
)
def test_new_notation_is_read_back(text):
    claim = parse(text)
    assert parse(as_plain(claim)).relations == claim.relations
    assert parse(as_latex(claim)).relations == claim.relations


@pytest.mark.parametrize("write", [as_plain, as_latex])
@pytest.mark.parametrize("text", ["Var(X | Y) = 1", "E[X | Y, Z = 0] = Y"])
def test_what_is_given_in_a_moment_is_read_back(write, text):
    claim = parse(text)
    assert parse(write(claim)).statements == claim.statements
