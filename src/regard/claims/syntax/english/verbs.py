"""Verbs and numbers in words: cannot exceed, is bounded below by, vanishes, coincides with, one half.

σ'(x) never exceeds one quarter            σ'(x) ≤ 1/4
KL(p‖q) vanishes as ε → 0                  KL(p‖q) → 0 as ε → 0
∂p_i/∂z_j < 0 iff i ≠ j                    … < 0 for i ≠ j, … ≥ 0 for i = j
"""

from __future__ import annotations

import re
from collections.abc import Callable

from regard.claims.syntax.english.patterns import SYMBOL, WORD, phrase

_LARGER = r"(?:larger|greater|bigger|more|higher)"
_SMALLER = r"(?:smaller|less|lower|fewer)"
_NEVER = r"(?:is|are) never|can never be|cannot be|can't be|can not be|could never be"
_VERBS: tuple[tuple[str, str], ...] = (
    (
        rf"(?:is|are) (?:upper[- ])?bounded(?: from)? above by|(?:is|are) upper[- ]bounded by|(?:is|are) bounded by|"
        rf"cannot exceed|can never exceed|never exceeds?|do(?:es)? not exceed|(?:{_NEVER}) {_LARGER} than|"
        r"can be at most|(?:is|are) always at most",
        "≤",
    ),
    (
        rf"(?:is|are) bounded(?: from)? below by|(?:is|are) lower[- ]bounded by|(?:{_NEVER}) {_SMALLER} than|"
        r"never falls? below|(?:is|are) always at least",
        "≥",
    ),
    (rf"(?:strictly )?exceeds|(?:is|are) (?:always |strictly )+{_LARGER} than", ">"),
    (rf"(?:is|are) (?:always |strictly )+{_SMALLER} than|stays? below", "<"),
    (
        r"coincides? with|(?:is|are) the same as|(?:is|are) identical to|amounts? to|reduces? to|simplif(?:ies|y) to|"
        r"boils? down to|works out to|comes out as|(?:is|are) given by|(?:is|are) exactly equal to",
        "=",
    ),
    (r"differs? from|(?:is|are) different from", "≠"),
    (r"vanishes(?= as | when | for )|decays to (?:0|zero)|shrinks to (?:0|zero)|dies out(?= as )", "→ 0"),
    (r"diverges(?: to (?:infinity|∞))?(?= as )|blows up(?= as )|grows without bound(?= as )", "→ ∞"),
    (r"(?:tends|goes|grows|converges) to (?:\+ ?)?infinity", "→ ∞"),
    (r"decreases to|increases to|shrinks to|grows to|settles at|gets close to", "→"),
)
_COMPILED = tuple((phrase(rf"(?<=[\w)\]}}|‖²'′$]) (?:{words})(?=\s)"), sign) for words, sign in _VERBS)


def write_verbs(text: str) -> str:
    """The text with a sign for each verb that stands for one.

    >>> write_verbs("σ'(x) never exceeds 1/4")
    "σ'(x) ≤ 1/4"
    """
    for pattern, sign in _COMPILED:
        text = pattern.sub(f" {sign}", text)
    return text


def write_numbers(text: str) -> str:
    """The text with figures for fractions in words.

    >>> write_numbers("it is at most one quarter, not two thirds")
    'it is at most 1/4, not 2/3'
    """
    for pattern, figure in _NUMBERS:
        text = pattern.sub(figure, text)
    return text


_NUMBERS = tuple(
    (phrase(rf"(?<![A-Za-z\\]){words}(?![A-Za-z-])"), figure)
    for words, figure in (
        (r"(?:one|a)[- ]half", "1/2"),
        (r"(?:one|a)[- ]third", "1/3"),
        (r"two[- ]thirds", "2/3"),
        (r"(?:one|a)[- ](?:quarter|fourth)", "1/4"),
        (r"three[- ]quarters", "3/4"),
        (r"(?<=[=≤≥<>→≈]\s)zero", "0"),
        (r"(?<=[=≤≥<>→≈]\s)one", "1"),
        (r"(?<=[=≤≥<>→≈]\s)two", "2"),
        (r"(?<=[=≤≥<>→≈]\s)infinity", "∞"),
    )
)


def state_cases(text: str) -> str:
    """The text with both cases for what holds iff two indices are equal, or are not.

    >>> state_cases("For p = softmax(z): ∂p_i/∂z_j < 0 iff i ≠ j.")
    'For p = softmax(z): ∂p_i/∂z_j < 0 for i ≠ j, ∂p_i/∂z_j ≥ 0 for i = j.'
    """
    return _IFF_INDEX.sub(_both_cases, text)


_OPPOSITE = {"<": "≥", ">": "≤", "≤": ">", "≥": "<", "=": "≠", "≠": "="}
_IFF_INDEX = phrase(
    r"(?P<left>[^\s,;:]+(?: [^\s,;:A-Za-z]+)*?)\s*(?P<sign>[<>≤≥=≠])\s*(?P<right>[^\s,;:]+) (?:iff|if and only if|"
    r"exactly when) "
    r"(?P<one>[ijkl])\s*(?P<same>=|≠)\s*(?P<two>[ijkl])(?=\s*[.;,]|\s*$)"
)


def _both_cases(found: re.Match[str]) -> str:
    left, sign, right, one, same, two = found.group("left", "sign", "right", "one", "same", "two")
    here = f"{left} {sign} {right} for {one} {same} {two}"
    return f"{here}, {left} {_OPPOSITE[sign]} {right} for {one} {_OPPOSITE[same]} {two}"


def drop_subjects(text: str) -> str:
    """The text without a subject in words before `satisfies` and a formula that says the same.

    >>> drop_subjects("The entropy of a distribution satisfies H(p) ≤ log n")
    'H(p) ≤ log n'
    """
    text = _KIND_OF_DISTRIBUTION.sub("", text)
    return _SUBJECT.sub(lambda found: found[0] if _PROPERTY.search(found["subject"]) else "", text)


_KIND_OF_DISTRIBUTION = phrase(
    r"\b(?:target|true|model|predicted|empirical|data|discrete|finite|categorical|label|output|predictive) "
    r"(?=(?:probability )?distributions?\b)"
)
_SUBJECT = phrase(
    rf"^(?P<subject>(?:The|Any|Every|A|An|Each)(?: (?:{WORD}|{SYMBOL})){{1,8}}?) (?:always )?(?:satisf(?:ies|y)|"
    rf"obeys?|fulfils?) "
    r"(?=[^.;]*[=<>≤≥≈→])"
)
_PROPERTY = re.compile(
    r"symmetric|orthogonal|orthonormal|positive|negative|unit|definite|invertible|singular|diagonal|projection|normal|"
    r"gaussian|random|independent|uniform|one-hot|idempotent|stochastic|square|zero",
    re.IGNORECASE,
)

REWRITERS: tuple[Callable[[str], str], ...] = (write_verbs, write_numbers, state_cases, drop_subjects)
