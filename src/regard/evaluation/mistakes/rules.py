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
from regard.evaluation.mistakes.review import Review
from regard.records import Finding

MIN_SHARE = 1 / 3
"""Of the weight of all strong words, what the weaker side must have in a mixed text."""
MIN_ODDS = 0.4
"""Nats: a part of a text leans to a label if its log-odds are past this, p > .6."""
MIN_WORDS = 12  # in a text with less, a half is no part of its own
REACH = 3
"""How many words after a negation may be denied by it."""
NOT_MEANT_REACH = 25  # characters
UNKNOWN_SHARE = 0.06
MAX_SHOWN = 4

SENTENCE_BREAK = re.compile(r"[.!?;:()\n]")


class MistakeRule(NamedTuple):
    """Something that may mislead: the question that it asks of a text, and what it finds there."""

    name: str
    question: str
    find: Callable[[Review], Finding | None]


def find_mixed(review: Review) -> Finding | None:
    """Strong words for both labels, neither side with less than a third of the weight."""
    weights = np.where(review.is_strong, review.scores, 0.0)
    pro, con = weights[weights > 0].sum(), -weights[weights < 0].sum()
    if min(pro, con) <= MIN_SHARE * (pro + con):
        return None
    order = np.argsort(weights, kind="stable")
    cons = [i for i in order[:MAX_SHOWN].tolist() if weights[i] < 0]
    pros = [i for i in order[::-1][:MAX_SHOWN].tolist() if weights[i] > 0]
    remark = f"for the answer: {_list_words(review, pros)}; against it: {_list_words(review, cons)}"
    return Finding("mixed", remark, tuple(review.spans[i] for i in sorted(pros + cons)))


def find_turn(review: Review) -> Finding | None:
    """A sentence that pulls one way before a word of contrast, and the other way after it."""
    spans, remarks = [], []
    for match in CONTRAST.finditer(review.plain):
        sides = _sides(review, *match.span())
        before, after = (review.scores[first:last].sum() for first, last in sides)
        if before * after < 0 and min(abs(before), abs(after)) >= review.lexicon.strength / 2:
            spans.append(match.span())
            left, right = (_describe_leaning(review, side) for side in sides)
            remarks.append(f"“{match.group()}”: {left} before, {right} after")
    if not spans:
        return None
    return Finding("turn", "; ".join(remarks[:MAX_SHOWN]), tuple(spans))


def find_contrast(review: Review) -> Finding | None:
    """A word of contrast, whatever it does."""
    return _quote_matches("contrast", CONTRAST.finditer(review.plain))


def find_reversal(review: Review) -> Finding | None:
    """A beginning that speaks for the answer, and an end that speaks against it."""
    if len(review.words) < MIN_WORDS or review.first_half < MIN_ODDS or review.last_third > -MIN_ODDS:
        return None
    first, last = (1 / (1 + np.exp(-odds)) for odds in (review.first_half, review.last_third))
    remark = f"the first half alone gives the answer {100 * first:.0f} %, the last third alone {100 * last:.0f} %"
    return Finding("reversal", remark, ())


def find_negation(review: Review) -> Finding | None:
    """A strong word for the answer, shortly after a negation: it counts for what the text denies."""
    hits = []
    for match in NEGATION.finditer(review.plain):
        first, last = review.words_between(match.end(), len(review.plain))
        denied = (i for i in range(first, min(first + REACH, last)) if review.is_strong[i] and review.scores[i] > 0)
        place = next(denied, None)
        if place is not None and not SENTENCE_BREAK.search(review.plain, match.end(), review.spans[place][0]):
            hits.append((match.start(), review.spans[place][1]))
    return _quote("negation", review, hits)


def find_irony(review: Review) -> Finding | None:
    """Mocking words where the answer took the text for praise."""
    return _quote_matches("irony", MOCKERY.finditer(review.plain)) if review.leaning > 0 else None


