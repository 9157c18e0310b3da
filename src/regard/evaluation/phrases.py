"""Words and phrases that reviewers use to turn round, deny, mock, report, compare and imagine, as compiled patterns.

They are for texts in lower case, with ' as the only apostrophe (`reading.plain_text`).
"""

from __future__ import annotations

import re


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
IRONY = phrases(
    "yeah,? right",
    "oh,? (?:great|joy|boy|goody|wow|please|sure)",
    "what a (?:surprise|shock|treat)",
    "thanks (?:a lot|for nothing)",
    "(?:gee|congratulations|kudos|bravo)(?=[,!])",
    r"sarcas\w*",
    r"iron(?:y|ic\w*)",
    "so[- ]called",
    "got to love",
    r"the (?:best|only good) (?:part|thing)\b[^.!?]{0,40}\b(?:end(?:ed|ing|s)?|credits|over)",
    r"if you (?:enjoy|like|love)\b[^.!?]{0,80}\bthen",
)
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
SCARE_QUOTES = re.compile(r"[\"“]([a-z][\w'’-]*(?: [a-z][\w'’-]*){0,2})[\"”]")
"""One to three words in quotation marks that do not begin with a capital, as names do; for the text as it is."""

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
ELSEWHERE = phrases(
    "(?:the|his|her|their|original|first|previous|earlier|other) "
    "(?:book|novel|original|play|comics?|game|series|tv show|sequel|prequel|remake|soundtrack|trailer)s?",
    "the (?:first|earlier|previous|other) (?:films?|movies?|ones?|part|two|season|versions?)",
    "compared (?:to|with)",
    "instead of",
    "(?:better|worse|rather) than",
    "unlike",
    "reminds? me of",
)
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
MARK = re.compile(
    r"\d(?:[.,]\d)?\s?(?:/|out of)\s?(?:4|5|10|100|ten|five)(?![\d/])|"
    r"(?<!\w)(?:zero|half|one|two|three|four|five|six|seven|eight|nine|ten|\d\d?)(?: and a half)?[ -]stars?\b|"
    r"\*{2,}|(?:grade|rating|score)\s?:"
)
"""A mark out of so many, stars, or the word before a mark."""
