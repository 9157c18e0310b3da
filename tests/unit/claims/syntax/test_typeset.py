"""LaTeX that reads back, MathML in which names are escaped."""

from regard.claims.syntax.grammar import parse
from regard.claims.syntax.tree import Symbol
from regard.claims.syntax.typeset import as_latex, as_mathml


def test_latex_uses_fractions_and_commands():
    assert as_latex(parse("ŷ_i ≤ x/2")) == r"\hat{y}_{i} \le \frac{x}{2}"
    assert as_latex(parse("softmax(s) = A^T")) == r"\operatorname{softmax}(s) = A^{\top}"


def test_mathml_nests_and_escapes():
    assert as_mathml(parse("x_i = 2")) == (
        "<math><mrow><msub><mi>x</mi><mrow><mi>i</mi></mrow></msub></mrow><mo>=</mo><mrow><mn>2</mn></mrow></math>"
    )
    assert "<b>" not in as_mathml(Symbol("<b>"))


def test_a_product_in_a_product_needs_no_brackets_where_nobody_reads_it_back():
    assert "<mo>(</mo>" not in as_mathml(parse("x = 2ab"))
    assert "<mo>(</mo>" in as_mathml(parse("x = 2(a + b)"))