def find_rating(review: Review) -> Finding | None:
    """A rating of the text's own that speaks against the answer."""
    rating = own_rating(review.plain)
    if rating is None or rating.leaning * review.leaning >= 0:
        return None
    return _quote("rating", review, [(rating.start, rating.end)])


def find_verdict(review: Review) -> Finding | None:
    """The writer's verdict in plain words against the answer, and none for it."""
    leaning, spans = find_verdicts(review.plain)
    return _quote("verdict", review, spans) if leaning * review.leaning < 0 else None


def find_unknown(review: Review) -> Finding | None:
    """Many words that the classifier does not know, as they were too rare in training."""
    places = np.flatnonzero(~review.lexicon.is_known[review.word_ids]).tolist()
    if len(places) <= UNKNOWN_SHARE * len(review.words):
        return None
    remark = f"{len(places)} of {len(review.words)} words: {_list_words(review, places[:MAX_SHOWN])}"
    return Finding("unknown", remark, tuple(review.spans[i] for i in places))


def find_reported(review: Review) -> Finding | None:
    """What others think of it."""
    return _quote_matches("reported", REPORTED.finditer(review.plain))


def find_other_work(review: Review) -> Finding | None:
    """A strong word for the answer that describes another film, the book, or the first season."""
    hits = []
    for match in OTHER_WORK.finditer(review.plain):
        said = SAYS_OF.match(review.plain, match.end())
        first, _ = review.words_between(said.end() if said else len(review.plain), len(review.plain))
        strong = (i for i in range(first, min(first + REACH + 1, len(review.words))) if review.is_strong[i])
        place = next((i for i in strong if review.scores[i] > 0), None)
        if place is not None:
            hits.append((match.start(), review.spans[place][1]))
    return _quote("other work", review, hits)


def find_counterfactual(review: Review) -> Finding | None:
    """What might have been, or was hoped for."""
    return _quote_matches("counterfactual", COUNTERFACTUAL.finditer(review.plain))


def find_fond_of_bad(review: Review) -> Finding | None:
    """Films that some like for being bad: the words are those of blame, the label may be that of praise."""
    return _quote_matches("fond of bad", FOND_OF_BAD.finditer(review.plain))


def find_former(review: Review) -> Finding | None:
    """What was thought in former days, which may have changed."""
    return _quote_matches("former", PAST.finditer(review.plain))


def find_single_word(review: Review) -> Finding | None:
    """One word that outweighs all others: without it, the words would sum to the other label."""
    if len(review.words) < 2:
        return None
    place = int(review.scores.argmax())
    total = float(review.scores.sum())
    if total <= 0 or total > review.scores[place] or not review.is_strong[place]:
        return None
    return Finding("one word", f"“{review.words[place]}”: {review.scores[place]:+.1f}", (review.spans[place],))


def find_short(review: Review) -> Finding | None:
    """A text among the shortest tenth."""
    n = review.n_words
    return Finding("short", f"{n} words", ()) if n < review.length_limits[0] else None


def find_long(review: Review) -> Finding | None:
    """A text among the longest tenth."""
    n = review.n_words
    return Finding("long", f"{n} words", ()) if n > review.length_limits[1] else None


RULES: tuple[MistakeRule, ...] = (
    MistakeRule("mixed", "strong words on both sides?", find_mixed),
    MistakeRule("turn", "a sentence that turns round at but, however, although …?", find_turn),
    MistakeRule("contrast", "any but, however, although …?", find_contrast),
    MistakeRule("reversal", "a beginning that the end takes back?", find_reversal),
    MistakeRule("negation", "a negation just before a strong word, which counts all the same?", find_negation),
    MistakeRule("rating", "a rating, such as 9/10 or zero stars, against the answer?", find_rating),
    MistakeRule("verdict", "the writer's verdict (I loved it, not worth it) against the answer?", find_verdict),
    MistakeRule("irony", "yeah right, so-called, as if … in what was taken for praise?", find_irony),
    MistakeRule("reported", "opinions of others?", find_reported),
    MistakeRule("other work", "a strong word for the answer, but said of another film or the book?", find_other_work),
    MistakeRule("counterfactual", "what could have been, or was expected?", find_counterfactual),
    MistakeRule("fond of bad", "something that may be liked for being bad?", find_fond_of_bad),
    MistakeRule("former", "an opinion of former days?", find_former),
    MistakeRule("one word", "one word that outweighs all others?", find_single_word),
    MistakeRule("unknown", "many words that are unknown, being rare?", find_unknown),
    MistakeRule("short", "among the shortest tenth?", find_short),
    MistakeRule("long", "among the longest tenth?", find_long),
)


