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
