"""Sums whose bounds a text says elsewhere: Σ_t s_t, for t = 1, …, M."""

from __future__ import annotations

import re

_INDEX = r"[ijkt]"
_DOTS = r"(?:,|\s|…|\.\.\.?|\\[lc]?dots)+"
_UNBOUNDED = r"(?P<sign>Σ|∑|\\sum|∏|\\prod)\s*(?:_\{{?{index}\}}?|{small})(?!\s*\^|\s*=)"
_SMALL = {"i": "ᵢ", "j": "ⱼ", "t": "ₜ", "k": "ₖ"}
_SAID = re.compile(rf"(?<![A-Za-z_{{])(?P<index>{_INDEX})\s*=\s*1{_DOTS}(?P<count>[A-Z])(?![A-Za-z])")


def with_bounds(text: str) -> str:
    """Sums over t from 1 to M, where a text says once that t = 1, …, M, and M is nothing else.

    >>> with_bounds("Let s_t = 2 p_t for t = 1, …, M. Then (1/M) Σ_t s_t ≤ 2")
    'Let s_t = 2 p_t for t = 1, …, M. Then (1/M) Σ_{t=1}^M s_t ≤ 2'
    """
    said = {(one["index"], one["count"]) for one in _SAID.finditer(text)}
    if len(said) != 1:
        return text
    ((index, count),) = said
    pattern = _UNBOUNDED.format(index=index, small=_SMALL[index])
    return re.sub(pattern, lambda found: f"{found['sign']}_{{{index}=1}}^{count}", text)
