"""Signs and asides of matrices, written as the words that mean them: A ≻ 0, λ_max(A), (counted with multiplicity)."""

from __future__ import annotations

import re
from collections.abc import Callable

MAX_LENGTH = 1000
"""Characters of a text that is read as sentences: some patterns take time that grows faster than the text."""
_MATRIX = r"(?<![A-Za-z\\])[A-Z](?:[ᵀ⊤]|\^\{?(?:T|\\top)\}?)?(?![A-Za-z])"
_NOT_CALLED = r"(?![A-Za-z])"


def _definite(words: str) -> Callable[[re.Match[str]], str]:
    return lambda found: f" {found['name']} is {words} "


def _to_infinity(found: re.Match[str]) -> str:
    return f"{found['arrow']} {found['sign']}∞"


def _without_commas(found: re.Match[str]) -> str:
    return found.group().replace(",", "")


_REWRITTEN: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (re.compile(r"(?<=[a-z] )\d{1,3}(?:,\d{3})+(?=[.]?$| [a-z]{2}|, [a-z])"), _without_commas),  # 10,000 words
    (
        re.compile(rf"\$?(?P<name>{_MATRIX})\s*(?:≻|\\succ(?![a-z]))\s*0\$?"),
        _definite("positive definite"),
    ),
    (
        re.compile(rf"\$?(?P<name>{_MATRIX})\s*(?:⪰|≽|\\succeq(?![a-z]))\s*0\$?"),
        _definite("positive semidefinite"),
    ),
    (re.compile(r"(?:\\lambda|λ|lambda)_(?:\{?\\?max\}?|\{\\(?:mathrm|text)\{max\}\})\s*(?=\()"), "eigmax"),
    (re.compile(r"(?:\\lambda|λ|lambda)_(?:\{?\\?min\}?|\{\\(?:mathrm|text)\{min\}\})\s*(?=\()"), "eigmin"),
    (re.compile(r"!="), "≠"),
    (re.compile(r"(?:→|->|\\to|\\rightarrow)\s*(?:plus )?infinity\b"), "→ ∞"),
    (re.compile(r"(?:→|->|\\to|\\rightarrow)\s*minus infinity\b"), "→ -∞"),
    (re.compile(r"(?P<arrow>->|→|\\to)\s*(?P<sign>[-+−]?)\s*(?:infinity|infty|inf)\b"), _to_infinity),
    (re.compile(r"\s*\\q?quad(?![a-zA-Z])\s*"), " "),
    (re.compile(r",? counted with (?:algebraic )?multiplicit(?:y|ies)(?=[,.;:]|$)"), ""),
    (re.compile(r"\s*\((?:λ|\\lambda|lambda)_\{?max\}? (?:=|is|denotes) (?:the )?largest eigenvalue\)"), ""),
)


def plain_signs(text: str) -> str:
    """The text with signs that the grammar of formulas does not know in words.

    >>> plain_signs("Let A ≻ 0. Then λ_max(A) > 0.")
    'Let  A is positive definite . Then eigmax(A) > 0.'
    """
    for pattern, new in _REWRITTEN:
        text = pattern.sub(new, text)
    if not _EIGENVALUE.search(text):
        text = _COUNTED.sub("", text)
    return text


_EIGENVALUE = re.compile(r"(?:λ|\\lambda|lambda)_\{?[ijk]")
"""A letter for eigenvalues, that the words beside the brackets may have named."""
_COUNTED = re.compile(
    r"\s*\((?:all |each )?(?:complex eigenvalues )?(?:counted )?with (?:algebraic )?multiplicit(?:y|ies)\)"
)


_HEADED: tuple[tuple[re.Pattern[str], str, str], ...] = (
    (re.compile(r"\b(?:project(?:ing|ion|ions|or|ors|s)?)\b"), "PQ", "a projection"),
    (
        re.compile(r"\borthogonal (?:matrix|matrices|transformations?)\b|\brotat(?:ion|ions|ing)\b|\breflections?\b"),
        "QURAO",
        "an orthogonal matrix",
    ),
    (re.compile(r"\b(?:positive definite|spd)\b"), "ASBMΣ", "a positive definite matrix"),
    (
        re.compile(r"\b(?:positive semidefinite|positive semi-definite|psd)\b"),
        "ASBMΣ",
        "a positive semidefinite matrix",
    ),
    (re.compile(r"\bsymmetric (?:matrix|matrices)\b"), "ASBM", "a symmetric matrix"),
    (re.compile(r"\binvertible\b"), "ABMP", "an invertible matrix"),
    (re.compile(r"\bunit vectors?\b"), "uvxwq", "a unit vector"),
)
"""What a heading before a colon may be about, letters that such a thing has, and the words that give it one."""


_FOR_ALL_GIVEN = re.compile(
    r"\b[Ii]f\b[^,.;:]*\bfor (?:all|every|each|any) (?:[a-z]{2,} )*\$?(?![ijklmn]\b)[A-Za-z]\$?(?:,|\s+then\b)"
    r"|\b[Ii]f\b[^,.;:]*(?:⊥|\\perp)[^,.;:]*\bfor (?:all|every|each|any)\b"
    r"|\bfor (?:all|every|each|any) (?:[a-z]{2,} )*\$?(?![ijklmn]\b)[A-Za-z]\$?\s*(?:⇒|=>|⟹|\\(?:implies|Rightarrow)\b)"
)


