"""Entropies of two discrete random variables: H(X, Y), H(X|Y) and I(X;Y) as letters of a setting with a joint table.

The table has six entries P_1 … P_6, of X with two values and Y with three:

    P_1 P_2 P_3      H(X, Y) is J, H(X) and H(Y) are A and B, H(X|Y) and H(Y|X) are C and D, I(X;Y) is M,
    P_4 P_5 P_6      H(X|Y=y) and H(Y|X=x) of the first values are F and G.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from regard.claims.meaning.setting import Setting, SymbolSpec

_LETTER = r"[XYZUVWST]"
_BAR = r"(?:\||\\mid(?![A-Za-z])|∣)"
_VALUE = rf"(?P<given>{_LETTER})\s*=\s*[a-z](?:_\w)?"
_MEASURE = re.compile(
    rf"(?<![A-Za-z\\])(?P<name>H|I)\s*\(\s*(?P<first>{_LETTER})\s*"
    rf"(?:(?P<mark>,|;|{_BAR})\s*(?:{_VALUE}|(?P<second>{_LETTER}))\s*)?\)"
)
_DIVERGENCE = re.compile(
    r"(?:D_\{?(?:KL|\\mathrm\{KL\})\}?|KL|D)\s*\(\s*(?P<left>p\(x\s*,\s*y\)|p\(x\)\s*p\(y\))\s*(?:\|\||‖|\\\||\\parallel)\s*"
    r"(?P<right>p\(x\s*,\s*y\)|p\(x\)\s*p\(y\))\s*\)"
)
JOINT = re.compile(
    rf"(?<![A-Za-z\\])(?:H|I)\s*\(\s*{_LETTER}\s*(?:,|;|{_BAR})\s*{_LETTER}\s*(?:=\s*[a-z](?:_\w)?\s*)?[,;)|]"
)
"""A text has an entropy of two random variables."""


_PLAIN = re.compile(
    r"\\(?:leq?|geq?|lt|gt|neq?|min|max|left|right|cdot|quad|qquad)(?![A-Za-z])|\b(?:min|max|Let|Then)\b"
)
"""What may stand between such measures."""
_FOREIGN = re.compile(r"[A-GI-Za-z]|[1-9](?!\s*[·*]?\s*[(H])|\d\d")
"""Another letter; a number that is no factor, which may depend on how many outcomes there are."""


@dataclass(frozen=True)
class JointClaim:
    """A claim in the letters of the setting, which is that of independent variables where they are given as such."""

    text: str
    setting: Setting


_INDEPENDENT = re.compile(r"Let [A-Z] ⫫ [A-Z]\. (?:Then )?")


def read_joint(text: str, *, are_independent: bool) -> JointClaim | None:
    """The claim in letters of a joint table; None where a part of it has no such letter."""
    if are_independent:
        text = _INDEPENDENT.sub("", text)  # what the setting says
    if _FOREIGN.search(_PLAIN.sub(" ", _MEASURE.sub("H", _DIVERGENCE.sub("H", text)))):
        return None
    names = sorted(
        {found[one] for found in _MEASURE.finditer(text) for one in ("first", "second", "given") if found[one]}
    )
    if not 1 <= len(names) <= 2:
        return None
    order = {name: place for place, name in enumerate(names)}
    try:
        written = _MEASURE.sub(lambda found: _letter(found, order), text)
        written = _DIVERGENCE.sub(_divergence, written)
    except KeyError:
        return None
    return JointClaim(written, INDEPENDENT if are_independent else GENERAL)


def _letter(found: re.Match[str], order: dict[str, int]) -> str:
    """The letter of one measure.

    Raises: KeyError for one that is not known: I(X|Y), H(X;Y), H(X|X).
    """
    first, second, given = (order[found[one]] if found[one] else -1 for one in ("first", "second", "given"))
    mark = found["mark"]
    kind = found["name"] + ("" if mark is None else mark if mark in ",;" else "|") + ("=" if given >= 0 else "")
    if first in (second, given):
        raise KeyError(kind)
    plain = {"H": "AB"[first], "H,": "J", "I;": "M", "I,": "M"}
    conditional = {"H|": "CD"[first], "H|=": "FG"[first]}
    return f" {(plain | conditional)[kind]} "


def _divergence(found: re.Match[str]) -> str:
    joint = found["left"].replace(" ", "") == "p(x,y)"
    if joint == (found["right"].replace(" ", "") == "p(x,y)"):
        raise KeyError("divergence")
    return " K " if joint else " L "


_MARGINALS = (
    ("r", 2, "(P_1 + P_2 + P_3, P_4 + P_5 + P_6)"),
    ("c", 3, "(P_1 + P_4, P_2 + P_5, P_3 + P_6)"),
)
_PRODUCT = "(r_1 c_1, r_1 c_2, r_1 c_3, r_2 c_1, r_2 c_2, r_2 c_3)"
_SCORES: tuple[tuple[str, str], ...] = (
    ("J", "H(P)"),
    ("A", "H(r)"),
    ("B", "H(c)"),
    ("C", "H(P) - H(c)"),
    ("D", "H(P) - H(r)"),
    ("M", "H(r) + H(c) - H(P)"),
    ("F", "H((P_1, P_4)/(P_1 + P_4))"),
    ("G", "H((P_1, P_2, P_3)/(P_1 + P_2 + P_3))"),
    ("K", "KL(P || s)"),
    ("L", "KL(s || P)"),
)


def _setting(*, are_independent: bool) -> Setting:
    table = (
        [
            *(SymbolSpec(name, (size, 1), "a marginal", law="distribution") for name, size, _ in _MARGINALS),
            SymbolSpec("P", (6, 1), "the joint table", definition=_PRODUCT),
        ]
        if are_independent
        else [
            SymbolSpec("P", (6, 1), "the joint table", law="distribution"),
            *(SymbolSpec(name, (size, 1), "a marginal", definition=sums) for name, size, sums in _MARGINALS),
        ]
    )
    scores = [SymbolSpec(name, (1, 1), "an entropy", definition=signs) for name, signs in _SCORES]
    product = SymbolSpec("s", (6, 1), "the product of the marginals", definition=_PRODUCT)
    kind = "independent" if are_independent else "discrete"
    return Setting(
        "joint distribution",
        f"two {kind} random variables with a joint distribution drawn at random",
        (*table, product, *scores),
        tuple({"n": 6, "d": d} for d in (1, 2, 3, 4)),
    )


_GIVEN = re.compile(
    r"\b(?:if|when|for|let|suppose|given|assume|with|whenever|provided)\b[^.]*\bindependent\b|"
    r"\bindependent\s+(?:\w+\s+)*?(?:variables|\$?[A-Z]\b)",
    re.IGNORECASE,
)
_DOUBTS = re.compile(
    r"\b(?:not|never|un)\W*(?:\w+\s+)?independent|\bdependent\b|\bconditionally\b|differential|continuous|densit|gaussian|⊥|\\perp",
    re.IGNORECASE,
)
_EQUALITY = re.compile(r"(?:if and only if|iff|only if|exactly (?:if|when)|precisely (?:if|when))[^.]*\bindependent\b")


def given_independence(text: str) -> bool | None:
    """Whether a text takes its variables for independent; None where it is not plain.

    >>> given_independence("If X and Y are independent, then H(X, Y) = H(X) + H(Y).")
    True
    """
    text = _EQUALITY.sub("", text)
    if _DOUBTS.search(text):
        return None
    if "independent" not in text.lower():
        return False
    first, _, _ = text.partition(". ")
    is_first = "independent" in first.lower() or re.match(r"(?:Let|Suppose|Consider|Take|Assume)\b", first) is not None
    return True if is_first and _GIVEN.search(text) else None


GENERAL, INDEPENDENT = _setting(are_independent=False), _setting(are_independent=True)
