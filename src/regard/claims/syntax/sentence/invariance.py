"""Sentences that say what changes nothing: adding a constant to every logit does not change the softmax.

They name a change and a thing, each out of a short list. The claim is that the thing, with the change made, is what it
was:

    adding the same vector to every key does not change the weights
    exp((k_i + u)^T q) / sum_j exp((k_j + u)^T q) = exp(k_i^T q) / sum_j exp(k_j^T q)
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_ALL = r"(?:every|each|all(?:\s+(?:of\s+)?the)?|all)"
_LOGITS = r"(?:logits?|scores?|entr(?:y|ies)(?:\s+of\s+(?:the\s+)?(?:logits|x|z))?|components?(?:\s+of\s+x)?)"
_SAME = r"(?:an?|the\s+same|some|any|one)"

_CHANGES: dict[str, dict[str, str]] = {
    rf"(?:adding|subtracting)\s+{_SAME}\s+(?:constant|number|scalar)(?:\s+c)?\s+(?:to|from)\s+{_ALL}\s+{_LOGITS}"
    rf"|shifting\s+{_ALL}\s+{_LOGITS}\s+by\s+{_SAME}\s+(?:constant|number|amount)(?:\s+c)?"
    rf"|{_SAME}\s+constant\s+is\s+added\s+to\s+{_ALL}\s+{_LOGITS}": {"s": "s + t"},
    rf"subtracting\s+(?:the\s+)?(?:maximum|largest(?:\s+one)?|max)\s+from\s+{_ALL}\s+{_LOGITS}": {"s": "s - max(s)"},
    rf"(?:multiplying|scaling)\s+{_ALL}\s+{_LOGITS}\s+by\s+(?:2|two|(?:{_SAME}\s+)?constant(?:\s+C)?|C)": {"s": "C s"},
    r"(?:multiplying|scaling)\s+the\s+query\s+by\s+(?:2|two|a\s+constant(?:\s+C)?|C)": {"q": "(C q)"},
    rf"adding\s+{_SAME}\s+vector(?:\s+u)?\s+to\s+{_ALL}\s+keys?|shifting\s+{_ALL}\s+keys?\s+by\s+{_SAME}\s+vector(?:\s+u)?"
    rf"|{_SAME}\s+vector(?:\s+u)?\s+is\s+added\s+to\s+{_ALL}\s+keys?": {"k": "(k + u)"},
    rf"adding\s+{_SAME}\s+vector(?:\s+u)?\s+to\s+{_ALL}\s+values?|{_SAME}\s+vector(?:\s+u)?\s+is\s+added\s+to\s+{_ALL}\s+"
    r"values?": {"v": "(v + u)"},
    rf"adding\s+{_SAME}\s+vector(?:\s+u)?\s+to\s+the\s+query": {"q": "(q + u)"},
}
"""What is done, and what becomes of a letter by it."""
_THINGS = {
    r"softmax|probabilities|distribution": "softmax",
    r"(?:attention\s+)?weights": "weights",
    r"(?:attention\s+)?outputs?": "output",
}
_CHANGE, _THING = "|".join(_CHANGES), "|".join(_THINGS)
_SENTENCES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?P<change>{_CHANGE})\s+(?:does\s+not|doesn't|do\s+not|never)\s+(?:change|affect|alter)s?\s+(?:the\s+)?(?P<thing>{_THING})",
        rf"(?P<change>{_CHANGE})\s+(?:leaves|keeps)\s+(?:the\s+)?(?P<thing>{_THING})\s+(?:unchanged|the\s+same|as\s+(?:it\s+is|they\s+are))",
        rf"(?:the\s+)?(?P<thing>{_THING})\s+(?:is|are)\s+(?:invariant|unaffected|unchanged)\s+(?:to|under|by|when|if)\s+(?P<change>{_CHANGE})",
        rf"(?:the\s+)?(?P<thing>{_THING})\s+(?:do|does)\s+not\s+change\s+(?:when|if)\s+(?P<change>{_CHANGE})",
    )
)


def state_invariance(text: str) -> str:
    """A sentence about what changes nothing as an equation; any other text as it is.

    >>> state_invariance("Adding a constant to every logit does not change the softmax.")
    'softmax(s + t)_i = softmax(s)_i.'
    """
    for sentence in _SENTENCES:
        if found := sentence.search(text):
            change = next(
                made for words, made in _CHANGES.items() if re.fullmatch(words, found["change"], re.IGNORECASE)
            )
            thing = next(name for words, name in _THINGS.items() if re.fullmatch(words, found["thing"], re.IGNORECASE))
            return text[: found.start()] + _equation(thing, change) + text[found.end() :]
    return text


def _equation(thing: str, change: dict[str, str]) -> str:
    """The thing with the change made, and without: both written out, so that no letter means anything else."""
    return f"{_written(thing, change)} = {_written(thing, dict.fromkeys(change))}"


def _written(thing: str, change: Mapping[str, str | None]) -> str:
    letter, changed = next(iter(change.items()))
    become = {name: changed if name == letter and changed else name for name in "skqv"}
    if letter == "s":
        weight = f"softmax({become['s']})_i"
    else:
        scores = (become["k"].replace("k", f"k_{index}") + f"^T {become['q']}" for index in "ij")
        weight = "exp({}) / sum_j exp({})".format(*scores)
    return weight if thing != "output" else f"sum_i ({weight}) {become['v'].replace('v', 'v_i')}"
