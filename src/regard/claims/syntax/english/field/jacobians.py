"""What is said of the Jacobian of softmax: that it is singular, symmetric, or that its rows sum to zero.

The Jacobian of the softmax is invertible        det(diag(softmax(z)) − softmax(z) softmax(z)ᵀ) ≠ 0
"""

from __future__ import annotations

import re
from collections.abc import Callable

JACOBIAN = "(diag(softmax(z)) - softmax(z) softmax(z)^T)"
_THING = re.compile(
    r"(?:the )?softmax(?:'s|’s)? Jacobian(?: matrix)?|(?:the )?Jacobian(?: matrix)? of (?:the "
    r")?softmax(?: function)?(?!\s*[({])(?: at (?:any )?z)?"
)
_NAMED = re.compile(r" \$?J\$?\s*=\s*\$?(?P<body>diag\([^)]*\)[^,;.$]*?)\$?(?= (?:is|has)\s)")
_PROPERTIES: tuple[tuple[str, str], ...] = (
    (r"(?:is )?(?:always )?symmetric(?: matrix)?", "{0} = {0}^T"),
    (r"(?:is )?(?:always )?(?:positive[-\s]semi-?definite|PSD)", "u^T {0} u >= 0"),
    (r"(?:is )?(?:always )?(?:strictly )?positive[-\s]definite", "u^T {0} u > 0 if u ≠ 0"),
    (
        r"(?:is )?(?:always )?(?:invertible|nonsingular|non-singular|of full rank)|has full rank",
        "det({0}) ≠ 0",
    ),
    (r"(?:is )?(?:always )?(?:singular|not invertible|never invertible)", "det({0}) = 0"),
    (r"(?:has|is of) rank (?:exactly )?(?P<x>[n\d](?:\s*[-−]\s*\d)?)(?![A-Za-z])", "rank({0}) = {x}"),
    (r"(?:has )?(?:the )?trace (?:is |equals )?(?P<x>[^,;]+)", "tr({0}) = {x}"),
    (r"J\s*·?\s*1\s*=\s*(?:0|zero)", "{0} 1 = 0"),
)
_SUMS = re.compile(
    r"^(?:each|every|all(?: the)?|the) (?:of the )?(?P<line>rows?|columns?) of (?P<thing>.+?) sums? (?:up "
    r")?to (?P<x>zero|one|0|1)\s*\.?\s*$"
)


def write_jacobians(text: str) -> str:
    """What is said of the Jacobian of softmax, with the Jacobian in full.

    >>> write_jacobians("the softmax Jacobian is singular")
    'det((diag(softmax(z)) - softmax(z) softmax(z)^T)) = 0'
    """
    sums = _SUMS.match(text)
    if sums is not None and _THING.fullmatch(sums["thing"]):
        value = {"zero": "0", "one": "1"}.get(sums["x"], sums["x"])
        side = f"{JACOBIAN} 1" if sums["line"].startswith("row") else f"{JACOBIAN}^T 1"
        return f"({side})_i = {value}"
    found = _THING.match(text)
    if found is None:
        return text
    rest, extra = text[found.end() :], ""
    named = _NAMED.match(rest)
    if named is not None:
        rest, extra = rest[named.end() :], f"; ∂p/∂z = {named['body']}"
    parts = [part.strip() for part in re.split(r",\s*(?:and )?| and | but ", rest.strip().rstrip("."))]
    claims = []
    for part in parts:
        match = next(
            ((re.fullmatch(words, part), form) for words, form in _PROPERTIES if re.fullmatch(words, part)), None
        )
        if match is None or match[0] is None:
            return text
        claims.append(match[1].format(JACOBIAN, **{k: v for k, v in match[0].groupdict().items() if v}))
    if not claims:
        return text
    return "; ".join(claims) if not extra else f"let p = softmax(z). Then {extra.strip('; ')}; {'; '.join(claims)}"


REWRITERS: tuple[Callable[[str], str], ...] = (write_jacobians,)
