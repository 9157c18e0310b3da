"""Likelihood ratios by hand; a rule that is as common among right answers is told as such."""

import math

import numpy as np
import pytest
from tests.support.classifiers import film_critic

from regard.evaluation.mistakes import counting as mistakes
from regard.evaluation.mistakes import review as reading
from regard.evaluation.mistakes.rules import RULES, MistakeRule


def rule(name):
    return MistakeRule(name, f"{name}?", lambda review: None)


def test_a_likelihood_ratio_by_hand():
    ratio, low, high = mistakes.likelihood_ratio(30, 100, 30, 300)
    assert ratio == pytest.approx(3)
    error = math.sqrt(1 / 30 - 1 / 100 + 1 / 30 - 1 / 300)
    assert (low, high) == pytest.approx((3 * math.exp(-1.959964 * error), 3 * math.exp(1.959964 * error)))


def test_zero_counts_are_corrected():
    ratio, low, high = mistakes.likelihood_ratio(0, 10, 5, 90)
    assert ratio == pytest.approx((0.5 / 11) / (5.5 / 91))
    assert 0 < low < ratio < high < math.inf
    assert mistakes.likelihood_ratio(10, 10, 90, 90)[0] == pytest.approx((10.5 / 11) / (90.5 / 91))


@pytest.mark.parametrize(
    ("wrong", "right", "verdict"),
    [
        ((770, 1000), (6480, 9000), "says little"),
        ((320, 1000), (900, 9000), "goes with errors"),
        ((100, 1000), (2700, 9000), "goes with right answers"),
        ((0, 1000), (0, 9000), "never seen here"),
        ((1, 10), (9, 90), "too few to tell"),
        ((0, 0), (8, 400), "nothing to compare"),
        ((8, 400), (0, 0), "nothing to compare"),
    ],
)
def test_verdicts(wrong, right, verdict):
    (seen_wrong, n_wrong), (seen_right, n_right) = wrong, right
    is_right = np.arange(n_wrong + n_right) >= n_wrong
    is_seen = np.concatenate([np.arange(n_wrong) < seen_wrong, np.arange(n_right) < seen_right])
    (count,) = mistakes.rule_counts(is_seen[:, None], is_right, rules=[rule("some")])
    assert (count.seen_wrong, count.n_wrong, count.seen_right, count.n_right) == (*wrong, *right)
    assert count.verdict == verdict


def test_the_most_telling_rule_comes_first():
    is_right = np.array([False] * 4 + [True] * 4)
    is_seen = np.array([[1, 1, 0], [1, 1, 0], [1, 1, 1], [0, 1, 0], [1, 0, 1], [1, 0, 1], [1, 0, 1], [0, 1, 0]]) == 1
    counts = mistakes.rule_counts(is_seen, is_right, rules=[rule("even"), rule("telling"), rule("opposite")])
    assert [count.rule for count in counts] == ["telling", "even", "opposite"]


def test_what_is_found_is_what_is_counted():
    critic = film_critic(scale=1.0)
    texts = ["not bad but great", "the film is good", "awful, though the book is superb"]
    log_probs = critic.log_probs(texts)
    cases = list(reading.read_reviews(critic, texts, log_probs))
    is_seen = mistakes.apply_rules(cases)
    assert is_seen.shape == (3, len(RULES))
    counts = mistakes.rule_counts(is_seen, np.array([False, True, True]))
    for row, review in zip(is_seen, cases, strict=True):
        found = mistakes.findings(review, counts)
        assert {finding.rule for finding in found} == {r.name for r, hit in zip(RULES, row, strict=True) if hit}
        order = [count.rule for count in counts]
        assert [finding.rule for finding in found] == sorted((f.rule for f in found), key=order.index)


def test_rules_that_are_never_seen_come_last():
    is_right = np.array([False, True, True, True])
    is_seen = np.array([[0, 1], [0, 0], [0, 1], [0, 1]]) == 1
    assert [count.rule for count in mistakes.rule_counts(is_seen, is_right, rules=[rule("never"), rule("some")])] == [
        "some",
        "never",
    ]


def test_labels_that_a_text_contradicts():
    texts = ["I give it 9.5/10", "zero stars", "9/10", "5/10: I loved it", "good", "Highly recommended"]
    found = mistakes.label_doubts(texts, np.array([0, 1, 1, 0, 0, 0]), (-1, 1))
    assert [doubt is not None for doubt in found] == [True, True, False, False, False, True]
    recanted = f"I loved it as a child. {'The film is the film. ' * 40}"
    assert mistakes.label_doubts([recanted], np.array([0]), (-1, 1)) == [None]
    assert found[-1].remark == "the text says “highly recommended”: is its label right?"
    assert found[0].remark == "the text says “9.5/10”: is its label right?"
    assert texts[0][slice(*found[0].spans[0])] == "9.5/10"
    count = mistakes.count_doubts(found, np.array([False, True, True, True, True, True]))
    assert (count.rule, count.seen_wrong, count.n_wrong, count.seen_right, count.n_right) == ("label", 1, 1, 2, 5)
    assert mistakes.label_doubts(texts, np.array([0, 1, 1, 0, 0, 0]), (0, 0)) == [None] * 6


def test_a_rule_cannot_know_the_truth():
    assert not {name for name in reading.Review.__dataclass_fields__ if "true" in name or "truth" in name}