def find_verdicts(plain: str, *, start: int = 0) -> tuple[int, list[tuple[int, int]]]:
    """Which way the writer's verdicts in plain words lean from `start` on, and where they stand.

    1 is praise, −1 the opposite, 0 none or both.

    >>> find_verdicts("long, but worth seeing")
    (1, [(10, 22)])
    >>> find_verdicts("not worth seeing")
    (-1, [(0, 9)])
    """
    praising = [match.span() for match in PRAISING.finditer(plain, start) if not _is_taken_back(plain, match.start())]
    dismissing = [match.span() for match in DISMISSING.finditer(plain, start)]
    return bool(praising) - bool(dismissing), sorted(praising + dismissing)


def count_contrasts(text: str) -> int:
    """How many words of contrast a text (in lower case) has."""
    return sum(1 for _ in CONTRAST.finditer(text))


def count_negations(text: str) -> int:
    """How many negations a text (in lower case) has."""
    return sum(1 for _ in NEGATION.finditer(text))


def _describe_leaning(review: Review, words: tuple[int, int]) -> str:
    """Which way these words lean, and the two that do so most."""
    scores = review.scores[slice(*words)] * np.sign(review.scores[slice(*words)].sum())
    places = [words[0] + i for i in np.argsort(-scores, kind="stable")[:2].tolist() if scores[i] > 0]
    way = "for" if review.scores[slice(*words)].sum() > 0 else "against"
    return f"{way} the answer ({_list_words(review, places)})"


def _sides(review: Review, start: int, end: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """The words of the sentence before the stretch from `start` to `end`, and those after it: first, and past the last.

    A sentence that begins with a word of contrast turns against the one before it.
    """
    sentence = next(span for span in review.sentences if span[0] <= start < max(span[1], span[0] + 1))
    first, middle = review.words_between(sentence[0], start)
    after, last = review.words_between(end, sentence[1])
    if first == middle:
        previous = max((span for span in review.sentences if span[1] <= sentence[0]), default=None)
        first, middle = review.words_between(*previous) if previous else (first, middle)
    return (first, middle), (after, last)


def _is_taken_back(plain: str, start: int) -> bool:
    """Whether what begins at `start` is denied, wished for or somebody else's."""
    return NOT_MEANT.search(plain, max(0, start - NOT_MEANT_REACH), start) is not None


def _quote_matches(rule: str, matches: Iterator[re.Match[str]]) -> Finding | None:
    found = [(match.span(), match.group().strip()) for match in matches]
    if not found:
        return None
    shown = dict.fromkeys(phrase for _, phrase in found)
    return Finding(rule, _phrases(list(shown)), tuple(span for span, _ in found))


def _quote(rule: str, review: Review, spans: list[tuple[int, int]]) -> Finding | None:
    if not spans:
        return None
    return Finding(rule, _phrases(list(dict.fromkeys(review.plain[start:end] for start, end in spans))), tuple(spans))


def _phrases(phrases: list[str]) -> str:
    more = f" and {len(phrases) - MAX_SHOWN} more" if len(phrases) > MAX_SHOWN else ""
    return ", ".join(f"“{' '.join(phrase.split())}”" for phrase in phrases[:MAX_SHOWN]) + more


def _list_words(review: Review, places: list[int]) -> str:
    return ", ".join(dict.fromkeys(review.words[i] for i in places))
