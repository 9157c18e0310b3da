"""What often accompanies mistakes: how often each rule holds among wrong answers and among right ones.

A likelihood ratio says whether an explanation explains anything:

    LR = P(seen | wrong) / P(seen | right)          ln LR ± 1.96 √(1/a − 1/(a+b) + 1/c − 1/(c+d))

with a of a + b wrong answers and c of c + d right ones. Where a count is zero, ½ is added to all four (Haldane).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from regard.evaluation.accuracy import NORMAL_95
from regard.evaluation.mistakes.phrases import own_rating
from regard.evaluation.mistakes.review import Review, plain_text
from regard.evaluation.mistakes.rules import RULES, MistakeRule, find_verdicts
from regard.records import Finding, RuleCount
from regard.shapes import Bool, Int

TELLING = 1.2
"""A likelihood ratio below this (and above its inverse) says little, however certain it is."""


END_CHARACTERS = 300
"""A verdict is taken for the writer's last word in the last third of a text, or in this many characters."""
LABEL = MistakeRule("label", "a rating or a plain verdict in the text against its label?", lambda review: None)
"""Counted like a rule, but by the true label: see `label_doubts`."""


def apply_rules(cases: Iterable[Review], *, rules: Sequence[MistakeRule] = RULES) -> Bool[np.ndarray, "batch rule"]:
    """Which rules find something in which texts."""
    rows = [[rule.find(review) is not None for rule in rules] for review in cases]
    return np.array(rows, dtype=bool).reshape(len(rows), len(rules))


def rule_counts(
    is_seen: Bool[np.ndarray, "batch rule"],
    is_right: Bool[np.ndarray, " batch"],
    *,
    rules: Sequence[MistakeRule] = RULES,
) -> tuple[RuleCount, ...]:
    """How strongly each rule points to a wrong answer, the strongest first, those that were never seen last."""
    counts = [_count(rule, is_seen[:, place], is_right) for place, rule in enumerate(rules)]
    return tuple(sorted(counts, key=lambda count: (count.seen_wrong + count.seen_right == 0, -count.likelihood_ratio)))


def label_doubts(
    texts: Sequence[str], label_ids: Int[np.ndarray, " batch"], leanings: Sequence[int]
) -> list[Finding | None]:
    """Where a text's own rating, or a plain verdict at its end, contradicts its label: 9.5/10, but labelled negative.

    No rule may know the label. This is not about what misled the classifier, but about whether it was wrong at all.
    """
    return [
        _find_doubt(plain_text(text), leanings[label]) for text, label in zip(texts, label_ids.tolist(), strict=True)
    ]


def count_doubts(doubts: Sequence[Finding | None], is_right: Bool[np.ndarray, " batch"]) -> RuleCount:
    """How often labels are contradicted where the answer was wrong, and where it was right."""
    return _count(LABEL, np.array([doubt is not None for doubt in doubts], dtype=bool), is_right)


def likelihood_ratio(a: int, n_wrong: int, c: int, n_right: int) -> tuple[float, float, float]:
    """P(seen | wrong) / P(seen | right) from a of `n_wrong` and c of `n_right`, with its 95 % interval.

    >>> [round(number, 2) for number in likelihood_ratio(20, 100, 10, 100)]
    [2.0, 0.99, 4.05]
    """
    if 0 in (a, c, n_wrong - a, n_right - c):
        return _ratio(a + 0.5, n_wrong + 1.0, c + 0.5, n_right + 1.0)
    return _ratio(float(a), float(n_wrong), float(c), float(n_right))


def findings(
    review: Review, counts: Sequence[RuleCount], *, rules: Sequence[MistakeRule] = RULES
) -> tuple[Finding, ...]:
    """What the rules find in one text, the most telling rule first; `counts` says how telling each is."""
    find = {rule.name: rule.find for rule in rules}
    found = [(find[count.rule](review), count) for count in counts]
    return tuple(add_counts(count, finding) for finding, count in found if finding is not None)


def add_counts(count: RuleCount, finding: Finding) -> Finding:
    """The finding with what was counted for its rule."""
    return replace(finding, likelihood_ratio=count.likelihood_ratio, verdict=count.verdict)


def _find_doubt(plain: str, leaning: int) -> Finding | None:
    rating = own_rating(plain)
    end = min(2 * len(plain) // 3, max(0, len(plain) - END_CHARACTERS))
    said, spans = (rating.leaning, [(rating.start, rating.end)]) if rating else find_verdicts(plain, start=end)
    if said * leaning >= 0:
        return None
    written = " ".join(plain[slice(*spans[0])].split())
    return Finding(LABEL.name, f"the text says “{written}”: is its label right?", tuple(spans))


def _ratio(a: float, n_wrong: float, c: float, n_right: float) -> tuple[float, float, float]:
    ratio = (a / n_wrong) / (c / n_right)
    spread = math.exp(NORMAL_95 * math.sqrt(1 / a - 1 / n_wrong + 1 / c - 1 / n_right))
    return ratio, ratio / spread, ratio * spread


def _count(rule: MistakeRule, is_seen: Bool[np.ndarray, " batch"], is_right: Bool[np.ndarray, " batch"]) -> RuleCount:
    n_wrong, n_right = int((~is_right).sum()), int(is_right.sum())
    seen_wrong, seen_right = int((is_seen & ~is_right).sum()), int((is_seen & is_right).sum())
    ratio, low, high = likelihood_ratio(seen_wrong, n_wrong, seen_right, n_right)
    return RuleCount(
        rule=rule.name,
        question=rule.question,
        n_wrong=n_wrong,
        n_right=n_right,
        seen_wrong=seen_wrong,
        seen_right=seen_right,
        likelihood_ratio=ratio,
        low=low,
        high=high,
        verdict=_verdict(seen_wrong + seen_right, ratio, low, high) if n_wrong and n_right else NOT_COMPARED,
    )


NOT_COMPARED = "nothing to compare"
"""The verdict on a rule where every answer was right, or every one wrong."""


def _verdict(n_seen: int, ratio: float, low: float, high: float) -> str:
    """What the ratio says, in words."""
    if n_seen == 0:
        return "never seen here"
    if low > 1 and ratio >= TELLING:
        return "goes with errors"
    if high < 1 and ratio <= 1 / TELLING:
        return "goes with right answers"
    if high > 2 and low < 0.5:
        return "too few to tell"
    return "says little"
