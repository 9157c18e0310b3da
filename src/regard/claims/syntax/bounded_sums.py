"""Sums over an index of which a text says how far it goes: Σ_t with t = 1, …, M is a sum up to M."""

from __future__ import annotations

import re

_RANGE = re.compile(
    r"(?<![A-Za-z\\])(?P<index>[a-z])\s*=\s*1\s*,\s*(?:2\s*,\s*)?(?:…|\.\.\.?|\\[lc]?dots)\s*,\s*(?P<last>[A-MO-Zm])(?![A-Za-z])"
)
_SUBSCRIPTS = {"t": "ₜ", "i": "ᵢ", "j": "ⱼ", "k": "ₖ"}


def with_bounds(text: str) -> str:
    """The text with the bound of an index at each of its sums that has none.

    >>> with_bounds("Let x_t > 0 for t = 1, …, M. Then Σ_t x_t > 0")
    'Let x_t > 0 for t = 1, …, M. Then \\\\sum_{t=1}^{M} x_t > 0'
    """
    found = _RANGE.search(text)
    if found is None:
        return text
    index = found["index"]
    small = f"|{_SUBSCRIPTS[index]}" if index in _SUBSCRIPTS else ""
    bare = re.compile(
        rf"(?P<sign>Σ|∑|\\sum|∏|\\prod)\s*(?:_\s*\{{?{index}\}}?(?![A-Za-z=])(?!\s*[\^=])(?:\s*\}})?{small})"
    )

    def put(sum_: re.Match[str]) -> str:
        sign = "\\prod" if sum_["sign"] in ("∏", "\\prod") else "\\sum"
        return f"{sign}_{{{index}=1}}^{{{found['last']}}}"

    return bare.sub(put, text)
