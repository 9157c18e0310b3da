"""What may mislead a classifier of opinions, as a table of rules: each finds its evidence in a text, or nothing.

A rule knows the text, the classifier's answer and the runner-up, but not the truth. So it can be asked of right answers
as well, and `mistakes` counts whether it is seen in wrong ones more often.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from regard.evaluation.mistakes.phrases import (
    CONTRAST,
    COUNTERFACTUAL,
    DISMISSING,
    FOND_OF_BAD,
    MOCKERY,
    NEGATION,
    NOT_MEANT,
    OTHER_WORK,
    PAST,
    PRAISING,
    REPORTED,
    SAYS_OF,
    own_rating,
)
from regard.evaluation.mistakes.reading import Case
from regard.records import Finding

LEAST_SHARE = 1 / 3
"""Of the weight of all strong words, what the weaker side must have in a mixed text."""
LEAST_ODDS = 0.4
"""Nats: a part of a text leans to a label if its log-odds are past this, p > .6."""
LEAST_WORDS = 12  # in a text with less, a half is no part of its own
REACH = 3
"""How many words after a negation may be denied by it."""
NOT_MEANT_REACH = 25  # characters
UNKNOWN_SHARE = 0.06
MOST_SHOWN = 4

SENTENCE_BREAK = re.compile(r"[.!?;:()\n]")


class Rule(NamedTuple):
    """Something that may mislead: the question that it asks of a text, and what it finds there."""

    name: str
    question: str
    find: Callable[[Case], Finding | None]


def mixed(case: Case) -> Finding | None:
    """Strong words for both labels, neither side with less than a third of the weight."""
    weights = np.where(case.is_strong, case.scores, 0.0)
    pro, con = weights[weights > 0].sum(), -weights[weights < 0].sum()
    if min(pro, con) <= LEAST_SHARE * (pro + con):
        return None
    order = np.argsort(weights, kind="stable")
    cons = [i for i in order[:MOST_SHOWN].tolist() if weights[i] < 0]
    pros = [i for i in order[::-1][:MOST_SHOWN].tolist() if weights[i] > 0]
    remark = f"for the answer: {_listed(case, pros)}; against it: {_listed(case, cons)}"
    return Finding("mixed", remark, tuple(case.spans[i] for i in sorted(pros + cons)))


def turned(case: Case) -> Finding | None:
    """A sentence that pulls one way before a word of contrast, and the other way after it."""
    spans, remarks = [], []
    for match in CONTRAST.finditer(case.plain):
        sides = _sides(case, *match.span())
        before, after = (case.scores[first:last].sum() for first, last in sides)
        if before * after < 0 and min(abs(before), abs(after)) >= case.lexicon.strength / 2:
            spans.append(match.span())
            remarks.append(f"“{match.group()}”: {_leaning(case, sides[0])} before, {_leaning(case, sides[1])} after")
    if not spans:
        return None
    return Finding("turn", "; ".join(remarks[:MOST_SHOWN]), tuple(spans))


def has_contrast(case: Case) -> Finding | None:
    """A word of contrast, whatever it does."""
    return _matches("contrast", CONTRAST.finditer(case.plain))


def reversed_later(case: Case) -> Finding | None:
    """A beginning that speaks for the answer, and an end that speaks against it."""
    if len(case.words) < LEAST_WORDS or case.first_half < LEAST_ODDS or case.last_third > -LEAST_ODDS:
        return None
    first, last = (1 / (1 + np.exp(-odds)) for odds in (case.first_half, case.last_third))
    remark = f"the first half alone gives the answer {100 * first:.0f} %, the last third alone {100 * last:.0f} %"
    return Finding("reversal", remark, ())


def negated(case: Case) -> Finding | None:
    """A strong word for the answer, shortly after a negation: it counts for what the text denies."""
    hits = []
    for match in NEGATION.finditer(case.plain):
        first, last = case.words_between(match.end(), len(case.plain))
        denied = (i for i in range(first, min(first + REACH, last)) if case.is_strong[i] and case.scores[i] > 0)
        place = next(denied, None)
        if place is not None and not SENTENCE_BREAK.search(case.plain, match.end(), case.spans[place][0]):
            hits.append((match.start(), case.spans[place][1]))
    return _quoted("negation", case, hits)


def ironic(case: Case) -> Finding | None:
    """Mocking words where the answer took the text for praise."""
    return _matches("irony", MOCKERY.finditer(case.plain)) if case.leaning > 0 else None


def rated_otherwise(case: Case) -> Finding | None:
    """A rating of the text's own that speaks against the answer."""
    rating = own_rating(case.plain)
    if rating is None or rating.leaning * case.leaning >= 0:
        return None
    return _quoted("rating", case, [(rating.start, rating.end)])


