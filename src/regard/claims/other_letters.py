"""Claims with other letters than a setting for the same things, and with letters that mean more than it says."""

from __future__ import annotations

import re
from dataclasses import replace

from regard.claims.meaning.recognition import redefinitions
from regard.claims.meaning.setting import Setting, find_setting
from regard.claims.syntax.grammar import parse
from regard.claims.syntax.printer import as_plain
from regard.claims.syntax.prose.information.model_letters import in_model_letters
from regard.claims.syntax.tree import Number, Symbol
from regard.claims.verdict.readings import check_in
from regard.claims.verdict.records import Verdict
from regard.errors import NotUnderstood

_PERPLEXITY, _NETWORK = "perplexity", "one-hidden-layer"
NEEDING_DISTRIBUTIONS = ("softmax-cross-entropy", _NETWORK)
"""Settings in which the target y sums to one."""
_BY_PARAMETER = re.compile(
    r"(?:∂|\\partial|d)\s*(?:J|L|\\mathcal\s*\{?L\}?)\s*\}?\s*(?:/|\{)\s*(?:∂|\\partial|d)\s*(?:[Wb]_?\{?[12₁₂]|[xhz](?![A-Za-z]))"
    r"|(?:∇|\\nabla)_\{?[Wb]_?\{?[12₁₂]"
)
_PARAMETER = re.compile(r"(?<![A-Za-z])[Wb]_?\{?[12₁₂]")
_WORDS = re.compile(r"(?<![\\A-Za-z_^{])[A-Za-z]{4,}(?![A-Za-z(_^{])")
_ANY_TARGET = re.compile(
    r"(?:any|arbitrary|general)\s+(?:real\s+|target\s+|label\s+|column\s+|row\s+)*vector\s+\$?y(?![A-Za-z])"
    r"|(?<![A-Za-z])y\$?\s+(?:is|be|denotes?)\s+(?:an?\s+)?(?:any|arbitrary|general)(?:\s+real)?\s+vector"
    r"|(?:any|arbitrary|all|every)\s+\$?y\s*(?:∈|\\in)\s*(?:R|ℝ|\\mathbb)"
    r"|need\s+not\s+(?:sum|add up)|not\s+necessarily\s+(?:sum|summing|a distribution)"
)
"""Words that say that y may be any vector."""


def known_letters(claim: str, named: Setting | None) -> tuple[str, Setting] | None:
    """The claim in the letters of a setting that knows what it is about; None where there is none."""
    if named is None or named.name == _PERPLEXITY:
        written = in_model_letters(claim)
        if written is not None:
            return written, find_setting(_PERPLEXITY)
    return (claim, find_setting(_NETWORK)) if named is None and _is_of_network(claim) else None


def _is_of_network(claim: str) -> bool:
    """Whether formulas differentiate the loss of a network whose parts they call as the setting does."""
    if not _BY_PARAMETER.search(claim) or not _PARAMETER.search(claim) or len(_WORDS.findall(claim)) > 1:
        return False
    setting = find_setting(_NETWORK)
    try:
        own = redefinitions(setting, parse(claim))
    except NotUnderstood:
        return False
    own = tuple(one for one in own if not isinstance(one.right, Symbol | Number))  # ŷ = y is a condition
    return all(check_in(as_plain(one), setting, None).is_true for one in own)


def with_any_target(claim: str) -> str | None:
    """The claim with another letter for a target of which it says that it may be any vector; else None.

    >>> with_any_target("If y is any vector, then sum(y) = 1 and ŷ = y.")
    'If w is any vector, then sum(w) = 1 and ŷ = w.'
    """
    if not _ANY_TARGET.search(claim) or re.search(r"(?<![A-Za-z\\])w(?![A-Za-z])", claim):
        return None
    return re.sub(r"(?<![A-Za-z\\])(?<!hat )(?<!hat\{)y(?![A-Za-z\u0302])", "w", claim)


def doubt_target(found: Verdict) -> Verdict:
    """What holds of targets that sum to one is left open where the claim says that y may be any vector."""
    reason = f"the target sums to one in {found.setting}, and the claim is about any vector: {found.reason}"
    return replace(found, verdict="not-understood", reason=reason)
