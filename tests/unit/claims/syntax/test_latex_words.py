import pytest

from regard.claims.syntax.latex_words import with_plain_words


@pytest.mark.parametrize(
    ("text", "written"),
    [
        (r"x = y\text{ for all }x", "x = y for all x"),
        (r"A \text{symmetric}, B", "A  symmetric, B"),
        (r"q_{\text{old}} = \text{softmax}(x)", r"q_{\text{old}} = \text{softmax}(x)"),
        (r"w_t \overset{\text{iid}}{\sim} p", r"w_t  iid \sim  p"),
        (r"x \stackrel{\mathrm{def}}{=} y", "x  =  y"),
        (r"x \stackrel{d}{=} y", r"x \stackrel{d}{=} y"),
        (r"\lim_{|z|\to\infty} z", r"\lim_{z\to\pm\infty} z"),
        (r"P_{\mathrm{col}(A)} x", "proj(A) x"),
        (r"A A^{+} x + A^\dagger A y", "proj(A) x + proj(A^T) y"),
        (r"\sum_{i=1}^nx_i", r"\sum_{i=1}^n x_i"),
        ("plain text (as it is)", "plain text (as it is)"),
    ],
)
def test_commands_as_the_grammar_knows_them(text, written):
    assert with_plain_words(text) == written