def judged_otherwise(case: Case) -> Finding | None:
    """The writer's verdict in plain words against the answer, and none for it."""
    leaning, spans = plain_verdict(case.plain)
    return _quoted("verdict", case, spans) if leaning * case.leaning < 0 else None


def unknown(case: Case) -> Finding | None:
    """Many words that the classifier does not know, as they were too rare in training."""
    places = np.flatnonzero(~case.lexicon.is_known[case.word_ids]).tolist()
    if len(places) <= UNKNOWN_SHARE * len(case.words):
        return None
    remark = f"{len(places)} of {len(case.words)} words: {_listed(case, places[:MOST_SHOWN])}"
    return Finding("unknown", remark, tuple(case.spans[i] for i in places))


def reported(case: Case) -> Finding | None:
    """What others think of it."""
    return _matches("reported", REPORTED.finditer(case.plain))


def about_another_work(case: Case) -> Finding | None:
    """A strong word for the answer that is said of another film, of the book, of the first season."""
    hits = []
    for match in OTHER_WORK.finditer(case.plain):
        said = SAYS_OF.match(case.plain, match.end())
        first, _ = case.words_between(said.end() if said else len(case.plain), len(case.plain))
        strong = (i for i in range(first, min(first + REACH + 1, len(case.words))) if case.is_strong[i])
        place = next((i for i in strong if case.scores[i] > 0), None)
        if place is not None:
            hits.append((match.start(), case.spans[place][1]))
    return _quoted("other work", case, hits)


def counterfactual(case: Case) -> Finding | None:
    """What might have been, or was hoped for."""
    return _matches("counterfactual", COUNTERFACTUAL.finditer(case.plain))


def fond_of_bad(case: Case) -> Finding | None:
    """Films that some like for being bad: the words are those of blame, the label may be that of praise."""
    return _matches("fond of bad", FOND_OF_BAD.finditer(case.plain))


def former(case: Case) -> Finding | None:
    """What was thought in former days, which may have changed."""
    return _matches("former", PAST.finditer(case.plain))


def single_word(case: Case) -> Finding | None:
    """One word that outweighs all others: without it, the words would sum to the other label."""
    if len(case.words) < 2:
        return None
    place = int(case.scores.argmax())
    total = float(case.scores.sum())
    if total <= 0 or total > case.scores[place] or not case.is_strong[place]:
        return None
    return Finding("one word", f"“{case.words[place]}”: {case.scores[place]:+.1f}", (case.spans[place],))


def short(case: Case) -> Finding | None:
    """A text among the shortest tenth."""
    n = case.n_words
    return Finding("short", f"{n} words", ()) if n < case.length_limits[0] else None


def long(case: Case) -> Finding | None:
    """A text among the longest tenth."""
    n = case.n_words
    return Finding("long", f"{n} words", ()) if n > case.length_limits[1] else None


