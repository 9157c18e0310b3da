"""Words and phrases that reviewers use to turn round, deny, mock, report, compare and imagine, as compiled patterns.

They are for texts in lower case, with ' as the only apostrophe (`reading.plain_text`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

HIGH, LOW = 0.65, 0.45
"""From 0 to 1: a rating from the first on praises, one up to the second dismisses; IMDb's labels leave 5 and 6 out."""
NUMBERS = {
    name: number
    for number, name in enumerate("zero one two three four five six seven eight nine ten".split())  # noqa: SIM905
}
LETTERS = {"a": 1.0, "b": 0.8, "c": 0.55, "d": 0.3, "f": 0.0}
MAX_STARS = 10.0
MIN_STARS_OF_TEN, MAX_STARS_OF_FIVE = 7.0, 2.0
"""Three to six stars without a scale may be of four, of five or of ten."""

_NUMBER = rf"(?P<number>\d{{1,3}}(?:[.,]\d+)?|{'|'.join(NUMBERS)})"
_GUARD = re.compile(
    r"(?:could(?:n't)?|should|\bnot?\b|n't|\bwho\w*|\bhow\b|\bwhy\b|want(?:ed)? to|expect\w*|used to|like an?\b"
    r"|people|viewers|users|voters|critics|others|everyone|anyone|someone|\bimdb|average|overall rating|this rating"
    r"|instead of|rather than|scale|-)[^.!?]{0,30}$"
)
"""Before a rating, in its sentence: it is somebody else's, or one that is not given."""
_BEFORE = 60  # characters that are searched for that
_OUT_OF = re.compile(
    rf"(?<![\w/.,$]){_NUMBER}(?P<half> ?(?:1/2|½)| and a half)?(?: ?stars?| points?)?\s?"
    r"(?:/|(?:out )?of(?: a(?: possible)?| the)? )\s?(?P<scale>4|5|10|100|four|five|ten)(?![\w/])(?!\.\d)"
    r"(?! (?:of|the way|years|minutes|hours|movies|films|people|times|episodes))"
)
_ASTERISKS = re.compile(
    r"(?<![\w*])(?P<stars>\*{1,5})(?P<half> ?1/2|½)?\s?\(?(?:/|out of|of)\s?(?P<scale>\*{3,5}|4|5|four|five)(?![\w*])"
)
_STARS = re.compile(
    rf"(?<![\w/.-])(?:(?P<none>no)|(?P<half>half a?)|{_NUMBER})(?: and a half)?[ -]stars?\b"
    r"(?! (?:cast|wars|trek|hotel|system|reviews?))"
)
_GIVEN = re.compile(
    r"\b(?:give|gave|giving|rate|rated|deserves|gets|voted?|(?:rating|score|grade|vote)(?: is| of|:))"
    r"(?: (?:it|this(?: \w+)?|the (?:film|movie)|them))?(?: only| just| about)?(?: an?)?"
    rf"(?: solid| big| generous| perfect| strong| weak)?\s{_NUMBER}"
    r"(?:\+|\b)(?! ?(?:/|out|of|stars?|%|thumbs|points|minutes|years|hours|-|and a half|[.,]\d))"
)
_GRADE = re.compile(r"\b(?:grade|rating|score):\s?(?P<letter>[abcdf])(?![\w'])")


class Rating(NamedTuple):
    """Where a rating stands, text[start:end], and how good it is: 0 the worst, 1 the best."""

    start: int
    end: int
    value: float

    @property
    def leaning(self) -> int:
        """1 for praise, −1 for the opposite, 0 for what lies between."""
        return (self.value >= HIGH) - (self.value <= LOW)


def own_rating(plain: str) -> Rating | None:
    """The last rating that a text gives, as its verdict stands at its end.

    >>> own_rating("the book is 10/10, but this? **1/2 out of *****").value
    0.5
    >>> own_rating("who gave this 10/10?") is None
    True
    """
    own = [each for each in ratings(plain) if not _GUARD.search(plain[max(0, each.start - _BEFORE) : each.start])]
    return own[-1] if own else None


def ratings(plain: str) -> list[Rating]:
    """All ratings of a text, in their order; of two that overlap, the one with a scale."""
    found: list[Rating] = []
    for rating in (*_with_scale(plain), *_without_scale(plain)):
        if not any(rating.start < other.end and other.start < rating.end for other in found):
            found.append(rating)
    return sorted(found)


