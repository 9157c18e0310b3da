"""Limits and cases in words: for large C, near x = 0, and the error vanishes, otherwise, p is uniform.

c ≈ v_a for large C                                       c ≈ v_a as C → ∞
σ(x) ≈ 1/2 + x/4 near x = 0                               … as x → 0
c ≈ v_a when β is large, and the error vanishes as β → ∞  c ≈ v_a as β → ∞
"""

from __future__ import annotations

import re
from collections.abc import Callable

from regard.claims.syntax.english.patterns import SYMBOL, phrase

_LETTER = r"(?P<letter>\$?(?:\\[A-Za-z]+|[A-Za-zα-ωΑ-Ω])\$?)"
_OTHER = _LETTER.replace("letter", "other")
_VERY = r"(?:very |sufficiently |arbitrarily )?"
_LARGE = r"(?:large|big|high)"
_SMALL = r"(?:small|tiny|low|close to (?:0|zero)|near (?:0|zero))"
_STOP = r"(?=\s*(?:[.;,:)]|$)| (?:we|the|and|then|with|if)\b)"


def state_limits(text: str) -> str:
    """The text with a limit for `large` and `small` letters, where something is said to be approximately so.

    >>> state_limits("c ≈ v_a for large C")
    'c ≈ v_a as C → ∞'
    >>> state_limits("sigmoid(x) ≈ 1/2 + x/4 near x = 0")
    'sigmoid(x) ≈ 1/2 + x/4 as x → 0'
    """
    text = _ERROR_VANISHES.sub(r" \g<limit>", text)
    text = _NEAR.sub("" if _LIMIT.search(text) else r" as \g<letter> → \g<value>", text)
    if not _APPROXIMATION.search(text):
        return text
    has_limit = _LIMIT.search(text)
    for pattern, goal in ((_FOR_LARGE, "∞"), (_FOR_SMALL, "0")):
        for found in reversed(list(pattern.finditer(text))):
            limit = "" if has_limit else f" as {found['letter'] or found['other']} → {goal}"
            text = text[: found.start()] + limit + text[found.end() :]
    return text


_APPROXIMATION = re.compile(r"≈|\\approx|~=|approximately")
_LIMIT = phrase(r"\bas \$?\S+\$?\s*(?:→|->|\\to)")
_NEAR = phrase(
    rf"\s*,? (?:near|around|close to|in the neighbou?rhood of) {_LETTER}\s*=\s*(?P<value>-?\d+|\S+?)(?=[\s,;.]|$)"
)
_FOR_LARGE = phrase(
    rf"(?:\s*,)? (?:for|with) (?:a )?{_VERY}{_LARGE}(?: enough)? {_LETTER}{_STOP}"
    rf"|(?:\s*,)? (?:when|if|once|provided) {_OTHER} is {_VERY}{_LARGE}(?: enough)?{_STOP}"
)
_FOR_SMALL = phrase(
    rf"(?:\s*,)? (?:for|with) (?:a )?{_VERY}{_SMALL} {_LETTER}{_STOP}"
    rf"|(?:\s*,)? (?:when|if|once|provided) {_OTHER} is {_VERY}{_SMALL}(?: enough)?{_STOP}"
)
_GAP = (
    r"(?:the|this|its|an?) (?:\w+ )?(?:error|difference|gap|approximation|discrepancy|ratio)(?: (?:of this|"
    r"of the two sides|"
    r"of this approximation|in this|between the two sides|that is O\([^)]*\)))?"
)
_TO = r"to (?:0|zero|1|one)"
_VANISHES = (
    rf"(?:vanishes|vanishing|disappears|goes {_TO}|going {_TO}|tends {_TO}|tending {_TO}|becomes exact|is exact|"
    rf"becoming exact|"
    r"becomes negligible)"
)
_ERROR_VANISHES = phrase(
    r"(?<=\S)(?: (?:when|for|once) [^,;.]*?(?:large|small)[^,;.]*)?\s*,?\s*;? (?:(?:and|with|where|the) )?"
    rf"(?:(?:{_GAP}|(?:and )?this) {_VANISHES}|an? error that is O\([^)]*\)) (?:in the limit )?"
    rf"(?P<limit>as {SYMBOL}\s*(?:→|->|\\to|\\rightarrow)\s*\$?\S+)"
)


