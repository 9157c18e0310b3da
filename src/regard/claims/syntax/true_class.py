"""The class that a one-hot target names: `where k is the correct class` says that y is one-hot with y_k = 1."""

from __future__ import annotations

import re

from regard.claims.syntax.prose.tokens import words

_CLASS = (
    r"(?:the |a )?(?:index of (?:the )?)?(?:true|correct|right|target|gold|ground[- ]truth|actual|observed)"
    r"(?: (?:class|label|category|answer|index|position|one))+"
)
_LETTER = r"\$?(?P<letter>[a-z])\$?"
_SAID = re.compile(
    rf"(?P<lead>\b(?:where|with|if|when|let|suppose|for|and|given|provided|assuming)(?: that)?) {_LETTER} "
    rf"(?:(?:is|be|being|denotes|denote) )?{_CLASS}(?= *(?:[,.;)]|$| then\b| and\b))"
    rf"|(?P<lead_for>\b(?:for|with|at|where)) {_CLASS} \$?(?P<letter_behind>[a-z])\$?(?= *(?:[,.;)]|$| then\b))"
    rf"|\((?:where |with )?\$?(?P<letter_aside>[a-z])\$? (?:is |being |= )?{_CLASS}\)",
    re.IGNORECASE,
)
_HAS_TARGET = re.compile(r"ŷ|\\hat\s*\{?y|y_?hat|(?<![A-Za-z\\])CE(?![A-Za-z])|\\(?:mathrm|text)\{CE\}")
_OWN_TARGET = re.compile(
    r"one-hot|(?<![A-Za-z\\_^{])y(?:_\{?\w\}?)?\s*(?:=|∈|~|\\in\b)|smooth|batch|averag|mean\b|focal|binary"
)
_WORDS = re.compile(r"(?<![\\A-Za-z_^{])[A-Za-z]{3,}(?![A-Za-z(_^{])")
_PLAIN = words("where with for and all then when let exp log softmax the that hence have")
_CASE = r"(?:for|if|when) \$?\w \$?(?:=|≠|!=|\\neq?)\$? ?\w\$?"
_CASES = re.compile(rf"(?P<left>[^=]+?) = (?P<first>[^=,]+?,? {_CASE}),?(?: and|,) (?P<second>[^=]+?,? {_CASE})$")
"""One left side, and what it is in each of two cases."""


def with_target(text: str) -> str:
    """A formula with a one-hot y for the class that is called correct; a text of other words as it is.

    >>> with_target("CE(y, ŷ) = -log ŷ_k where k is the correct class")
    'CE(y, ŷ) = -log ŷ_k where y is one-hot with y_k = 1'
    """
    found = _SAID.search(text)
    if found is None or not _HAS_TARGET.search(text):
        return text
    rest = text[: found.start()] + text[found.end() :]
    others = [word for word in _WORDS.findall(rest) if word.lower() not in _PLAIN]
    if others or _OWN_TARGET.search(rest) or _SAID.search(rest):
        return text
    if _CASES.match(rest.strip(" ,.")):
        return _of_cases(rest.strip(" ,."), found["letter"] or found["letter_behind"] or found["letter_aside"])
    letter = found["letter"] or found["letter_behind"] or found["letter_aside"]
    lead = found["lead"] or found["lead_for"] or ""
    verb = "be" if lead.lower() in ("let",) else "is"
    said = f"y {verb} one-hot with y_{letter} = 1"
    if lead.lower() in ("for", "with", "at"):
        said, lead = f"y is one-hot with y_{letter} = 1", "where" if text[: found.start()].strip() else "if"
    new = f"{lead} {said}" if lead else f"where {said}"
    if found["letter_aside"] and text[: found.start()].rstrip()[-1:] not in (",", ""):
        new = f", {new}"
    return (text[: found.start()].rstrip(" ") + " " * bool(found.start()) + new + text[found.end() :]).replace(
        " ,", ","
    )


def _of_cases(text: str, letter: str) -> str:
    """Both cases as equations of their own, behind what is given of either."""
    found = _CASES.match(text)
    assert found is not None
    left = found["left"]
    return f"If y is one-hot with y_{letter} = 1, then {left} = {found['first']} and {left} = {found['second']}"
