"""What a claim says in words of its letters: descriptions of what everybody means by them, and conditions on them.

A description that agrees with what the letter means here anyway is dropped: `where σ is the sigmoid`. A condition in
words becomes a property, `x has a unique maximum`, or a shape, `a distribution p over n words`.
"""

from __future__ import annotations

import re
from collections.abc import Callable

_END = r"(?=\s*(?:[,;.:)]|$|and\b|⇒|=>|then\b|\\Rightarrow|\\implies))"
_KNOWN: tuple[tuple[str, str], ...] = (
    (r"σ|\\sigma", r"(?:logistic\s+)?sigmoid(?:\s+function)?|logistic(?:\s+function)?"),
    (
        r"Φ|\\Phi",
        r"(?:cdf|CDF|distribution\s+function)\s+of\s+(?:the\s+)?(?:a\s+)?(?:standard\s+normal|N\(0,\s*1\))(?:\s+(?:distribution|law))?"
        r"|(?:standard\s+)?normal\s+(?:cdf|CDF|(?:cumulative\s+)?distribution(?:\s+function)?)",
    ),
    (r"H", r"(?:Shannon\s+)?entropy"),
    (r"KL|D_\{?KL\}?", r"(?:Kullback[-–]Leibler|KL)\s+divergence"),
    (r"\\?log|\\?ln", r"natural\s+log(?:arithm)?"),
    (r"(?:δ|\\delta)_(?:\{\w,?\s*\w\}|\w\w)", r"Kronecker(?:['’]s)?\s+(?:delta|symbol|δ)"),
    (r"e_\{?\w\}?", r"(?:\w(?:-?th|\^\{?th\}?)\s+)?(?:standard\s+)?(?:basis|unit|coordinate|one-hot)\s+vector"),
    (r"I(?:_\{?\w\}?)?", r"identity(?:\s+matrix)?"),
    (r"1|𝟏|\\mathbf\{?1\}?|\\mathbb\{?1\}?", r"(?:vector|column)\s+of\s+(?:all\s+)?ones|all[-\s]ones?\s+vector"),
    (r"\|\||‖|\\\|·\\\|", r"Euclidean\s+norm"),
    (
        r"PPL?_\{?1\}?\s*(?:,|and)\s*PPL?_\{?2\}?",
        r"perplexit(?:y|ies)\s+(?:of|on)\s+the\s+first\s+N_\{?1\}?\s+(?:tokens\s+)?and\s+"
        r"(?:of\s+|on\s+)?the\s+(?:other|last|remaining)\s+N_\{?2\}?\s+tokens",
    ),
)
"""Letters, and the words that say of them what they mean here anyway."""
_DESCRIPTIONS = tuple(
    re.compile(
        rf"(?:[,;]\s*|\s+|(?<=^))(?:(?:where|with|and|here|Here|Where)\s+)?\$?(?<![\w\\])(?:{letter})\$?\s+"
        rf"(?:(?:is|are|denotes?|being|means)\s+(?:again\s+)?)?(?:the|an?)\s+(?:{words}){_END}"
    )
    for letter, words in _KNOWN
)
_LETTER = r"(?:\\[a-z]+|[A-Za-zα-ω])(?![A-Za-z])"
_UNIQUE_MAXIMUM = (
    re.compile(
        rf"\b(?:the\s+)?(?:maximum|largest\s+entry|max|argmax)\s+of\s+(?P<x>\$?{_LETTER}\$?)\s+(?:is|be)\s+unique"
    ),
    re.compile(
        rf"(?<![A-Za-z\\])(?P<x>\$?{_LETTER}\$?)\s+(?:with|has|have|having)\s+(?:an?|one|only\s+one)\s+"
        r"(?:unique|single|strict)?\s*(?:maximum|maximi[sz]er|largest\s+entry|argmax)(?:\s+entry)?"
    ),
)
_FULL_RANK = re.compile(
    rf"(?<![A-Za-z\\])(?P<x>\$?{_LETTER}\$?)\s+(?:of|has|have|having|with|is\s+of|be\s+of)\s+full\s+(?P<kind>column\s+|row\s+)?rank"
)
_OVER = re.compile(
    r"(?P<before>distributions?\s+(?P<names>\$?[a-z]\$?(?:\s*(?:,|and)\s*\$?[a-z]\$?)*))\s+(?:over|on|of)\s+(?P<size>\$?[nNKVmd]\$?)\s+"
    r"(?:words|outcomes|classes|tokens|symbols|items|states|values|elements|points|categories|letters|labels)(?![a-z])"
)
_IN_REALS = re.compile(r"(?<=[\w}$])\s+in\s+(?=\$?(?:ℝ|\\mathbb\s*\{?R\}?|\\R\b|R(?=\s*\^|\s*(?:[,;.]|$))))")
_COLUMN = re.compile(r"\s+(?:is|are|as)\s+(?:an?\s+)?columns?(?:\s+vectors?)?(?=\s*(?:[,;.]|$))")


def drop_descriptions(text: str) -> str:
    """The text without what it says of letters that mean just that here.

    >>> drop_descriptions("E[σ(x)] = 1/2 where σ is the sigmoid")
    'E[σ(x)] = 1/2'
    """
    for pattern in _DESCRIPTIONS:
        text = pattern.sub("", text)
    return _COLUMN.sub("", text)


def write_properties(text: str) -> str:
    """The text with conditions on letters as properties and shapes.

    >>> write_properties("A of full column rank, p a distribution p over n words")
    'A fullcolumn, p a distribution p ∈ R^n'
    """
    for pattern in _UNIQUE_MAXIMUM:
        text = pattern.sub(r"\g<x> uniquemax", text)
    text = _FULL_RANK.sub(lambda found: f"{found['x']} full{(found['kind'] or 'rank').strip()}", text)
    text = _OVER.sub(r"\g<before> ∈ R^\g<size>", text)
    return _IN_REALS.sub(" ∈ ", text)


REWRITERS: tuple[Callable[[str], str], ...] = (drop_descriptions, write_properties)