def _with_scale(plain: str) -> Iterator[Rating]:
    for match in _OUT_OF.finditer(plain):
        share = (_number(match["number"]) + (0.5 if match["half"] else 0)) / _number(match["scale"])
        if share <= 1.5:  # 11/10 is praise, 90/10 no rating
            yield Rating(*match.span(), min(share, 1.0))
    for match in _ASTERISKS.finditer(plain):
        scale = len(match["scale"]) if match["scale"][0] == "*" else _number(match["scale"])
        share = (len(match["stars"]) + (0.5 if match["half"] else 0)) / scale
        if share <= 1:
            yield Rating(*match.span(), share)
    for match in _GRADE.finditer(plain):
        yield Rating(*match.span(), LETTERS[match["letter"]])


def _without_scale(plain: str) -> Iterator[Rating]:
    for match in _STARS.finditer(plain):
        stars = 0.0 if match["none"] else 0.5 if match["half"] else _number(match["number"])
        if stars <= MAX_STARS_OF_FIVE:
            yield Rating(*match.span(), stars / 5)
        elif MIN_STARS_OF_TEN <= stars <= MAX_STARS:
            yield Rating(*match.span(), stars / MAX_STARS)
    for match in _GIVEN.finditer(plain):
        if _number(match["number"]) <= MAX_STARS:
            yield Rating(*match.span(), _number(match["number"]) / MAX_STARS)


def _number(written: str) -> float:
    return float(NUMBERS[written]) if written in NUMBERS else float(written.replace(",", "."))


def phrases(*forms: str) -> re.Pattern[str]:
    """Any of these, as whole words; one space stands for any white space.

    >>> phrases("as if", "wow").findall("As if, wows, as  if, wow".lower())
    ['as if', 'as  if', 'wow']
    """
    return re.compile(rf"(?<!\w)(?:{'|'.join(forms)})(?!\w)".replace(" ", r"\s+"))


