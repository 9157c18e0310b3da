"""How good an approximation is said to be: its order, or its relative error."""

from __future__ import annotations

import re
from collections.abc import Callable

_APPROXIMATE = re.compile(
    r"^(?P<lead>(?:.*?(?:[;:.]|\b[Tt]hen|,) )?)(?P<left>[^,;:]+?)\s*(?:≈|\\approx|is (?:about|"
    r"approximately|roughly|close to))\s*(?P<right>[^,;]+?)"
    r"(?: (?:near \w+\s*=\s*0|(?:when|if|for|once) \S+ (?:is )?(?:large|small)|for (?:large|small) \S+))?,? "
    r"(?:and (?:the )?(?:(?P<relative>relative )(?:error|difference|gap)|difference)(?: (?:of this|between them))? "
    r"(?:vanishes|(?:goes|tends|converges) to (?:zero|0))"
    r"|with an error (?:that is |which is |of (?:order )?)?O\((?P<letter>[a-zε])\^\{?(?P<power>\d)\}?\)) "
    r"(?P<limit>as [^,;]+?)\s*\.?\s*$"
)


def write_approximations(text: str) -> str:
    """`X ≈ Y, and the difference vanishes as β → ∞` as X − Y → 0; an error O(x³) as (X − Y)/x² → 0.

    >>> write_approximations("sigmoid(x) ≈ 1/2 + x/4 near x = 0, with an error that is O(x^3) as x → 0")
    '(sigmoid(x) - (1/2 + x/4)) / x^2 → 0 as x → 0'
    """
    found = _APPROXIMATE.match(text)
    if found is None:
        return text
    left, right, limit, lead = (found[name].strip() for name in ("left", "right", "limit", "lead"))
    lead = f"{lead} " if lead else ""
    if found["power"]:
        return f"{lead}({left} - ({right})) / {found['letter']}^{int(found['power']) - 1} → 0 {limit}"
    return f"{lead}{left} / ({right}) → 1 {limit}" if found["relative"] else f"{lead}{left} - ({right}) → 0 {limit}"


_ZERO_ONLY = re.compile(
    r"^(?P<thing>(?:[^,;=<>≤≥()]|\([^()]*\))+?) (?:is (?:never negative|always non-?negative|"
    r"non-?negative)|(?:≥|>=) 0),? and (?:it )?"
    r"(?:is|equals|=)(?: exactly)? (?:zero|0) (?P<how>only if|only when|iff|if and only if|exactly "
    r"(?:when|if)|precisely (?:when|if)) "
    r"(?P<when>.+?)\s*\.?\s*$"
)


def state_least(text: str) -> str:
    """`X is never negative and is zero only if C` as X ≥ 0, and C where X = 0.

    >>> state_least("KL(p‖q) is never negative and is zero only if p = q.")
    'KL(p‖q) ≥ 0; if KL(p‖q) = 0 then p = q'
    """
    found = _ZERO_ONLY.match(text)
    if found is None:
        return text
    thing, when = found["thing"], found["when"]
    if found["how"].startswith("only"):
        return f"{thing} ≥ 0; if {thing} = 0 then {when}"
    return f"{thing} ≥ 0; {thing} = 0 iff {when}"


REWRITERS: tuple[Callable[[str], str], ...] = (write_approximations, state_least)