RULES: tuple[Rule, ...] = (
    Rule("mixed", "strong words on both sides?", mixed),
    Rule("turn", "a sentence that turns round at but, however, although …?", turned),
    Rule("contrast", "any but, however, although …?", has_contrast),
    Rule("reversal", "a beginning that the end takes back?", reversed_later),
    Rule("negation", "a negation just before a strong word, which counts all the same?", negated),
    Rule("rating", "a rating, such as 9/10 or zero stars, against the answer?", rated_otherwise),
    Rule("verdict", "the writer's verdict (I loved it, not worth it) against the answer?", judged_otherwise),
    Rule("irony", "yeah right, so-called, as if … in what was taken for praise?", ironic),
    Rule("reported", "opinions of others?", reported),
    Rule("other work", "a strong word for the answer, but said of another film or the book?", about_another_work),
    Rule("counterfactual", "what could have been, or was expected?", counterfactual),
    Rule("fond of bad", "something that may be liked for being bad?", fond_of_bad),
    Rule("former", "an opinion of former days?", former),
    Rule("one word", "one word that outweighs all others?", single_word),
    Rule("unknown", "many words that are unknown, being rare?", unknown),
    Rule("short", "among the shortest tenth?", short),
    Rule("long", "among the longest tenth?", long),
)


def plain_verdict(plain: str, *, start: int = 0) -> tuple[int, list[tuple[int, int]]]:
    """Which way the writer's verdicts in plain words lean from `start` on, and where they stand.

    1 is praise, −1 the opposite, 0 none or both.

    >>> plain_verdict("long, but worth seeing")
    (1, [(10, 22)])
    >>> plain_verdict("not worth seeing")
    (-1, [(0, 9)])
    """
    praising = [match.span() for match in PRAISING.finditer(plain, start) if not _is_taken_back(plain, match.start())]
    dismissing = [match.span() for match in DISMISSING.finditer(plain, start)]
    return bool(praising) - bool(dismissing), sorted(praising + dismissing)


def contrasts(text: str) -> int:
    """How many words of contrast a text (in lower case) has."""
    return sum(1 for _ in CONTRAST.finditer(text))


def negations(text: str) -> int:
    """How many negations a text (in lower case) has."""
    return sum(1 for _ in NEGATION.finditer(text))


def _leaning(case: Case, words: tuple[int, int]) -> str:
    """Which way these words lean, and the two that do so most."""
    scores = case.scores[slice(*words)] * np.sign(case.scores[slice(*words)].sum())
    places = [words[0] + i for i in np.argsort(-scores, kind="stable")[:2].tolist() if scores[i] > 0]
    way = "for" if case.scores[slice(*words)].sum() > 0 else "against"
    return f"{way} the answer ({_listed(case, places)})"


def _sides(case: Case, start: int, end: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """The words of the sentence before the stretch from `start` to `end`, and those after it: first, and past the last.

    A sentence that begins with a word of contrast turns against the one before it.
    """
    sentence = next(span for span in case.sentences if span[0] <= start < max(span[1], span[0] + 1))
    first, middle = case.words_between(sentence[0], start)
    after, last = case.words_between(end, sentence[1])
    if first == middle:
        previous = max((span for span in case.sentences if span[1] <= sentence[0]), default=None)
        first, middle = case.words_between(*previous) if previous else (first, middle)
    return (first, middle), (after, last)


def _is_taken_back(plain: str, start: int) -> bool:
    """Whether what begins at `start` is denied, wished for or somebody else's."""
    return NOT_MEANT.search(plain, max(0, start - NOT_MEANT_REACH), start) is not None


def _matches(rule: str, matches: Iterator[re.Match[str]]) -> Finding | None:
    found = [(match.span(), match.group().strip()) for match in matches]
    if not found:
        return None
    shown = dict.fromkeys(phrase for _, phrase in found)
    return Finding(rule, _phrases(list(shown)), tuple(span for span, _ in found))


def _quoted(rule: str, case: Case, spans: list[tuple[int, int]]) -> Finding | None:
    if not spans:
        return None
    return Finding(rule, _phrases(list(dict.fromkeys(case.plain[start:end] for start, end in spans))), tuple(spans))


def _phrases(phrases: list[str]) -> str:
    more = f" and {len(phrases) - MOST_SHOWN} more" if len(phrases) > MOST_SHOWN else ""
    return ", ".join(f"“{' '.join(phrase.split())}”" for phrase in phrases[:MOST_SHOWN]) + more


def _listed(case: Case, places: list[int]) -> str:
    return ", ".join(dict.fromkeys(case.words[i] for i in places))
