"""Formulas of language models in the letters of the setting perplexity."""

import pytest

from regard.claims.check import check
from regard.claims.syntax.prose.information.model_letters import in_model_letters


@pytest.mark.parametrize(
    ("formula", "written"),
    [
        (r"\mathrm{PP}(w_1,\dots,w_M) = P(w_1,\dots,w_M)^{-1/M}", r"\mathrm{PP} = (\prod_i p_i)^{-1/N}"),
        (r"PP = 2^{-\frac1T\sum_{t=1}^T\log_2 p(w_t\mid w_{<t})}", r"PP = 2^{-\frac1N\sum_{t=1}^N\log_2 p_t}"),
        (r"H_{\text{nats}} = \ln(2) \, H_{\text{bits}}", r"CE = \ln(2) \, H_2"),
        ("Let ℓ_t = −ln p_t for t = 1, …, M. Then PP = exp((1/M) Σ_t ℓ_t)", "PP = exp((1/N) Σ_t (-log(p_t)))"),
        ("p_t ≥ 1/|V| for t = 1..M ⟹ PP ≤ |V|", "p_t ≥ 1/V for all t ⟹ PP ≤ V"),
    ],
)
def test_letters(formula, written):
    assert in_model_letters(formula) == written


@pytest.mark.parametrize(
    "formula",
    ["p(w_t | w_{<t}) = 1", "PP = exp(-(1/M) Σ_{t=1}^K ln p_t)", "PP = N exp(-(1/M) Σ_t ln p_t)", "PP = p(w_t | A x)"],
)
def test_what_is_not_plain_is_left_alone(formula):
    assert in_model_letters(formula) is None


@pytest.mark.parametrize(
    ("template", "true", "false"),
    [
        (r"PP = 2^{{-\frac1M\sum_{{t=1}}^M\log_2 {}}}", "p_t", r"\frac1{p_t}"),
        ("PP = (∏ₜ pₜ)^({}), t = 1, …, M", "-1/M", "-M"),
        ("H_bits = H_nats {} ln 2", "/", "·"),
        ("PPL = e^{{{}}}", "H_nats", "H_bits"),
        ("p(w_t | w_<t) ≥ 1/|V| for t = 1, …, M ⟹ PP {} |V|", "≤", "≥"),
    ],
)
def test_true_and_false_siblings(template, true, false):
    assert check(template.format(true)).verdict == "holds"
    assert check(template.format(false)).verdict == "fails"


def test_the_verdict_is_on_the_text_as_it_was_written():
    found = check("H_bits = H_nats / ln 2")
    assert found.claim == "H_bits = H_nats / ln 2"
    assert found.notes[-1].startswith("in the letters of the setting perplexity: ")