_COMMON = re.compile(
    r"\b[Tt]here (?:is|are|exists?)\b(?! (?:only |exactly |just |at least )?[\w]+ (?:[a-z]+ )?keys\b)"
    r"[^.;]*\bfor (?:all|every|each|any) (?:[a-z]{2,} )*\$?(?![ijklmn]\b)[A-Za-z]\b"
)
"""There is a y such that x + y = 0 for every x: one y for all of them."""


def has_quantified_condition(text: str) -> bool:
    """Whether something is given for all vectors z, where a claim is tried at one z at a time: if xᵀz = yᵀz for all z.

    So it is where there is one thing for all z.

    >>> [has_quantified_condition(f"If x z = 0 for all {one}, then x = 0.") for one in "zi"]
    [True, False]
    """
    return _FOR_ALL_GIVEN.search(text) is not None or _COMMON.search(text) is not None


_HEADING = re.compile(r"^(?P<heading>[^:=≤≥<>$\d]{8,}):(?!=)")


def has_speaking_heading(text: str) -> bool:
    """Whether words before a colon are about something that the formulas behind it do not say: a projection.

    >>> has_speaking_heading("Projecting twice changes nothing: P² = P."), has_speaking_heading("In short: P² = P.")
    (True, False)
    """
    found = _HEADING.match(text)
    if found is None or re.search(r"(?<![A-Za-z])[B-HJ-Zb-z](?![A-Za-z])", found["heading"]):
        return False
    return any(row[0].search(found["heading"].lower()) for row in _HEADED)


def announce(heading: str, rest: str) -> str | None:
    """`A projection shortens vectors:` before ‖Px‖ ≤ ‖x‖ says that P is a projection: the words that say so.

    Empty where the heading is about nothing in particular; None where it is, and no letter of the rest is that.
    """
    said = [row for row in _HEADED if row[0].search(heading)]
    if not said:
        return ""
    _, letters, words = said[0]
    used = [one for one in letters if re.search(rf"(?<![a-z\\]){one}", rest)]
    if used and re.search(rf"(?<![A-Za-z]){used[0]} (?:is|be|are) |[a-z]{{4,}} {used[0]}(?![A-Za-z])", rest):
        return ""  # the rest says itself what its letter is
    if len(said) > 1 or not used:
        return None
    return f"for {words} {used[0]}"


_OF_GAUSSIANS = re.compile(
    r"\$?(?P<name>[a-z])\$?\s*(?:~|∼|\\sim)\s*(?:N|\\mathcal\s*\{?N\}?|𝒩)\s*\(\s*0\s*,\s*I_\{?(?P<size>\w)\}?\s*\)"
)


def is_limit_of_draws(text: str) -> bool:
    """Whether a text sends to infinity the dimension of a Gaussian vector, of which it claims no mean or variance.

    >>> is_limit_of_draws("For x ~ N(0, I_d), ‖x‖/√d → 1 as d → ∞")
    True
    """
    found = _OF_GAUSSIANS.search(text)
    if found is None or re.search(r"(?<![A-Za-z])E(?![a-z])|𝔼|\\mathbb\s*\{?E|Var|Cov|Std|P\s*\(", text):
        return False
    size = re.escape(found["size"])
    return re.search(rf"(?<![A-Za-z]){size}\$?\s*(?:→|->|\\to|\\rightarrow)\s*\+?(?:∞|\\infty|inf)", text) is not None


_SCALE = r"\$?\\?(?P<{}>[CTM]|β|λ|γ|τ|α|σ|ε|η|beta|lambda|gamma|tau|alpha|sigma|epsilon|eta)(?![A-Za-z_^({{])"
_ANY = (
    r"(?:(?:real|positive|single|fixed|given|finite|possible|large or small|value|choice|number|scale|factor|of)\s+)*"
)
_FIXED = re.compile(
    rf"\b(?:(?:for|with|at|over)\s+)?(?:all|every|each|any|arbitrary|whatever|fixed|finite|constant|bounded|moderate)\s+{_ANY}"
    + _SCALE.format("quantified")
    + r"|\b(?:regardless|irrespective|independent(?:ly)?) of (?:the )?(?:(?:value|size|scale|choice|factor) (?:of )?)?"
    + _SCALE.format("regardless")
    + r"|\bno matter (?:what|which|how (?:large|small|big))(?: the)?(?: (?:value|size|scale|factor)(?: of)?)? "
    + _SCALE.format("matter")
    + r"|\beven (?:for|if|when|with|though) (?:a )?(?:small|moderate|finite|fixed|tiny|bounded) "
    + _SCALE.format("small")
    + r"|\beven (?:for|if|when|with|though) "
    + _SCALE.format("unlike")
    + r"\$? (?:is|stays|remains) (?:not (?:very |so )?large|small|moderate|finite|fixed|bounded|tiny)"
    + r"|"
    + _SCALE.format("kept")
    + r"\$? (?:(?:is|stays|remains|being|are) )?(?:(?:held|kept) )?(?:fixed|finite|constant|bounded)\b",
)


def fixed_scales(text: str) -> tuple[str, ...]:
    """The letters for scales that a text calls fixed, or speaks of all of: in no limit do they go anywhere.

    >>> fixed_scales("For every C > 0, regardless of β, with T held fixed and λ → ∞")
    ('C', 'β', 'T')
    """
    plain = re.sub(r"\b[A-Z](?=[a-z])", lambda word: word[0].lower(), text)
    found = (next(name for name in one.groups() if name) for one in _FIXED.finditer(plain))
    return tuple(dict.fromkeys(found))