def drop_adverbs(text: str) -> str:
    """The text without adverbs that add nothing to `is` and `lies`.

    >>> drop_adverbs("the weight is always just 1/n, no matter what the query is")
    'the weight is 1/n'
    """
    return _ADVERB.sub(r"\g<verb>", _WHATEVER.sub("", text))


_ADVERB = phrase(
    r"(?P<verb>\b(?:is|are|lies|has|equals)\b)(?: (?:always|just|simply|exactly|precisely|actually|automatically|"
    r"necessarily|"
    r"indeed|again|therefore|thus))+(?=\s)(?! one\b)"
)
_INPUT = r"(?:query|keys|values|logits|scores|temperature|input)"
_WHATEVER = phrase(
    r"\s*,? (?:no matter (?:what|how large) (?:the )?\S+(?: vector)? (?:is|are)|whatever (?:the )?\S+ (?:is|are|may be)"
    rf"|whatever the {_INPUT}|regardless of (?:the )?{_INPUT}|for a given query|on any text)(?=\s*(?:[.,;]|$))"
)


def state_existence(text: str) -> str:
    """The text with `such that` for the `with` after `there is`.

    >>> state_existence("For every q there is an i with α_i ≥ 1/n")
    'For every q there is an i such that α_i ≥ 1/n'
    """
    return _EXISTS.sub(r"\g<there> such that ", text)


_EXISTS = phrase(
    rf"(?P<there>there (?:is|exists|are|exist) (?:always )?(?:an?|some|at least one) (?:\w+ )?{SYMBOL}) (?:with|"
    rf"for which) "
)


def state_uniform(text: str) -> str:
    """The text with p_i = 1/n for `p is uniform`.

    >>> state_uniform("KL(p‖u) = log n − H(p), where u is the uniform distribution")
    'KL(p‖u) = log n − H(p), where u_i = 1/n'
    """
    text = _IS_UNIFORM.sub(r"\g<letter>_i = 1/n", text)
    return _TO_UNIFORM.sub(" → 1/n", text).replace("$_i = 1/n", "_i$ = 1/n")


_UNIFORM = r"uniform(?: distribution| vector)?(?![a-z-])"
_IS_UNIFORM = phrase(rf"(?P<letter>{SYMBOL}) (?:is|=|being|denotes) (?:the |a )?{_UNIFORM}")
_TO_UNIFORM = phrase(rf"(?<=\)) (?:→|tends to|goes to|converges to|approaches|becomes) (?:the )?{_UNIFORM}")


def state_otherwise(text: str) -> str:
    """The text with the other case for `otherwise`.

    >>> state_otherwise("If j = k then A = 1, otherwise A = 2")
    'A = 1 for j = k, A = 2 for j ≠ k'
    """
    return _OTHERWISE.sub(r"\g<first> for \g<one> = \g<two>, \g<other> for \g<one> ≠ \g<two>", text)


_OTHERWISE = phrase(
    r"[Ii]f (?P<one>\w)\s*=\s*(?P<two>\w)\s*,? then (?P<first>[^,;.]+)[,;]\s*(?:and )?(?:otherwise|else|if not,?) "
    r"(?P<other>[^,;]+?)(?=[.;]|$)"
)


def name_variants(text: str) -> str:
    """The text with q̃ for q_ε where the claim defines q_ε: a Greek subscript is a name, no place.

    >>> name_variants("Let q_ε = (1−ε)p + εu. Then KL(p‖q_ε) → 0")
    'Let \\\\tilde{q} = (1−ε)p + εu. Then KL(p‖\\\\tilde{q}) → 0'
    """
    for found in _VARIANT.finditer(text):
        text = text.replace(f"{found['letter']}_{found['mark']}", f"\\tilde{{{found['letter']}}}")
    return text


_VARIANT = re.compile(
    r"(?<![A-Za-z\\])(?P<letter>[a-zA-Z])_(?P<mark>ε|θ|λ|η|\{?\\(?:epsilon|varepsilon|theta|lambda|eta)\}?)\s*="
)

REWRITERS: tuple[Callable[[str], str], ...] = (
    state_limits,
    drop_adverbs,
    state_existence,
    state_uniform,
    state_otherwise,
    name_variants,
)
