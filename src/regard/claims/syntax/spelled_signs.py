"""Signs that are typed as words: A in R^(d x m) is A ∈ R^{d×m}; (i, j = 1..n) says nothing that indices do not say."""

from __future__ import annotations

import re

_IN = re.compile(r"(?<![A-Za-z\\])(?P<name>\\?[A-Za-zα-ω](?:_\{?\w+\}?)?) in (?=RR?(?:\^|\b))")
_SIZES = re.compile(r"(?<=R\^)\((?P<rows>\w+) ?(?:x|×|\*) ?(?P<columns>\w+)\)")
_WHOLE_RANGE = re.compile(
    r",?\s*\((?:for )?[a-z](?:\s*,\s*[a-z])?\s*=\s*1\s*(?:\.\.\.?|,\s*(?:…|\.\.\.?|\\[lc]?dots)\s*,)\s*n\)"
)


def with_signs(text: str) -> str:
    """The text with ∈ for the word, and without a range of indices that is all of them.

    >>> with_signs("A in R^(d x m), k_i^T k_j = δ_ij (i, j = 1..n)")
    'A ∈ R^{d×m}, k_i^T k_j = δ_ij'
    """
    text = _SIZES.sub(lambda found: f"{{{found['rows']}×{found['columns']}}}", _IN.sub(r"\g<name> ∈ ", text))
    return _WHOLE_RANGE.sub("", text)
