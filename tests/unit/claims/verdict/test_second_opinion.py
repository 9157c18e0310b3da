"""The second evaluation: it confirms what is false, not what is true, and says where it cannot tell."""

import pytest

from regard.claims.check import check
from regard.claims.meaning.definitions import compile_setting
from regard.claims.meaning.setting import find_setting
from regard.claims.meaning.statements import interpret_claim
from regard.claims.syntax.grammar import parse
from regard.claims.syntax.tree import ReadingPath
from regard.claims.trial.trials import Trials
from regard.claims.verdict.second_opinion import confirms, violates


def opinions(claim, setting):
    """What the second evaluation says of a few draws of a claim's first statement."""
    task = interpret_claim(parse(claim), compile_setting(find_setting(setting)), None, ReadingPath())
    trials = Trials(task)
    batch = next(trials.batches(4))
    draws = [batch.only(slice(draw, draw + 1)) for draw in range(4)]
    return {confirms(task, task.statements[0], one, trials.assignments(one)) for one in draws}


@pytest.mark.parametrize(
    ("claim", "setting"),
    [
        ("c = Σ_i α_i v_i", "attention"),
        ("α_i = e^{s_i}/Σ_j e^{s_j}", "attention"),
        ("c = V^T softmax(K q)", "attention"),
        ("∂α_i/∂s_j = α_i (δ_ij − α_j)", "attention"),
        ("k_i^T k_j = 0 for i ≠ j", "orthonormal-keys"),
        ("K K^T = I", "orthonormal-keys"),
        ("A^T a_i = A^T a_i", "two-subspaces"),
        ("A A^T s = v_a", "two-subspaces"),
        ("∂CE/∂θ = ŷ − y", "softmax-cross-entropy"),
        ("CE ≥ H(y)", "softmax-cross-entropy"),
        ("∂J/∂x = (ŷ − y) W_2^T ∘ σ'(x W_1 + b_1) W_1^T", "one-hidden-layer"),
        ("PP = e^{CE}", "perplexity"),
    ],
)
def test_what_is_true_is_not_confirmed_as_a_counterexample(claim, setting):
    assert opinions(claim, setting) == {False}


def test_what_is_false_is_confirmed():
    assert True in opinions("c = v_a", "attention")
    assert True in opinions("K^T K = 2 I", "orthonormal-keys")


def test_moments_are_out_of_reach():
    assert opinions("E[k_a] = μ_a", "noisy-keys") == {None}


def test_strict_comparisons_are_violated_by_equality_and_others_are_not():
    from mpmath import mp

    one, more = [[mp.mpf(1)]], [[mp.mpf("1.1")]]
    found = {sign: violates(sign, one, one) for sign in "<≤>≥=≠"}
    assert found == {"<": True, "≤": False, ">": True, "≥": False, "=": False, "≠": True}
    assert violates("≈", one, more)
    assert not violates("<", one, more)


def test_a_counterexample_that_is_not_confirmed_is_not_told(monkeypatch):
    monkeypatch.setattr("regard.claims.verdict.second_opinion.confirms", lambda *_: False)
    found = check("c = v_a", setting="attention")
    assert found.verdict == "undecided"
    assert found.reason == "a counterexample was found that a second evaluation does not confirm"
