"""Quantities and conditions that are named in words, put as formulas where they stand: x has mean 0.

Each formula takes the place of its words and is padded to their length, so that places in the text stay where they
were. What has no room for its formula is left as it is, and is then not understood.
"""

from __future__ import annotations

import re

from regard.claims.syntax.sentence.padding import blank, pad_if_room, write_over

_KEY_WIDTH = re.compile(r"(?<![A-Za-z\\])d_(?:k(?![A-Za-z])|\{k\})")
_OTHER_WIDTH = re.compile(r"(?<![A-Za-z\\.])d(?:_\{?(?:v|q|h|m|\\text|\\mathrm)|(?![A-Za-z_/]))")
"""d_k is the width d, unless the claim has a d or another width besides."""
_KEYS_ARE = re.compile(
    r"(?:the\s+)?keys?(?:\s+(?:k_i|k_j|\$k_i\$))?\s+(?:(?:are|be|is)\s+)?(?:all\s+)?(?:mutually\s+)?orthonormal(?!\s+(?:to|col))"
    r"|(?:the\s+)?orthonormal\s+keys(?:\s+(?:k_i|\$k_i\$))?"
)
_GROWS = re.compile(
    r"(?P<letter>(?<![A-Za-z\\])[A-Za-zα-ω]|\\[a-z]+)(?P<end>\$?)\s+(?:grows|increases|gets\s+large|becomes\s+large|becomes\s+very\s+large)"
    r"(?:\s+(?:without\s+bound|large|to\s+infinity|arbitrarily\s+large))?(?![a-z])"
)
_HAS_MEAN = re.compile(
    r"(?:(?<=^)|(?<=[,;:.⇒]))(?P<lead>\s*(?:(?:[Tt]hen|[Ss]o|[Hh]ence|[Tt]hus|that)\s+)?)(?P<of>[^,;:=<>≤≥⇒~]+?)\s+has\s+"
    r"(?:zero\s+mean|mean\s+(?P<mean>[^\s,;]+?))(?:\s+and\s+variance\s+(?P<variance>[^\s,;]+?))?(?=\s*(?:[,;]|\.?\s*$|\.\s))"
)
_WORD = re.compile(r"(?<![\\A-Za-z])(?!softmax|sigmoid|tanh)[A-Za-z]{4,}")
_PRODUCT_NOUN = re.compile(r"(?:[Tt]he\s+)?(?:dot|inner|scalar)\s+product\s+(?=\$?[A-Za-z]\w?\s*(?:·|⋅|\\cdot|\^))")
_IN_EXPECTATION = re.compile(
    r"(?:[Ii]n\s+expectation|[Oo]n\s+average),?\s+(?P<left>[^=≈≤≥<>,;⇒]+?)\s+(?P<sign>=|≈)(?=\s)"
)
_EVENT = r"(?P<event>[^,;:=⇒]+?[<>≤≥][^,;:=⇒]+?)"
_PROBABILITY = r"(?P<share>[^\s,;]+)"
_CHANCE_FIRST = re.compile(
    rf"[Ww]ith\s+probability\s+{_PROBABILITY},?\s+(?:we\s+have\s+)?{_EVENT}(?=\s+(?:if|when|where|for|with|given)\s|[,;]|\.?\s*$)"
)
_CHANCE_LAST = re.compile(
    rf"(?:(?<=^)|(?<=⇒)|(?<=then)|(?<=[,;:]))\s*{_EVENT}\s+with\s+probability\s+(?:exactly\s+)?{_PROBABILITY}(?=[\s,;.]|$)"
)
_INDEPENDENT_OF = re.compile(
    r",?\s*(?:(?:is|are|be|and|which\s+is)\s+)*independent\s+of\s+(?=\$?(?:[A-Za-zα-ω]|\\[a-z]+)(?:_\w)?\s*(?:~|∼|\\sim))"
)


def write_quantities(text: str) -> str:
    """The text with quantities and conditions in words put as formulas of their length.

    >>> write_quantities("so q^T k has mean 0 and variance d")
    '        so E[q^T k]=0,Var[q^T k]=d'
    """
    if not _OTHER_WIDTH.search(text):
        text = write_over(_KEY_WIDTH, "d", text)
    text = _KEYS_ARE.sub(lambda found: pad_if_room("K K^T = I", found), text)
    text = _GROWS.sub(lambda found: pad_if_room(f"{found['letter']} → ∞{found['end']}", found), text)
    text = blank(_PRODUCT_NOUN, text)
    text = _INDEPENDENT_OF.sub(lambda found: pad_if_room("and ", found), text)
    text = _HAS_MEAN.sub(_as_moments, text)
    text = _IN_EXPECTATION.sub(lambda found: pad_if_room(f"E[{found['left']}] {found['sign']}", found), text)
    for pattern in (_CHANCE_FIRST, _CHANCE_LAST):
        text = pattern.sub(lambda found: pad_if_room(f" P({found['event'].strip()}) = {found['share']}", found), text)
    return text


def _as_moments(found: re.Match[str]) -> str:
    """`qᵀk has mean 0 and variance d` as E[qᵀk] = 0, Var[qᵀk] = d; of a letter alone it is its law."""
    of = re.sub(r"^(?:[A-Za-z]{3,}\s+)+", "", found["of"].strip())  # the score qᵀk
    if len(of) == 1 or _WORD.search(of):
        return found[0]
    formula = f"{found['lead']}E[{of}]={found['mean'] or 0}"
    if found["variance"] is not None:
        formula += f",Var[{of}]={found['variance']}"
    return pad_if_room(formula, found)