CONTRAST = phrases(
    "but",
    "however",
    "al?though",
    "though",
    "yet",
    "never ?theless",
    "none ?theless",
    "despite",
    "in spite of",
    "even so",
    "on the other hand",
    "that said",
    "(?:un)?fortunately",
    "surprisingly",
)
NEGATION = phrases(
    "not(?! only)",
    "no(?! doubt)",
    "never",
    "neither",
    "nor",
    "nothing",
    "none",
    "without",
    "hardly",
    "barely",
    "scarcely",
    "lack(?:s|ed|ing)?(?: of)?",
    "cannot",
    r"\w+n't",
    "(?:are|ca|could|did|do|does|had|has|have|is|should|was|were|wo|would)nt",
)
MOCKERY = phrases(
    "yeah,? right",
    "so[- ]called",
    "as if",
    "apparently",
    "supposed(?:ly)?",
    "allegedly",
    "whatever",
    "i guess",
    "how bad",
    r"the (?:best|only good) (?:part|thing)\b[^.!?]{0,40}\b(?:end(?:ed|ing|s)?|credits|over)",
)
"""Marks of irony that go with errors, where the answer took the text for praise. On IMDb's training reviews these did
not: words in quotation marks, exclamations of praise, sarcasm by name, oh great, what a surprise, thanks for nothing,
bravo; nobody writes /s there."""
PRAISING = phrases(
    "i (?:(?:still|really|absolutely|actually|thoroughly|just|truly|kind of|quite|personally|do|did|also) ){0,2}"
    "(?:loved?|liked?|enjoy(?:ed)?|adored?|recommend) (?:it|this|the (?:film|movie|show)|watching)",
    "(?:highly|strongly|definitely|well) recommended",
    "worth (?:a look|seeing|watching|it|the (?:price|money|wait)|renting|your time|checking|a rent|a watch)",
    "must[- ]see",
)
"""The writer's verdict in plain words: for."""
DISMISSING = phrases(
    "i (?:(?:really|absolutely|actually|just|truly|personally|also|did|even|simply) ){0,2}"
    "(?:hated?|disliked?|despised?|loathed?|regret) (?:it|this|the (?:film|movie|show)|watching|seeing)",
    "i (?:didn't|did not|don't|do not|couldn't|can't|cannot|wouldn't|would not|won't) "
    "(?:(?:really|even|particularly|actually) )?(?:like|enjoy|care for|recommend|get into|finish|sit through) "
    "(?:it|this|the (?:film|movie|show))",
    "(?:not|never) (?:really )?(?:worth|recommend(?:ed)?)",
    r"waste of (?:\w+ )?(?:time|money|talent|film)",
    "(?:don't|do not) (?:bother|waste|see|watch|rent|buy)",
    "(?:was|were|am|is|very|so|really|big|huge|bit|sorely|somewhat|quite|highly) disappoint(?:ed|ing|ment)",
    "(?:fell|falls) (?:flat|short)",
    "left me cold",
    "save your (?:money|time)",
    "skip (?:it|this)",
    "stay away",
)
"""The writer's verdict in plain words: against."""
NOT_MEANT = re.compile(
    r"(?:n't|\bnot|\bnever|cannot|hardly|wish i could|want(?:ed)? to|\bif|unless|\bwho|without|\bnor|\bno)"
    r"\W+(?:\w+\W+){0,2}$"
)
"""Before a verdict for: it is denied, wished for or somebody else's."""
FOND_OF_BAD = phrases(
    "so bad,? (?:that )?it'?s",
    "(?:guilty|cheap) (?:pleasure|thrill)s?",
    "chees[ye]",
    "camp(?:y|iness)?",
    "(?:b|z)[- ]?(?:movie|film|grade|flick)s?",
    "low[- ]budget",
    "cult (?:classic|film|movie|following)",
    r"unintentional\w*",
    "hilariously bad",
    "trash(?:y)?",
    "mst ?3k",
)
PAST = phrases(
    "when i (?:first|was|originally) (?:saw|watched|read|heard|a|an|young|younger|little|in)",
    "(?:the first time|first time) i (?:saw|watched)",
    "i used to",
    "(?:as|was) a (?:kid|child|teenager|boy|girl)",
    "years ago",
    "at first",
    "i remember(?:ed)?",
)
_OPINION = "|".join(
    (
        "sa(?:y|ys|id|ying)",
        "tell(?:s|ing)?|told",
        "claim(?:s|ed|ing)?",
        "call(?:s|ed|ing)?",
        "(?:lov|hat|lik|dislik|ador|prais|rav|rat)(?:e|es|ed|ing)",
        "th(?:ink|inks|ought|inking)",
        "enjoy(?:s|ed|ing)?",
        "(?:complain|recommend|consider|laugh|trash|bash)(?:s|es|ed|ing)?",
        "gave|found|disagree|describ(?:e|es|ed|ing)|pann(?:ed|ing)",
    )
)
_OTHERS = "|".join(
    (
        "critics?|reviewers?|commenters?|posters?|viewers|audiences?|people|fans|others|every ?(?:one|body)",
        "my (?:wife|husband|girlfriend|boyfriend|friends?|kids?|children|son|daughter|family|parents)",
        "my (?:mother|mom|father|dad|brother|sister)",
    )
)
_BETWEEN = "who|have|has|had|all|in|here|on|this|will|may|might|can|actually|really|seems?|seemed|to|just|and|i|also"
REPORTED = phrases(
    rf"(?:{_OTHERS})(?: (?:{_BETWEEN})){{0,4}} (?:{_OPINION})",
    "(?:other|previous|all the|these|many|most|bad|good|negative|positive|rave|glowing|terrible|mixed) "
    "(?:reviews|comments|reviewers|critics|ratings|posters)",
    "i(?:'d| had|'ve| have)? (?:heard|read) (?:that|about|so|some|all|many)",
    "hype",
    "i (?:do not|don't|can't|cannot) (?:understand|see|believe) (?:why|how|what|all)",
)
OTHER_WORK = phrases(
    "(?:the|his|her|their) (?:original |first |second |previous |earlier |other )?"
    "(?:book|novel|original|play|comics?|game|series|tv show|sequel|prequel|remake|musical|short story|version)s?",
    "(?:the|his|her|their) (?:first|second|third|earlier|previous|other|original|last|best|better|later) "
    "(?:films?|movies?|ones?|part|two|three|season|installments?|works?)",
    r"unlike(?: \w+){1,4}",
    r"(?:compared|in comparison) (?:to|with)(?: \w+){1,4}",
)
"""Another film, book or season than the one that is judged."""
SAYS_OF = re.compile(r"\W{0,3}(?:\w+\W{1,3}){0,6}?(?:was|were|is|are|had been|has been|being)\b")
"""From there to what is said of it: "…, which was"."""
COUNTERFACTUAL = phrases(
    r"(?:could|should|would|might|must)(?:n't| not)?(?:'ve|a| have)(?: \w+)?",
    "(?:could|should|would|might) (?:only |easily |really )?be(?: better)?",
    "if only",
    "i wish",
    "want(?:ed)? to (?:like|love|enjoy)",
    "potential",
    "(?:was|were|is|are) supposed to",
    "(?:i|we|you)(?: was| were)? (?:expect|hop)(?:e|ed|ing)?",
    "(?:high|higher|low|lower) (?:hopes|expectations)",
)
