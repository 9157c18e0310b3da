"""Verbs between formulas, and numbers in words, as signs: never exceeds as ≤, goes to zero as → 0.

A verb is put as a sign wherever it stands: where no formula stands beside it, the grammar complains.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

_NEVER = (
    r"(?:can\s?not|can(?:'|’)t|can never|could never|never|does not|doesn(?:'|’)t|do not|will never|may "
    r"not)(?: ever)?"
)
_ALWAYS = r"(?: (?:always|strictly|actually|also|all|each|then|indeed))*"
_LARGER, _SMALLER = r"(?:larger|greater|bigger|more|higher)", r"(?:smaller|less|lower)"
_VERBS: tuple[tuple[str, str], ...] = (
    (
        rf"{_NEVER} (?:exceeds?|be (?:{_LARGER} than|above)|gets? (?:above|{_LARGER} than)|goes above|go above)",
        "≤",
    ),
    (rf"(?:is|are) (?:never|not) (?:{_LARGER} than|above)", "≤"),
    (rf"(?:is|are){_ALWAYS} (?:upper[-\s]bounded|bounded (?:from )?above) by", "≤"),
    (
        rf"{_NEVER} (?:be (?:{_SMALLER} than|below)|gets? (?:below|{_SMALLER} than)|goes? below|falls? "
        rf"below|drops? below)",
        "≥",
    ),
    (rf"(?:is|are) (?:never|not) (?:{_SMALLER} than|below)", "≥"),
    (rf"(?:is|are){_ALWAYS} (?:lower[-\s]bounded|bounded (?:from )?below) by", "≥"),
    (rf"(?:(?:is|are|stays?|lies?){_ALWAYS} )at most", "≤"),
    (rf"(?:(?:is|are|stays?|lies?){_ALWAYS} )at least", "≥"),
    (rf"(?:is|are)(?: always)? strictly (?:{_LARGER} than|above)|(?:strictly )?exceeds", ">"),
    (rf"(?:is|are)(?: always)? strictly (?:{_SMALLER} than|below)", "<"),
    (rf"(?:is|are|lies?|stays?){_ALWAYS} (?:{_LARGER} than|above)(?! or\s)", ">"),
    (rf"(?:is|are|lies?|stays?){_ALWAYS} (?:{_SMALLER} than|below)(?! or\s)", "<"),
    (r"(?:is|are) (?=[≤≥<>=≈])", ""),
    (
        r"(?:both )?(?:tends?|goes|go|converges?|approach(?:es)?) (?:to )?(?=(?:zero|one|infinity|half|"
        r"one half|minus)(?![a-z]))",
        "→ ",
    ),
    (
        r"(?:is|are) (?:just|simply|exactly|always|precisely|nothing but|merely|plainly|equal to|the same "
        r"as)(?: (?:just|simply|exactly|always|precisely|equal to))* (?=[\d(\\ΣΠ½‖|−√-]|"
        r"[A-Za-zα-ω](?![a-z'’]))",
        "= ",
    ),
    (
        r"(?:is|are|equals?|becomes?) (?:exactly |simply |just |always )*(?=\\?(?:sum|prod|exp|log|max_|"
        r"min_|sqrt)(?![a-z]))",
        "= ",
    ),
    (
        r"(?:is|are|equals?|becomes?) (?:exactly |simply |just |always )*(?=(?:zero|one(?: half)?|a half|"
        r"a quarter|one quarter)\s*(?:[.,;:]|$|\s(?:if|when|as|for|iff|whenever|at|and|then)\b))",
        "= ",
    ),
)
_SIGNED = r"(?P<sign>(?:[=≤≥<>≈→]|<=|>=)\s*(?:exactly )?)"
_NUMBERS: tuple[tuple[str, str], ...] = (
    (r"(?:one half|a half|half)(?! (?:of|a|the)\b)", "1/2"),
    (r"(?:one|a) quarter(?! of\b)", "1/4"),
    (r"zero(?: vector| matrix)?", "0"),
    (r"one(?! (?:of|half|hot)\b)", "1"),
    (r"two", "2"),
    (r"(?:plus )?infinity", "∞"),
    (r"minus infinity", "−∞"),
)
_VANISHES = re.compile(r"(?<=[\w)\]}‖|]) vanish(?:es)?(?P<limit>(?= (?:as|when|in the limit)\s))?(?![a-z])")


_WORD = re.compile(r"(?<![A-Za-z\\_])(?!max|min|log|exp|tanh|softmax|sigmoid|det|rank|diag|then)[a-z]{3,}\s*$")


def _unless_after_word(found: re.Match[str], sign: str) -> str:
    """The sign; the verb itself after a word, which may yet be put in symbols: every attention weight is at most 1."""
    return found[0] if _WORD.search(found.string[: found.start()]) else sign


def write_comparisons(text: str) -> str:
    """The text with verbs that compare as signs, and with numbers after a sign as digits.

    >>> write_comparisons("max_i α_i never exceeds one")
    'max_i α_i ≤ 1'
    """
    for words, sign in _VERBS:
        text = re.sub(rf"(?<![A-Za-z\\_])(?:{words})(?![A-Za-z])", partial(_unless_after_word, sign=sign), text)
    text = _VANISHES.sub(lambda found: " → 0" if found["limit"] is not None else " = 0", text)
    for words, number in _NUMBERS:
        text = re.sub(rf"{_SIGNED}(?:{words})(?![A-Za-z-])", rf"\g<sign>{number}", text)
    return text


_BOTH_BOUNDS = re.compile(
    r"(?:(?<=^)|(?<=then )|(?<=[,;] ))(?P<left>[^,;=<>≤≥]+?) (?:≥|>=) (?P<low>[^,;=<>≤≥]+?),? (?:and|but) "
    r"(?:is )?(?:at most|≤) (?P<high>[^,;=<>≤≥]+?)(?=\s*[.;]|\s*$)"
)


def write_bounds(text: str) -> str:
    """`x is at least a and at most b` as a ≤ x ≤ b.

    >>> write_bounds("x ≥ a and at most b")
    'a ≤ x ≤ b'
    """
    return _BOTH_BOUNDS.sub(r"\g<low> ≤ \g<left> ≤ \g<high>", text)


REWRITERS: tuple[Callable[[str], str], ...] = (write_comparisons, write_bounds)
