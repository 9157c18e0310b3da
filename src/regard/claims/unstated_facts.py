"""What everybody takes for granted of letters, and a claim does not say: P is a projection, the μ_i are orthonormal.

A claim that fails without it, and is true with it, is left open: nobody is told that tr(P) = rank(P) is false.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from regard.claims.verdict.records import Verdict

_MATRIX = r"(?<![A-Za-z\\])[AB](?:\s*[AB])?\s*(?:\^\s*\{?\s*(?:T|\\top)|ᵀ|⊤)"
_MEANS = r"ortho|δ|\\delta|‖\s*μ|\\\|\s*\\mu|\b(?:arbitrary|any) (?:means|μ)"
FACTS: tuple[tuple[str, str, str], ...] = (
    (r"(?<![A-Za-z\\])P(?![A-Za-z(_])", "P is a projection", "P is an orthogonal projection"),
    (r"(?:μ|\\mu|\bmu)_", "μ_i orthonormal", "the μ_i are orthonormal"),
    (_MATRIX, "A ∈ R^{d×m}. Let A^T A = I", "the columns of A are orthonormal"),
    (_MATRIX, "A^T A = I. Let B^T B = I. Let A^T B = 0", "A and B are orthonormal bases of orthogonal subspaces"),
)
"""Where a letter stands, what is usually given of it in signs, and in words."""
_STATED = re.compile(
    r"\b(?:if|let|when|whenever|for|with|given|suppose|assume|assuming|where|unless|provided|take|any|every|all|each|"
    r"arbitrary|general|always|never|iff|only|full (?:column |row )?rank|invertible)\b"
    r"|⇒|⟹|=>|\\implies|\\Rightarrow|∀|\\forall|∈|\\in\b",
    re.IGNORECASE,
)
"""Words by which a claim says itself under which conditions it is made, or that it is made without any."""


_OTHER = re.compile(r"[~∼<>≤≥≠]|\\(?:sim|leq?|geq?|neq?)(?![a-z])")
"""A law, of which all is said, and inequalities, which fail of every matrix but few."""


def doubt_unstated(found: Verdict, check_again: Callable[[str], Verdict]) -> Verdict:
    """The verdict, or `undecided` where a claim that fails is true with what is usually given of its letters."""
    if found.verdict != "fails" or _OTHER.search(found.claim):
        return found
    for place, signs, words in FACTS:
        is_stated = re.search(_MEANS, found.claim) if "μ" in signs else _STATED.search(found.claim)
        if is_stated or not re.search(place, found.claim):
            continue
        other = check_again(f"Let {signs}. {found.claim}")
        if other.is_true:
            reason = f"it is true where {words}, which the claim does not say; without that, {found.reason}"
            return replace(found, verdict="undecided", reason=reason, counterexample=None, where=None, nearest=None)
    return found


_OUTPUTS = re.compile(r"(?<![A-Za-z\\])c(?:_\{?(?P<number>[12])\}?|(?P<low>[₁₂]))")
_MOMENTS = re.compile(
    r"\\?\b(?:Var|Cov|E|Std|Corr|variances?|covariances?|expectations?|means?|deviations?)\b|𝔼|\\mathbb\{E\}"
)
_OTHER_LETTERS = re.compile(r"(?<![A-Za-z\\])(?:[kvqμXYCg]|\\mu|alpha|α)(?![A-Za-z])")
_ALIKE = re.compile(r"\b(?:identical|same|equal|alike|both)\b")
"""Words by which the two have more in common than a pair of any random numbers."""
_INDEPENDENCE = re.compile(r"independent|⊥|⫫|\\perp|uncorrelated|iid|i\.i\.d")


def outputs_as_variables(claim: str) -> str | None:
    """A claim about means and variances of two outputs c_1 and c_2, as one about any random numbers X and Y.

    >>> outputs_as_variables("Var(c_1 + c_2) = Var(c_1) + Var(c_2) if c_1 and c_2 are independent")
    'Var(X + Y) = Var(X) + Var(Y) if X and Y are independent'
    """
    found = {one["number"] or "₀₁₂".index(one["low"]) for one in _OUTPUTS.finditer(claim)}
    is_of_moments = _MOMENTS.search(claim) and _INDEPENDENCE.search(claim)
    if len(found) != 2 or not is_of_moments or _OTHER_LETTERS.search(claim) or _ALIKE.search(claim):
        return None
    return _OUTPUTS.sub(lambda one: "X" if one["number"] == "1" or one["low"] == "₁" else "Y", claim)
