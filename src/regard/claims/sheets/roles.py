"""What a formula is there for in its sentence: an answer or the reason for one, a definition, a condition, a demand.

The last of these words before the formula decides, within its sentence and after the formula before it; formulas that
follow one another with nothing but a comma or "and" between them share their role. Without such a word it is an answer,
unless it looks like a condition (i ≠ j, C ≫ 0, x ∈ ℝᵈ, ε ∼ N(0, 1)) or defines by := or ≡. "So c > 0" is an answer.

    definition    let, define, denote, write, call, where
    given         if, when, suppose, assume, given, provided, for, with, under, as long as
    requirement   need, want, require, must, should, goal, find, such that
    reason        since, because, as, recall
    answer        then, so, thus, hence, therefore, get, choose, take, use
"""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

Role: TypeAlias = Literal["answer", "reason", "definition", "given", "requirement"]

CUES: dict[Role, tuple[str, ...]] = {
    "definition": ("let", "define", "defined", "denote", "denotes", "denoted", "write", "call", "where"),
    "given": (
        "if", "when", "whenever", "suppose", "assume", "assumed", "assuming", "given", "provided", "for", "with",
        "under", "as long as", "unless", "in case", "knowing", "we know", "we are told", "while", "iff",
    ),
    "requirement": (
        "need", "needs", "needed", "want", "wanted", "require", "requires", "required", "must", "should", "goal", "aim",
        "find", "seek", "such that", "so that", "to show", "show that", "prove that", "would like", "desired",
    ),
    "reason": ("since", "because", "as", "recall", "note that"),
    "answer": (
        "then", "so", "thus", "hence", "therefore", "get", "gives", "yields", "obtain", "obtains", "implies", "follows",
        "choose", "take", "use", "pick", "setting", "becomes", "is", "have", "has", "holds",
        "set", "answer", "equals", "means",
    ),
}  # fmt: skip
"""The words that say what the next formula is there for."""
STANDING = (
    "let", "suppose", "assume", "assumed", "define", "defined", "denote", "denotes", "denoted", "write", "call",
    "choose", "take", "use", "pick", "set",
)  # fmt: skip
"""Words whose formula is given to the rest of the answer, be it an answer itself; what follows the others is not."""
_ROLE_OF: dict[str, Role] = {cue: role for role, cues in CUES.items() for cue in cues}
_CUE = re.compile(rf"\b({'|'.join(sorted(map(re.escape, _ROLE_OF), key=len, reverse=True))})\b", re.IGNORECASE)
_JOINED = re.compile(r"\s*(?:,|;|and|,\s*and|or|&)?\s*", re.IGNORECASE)
_DEFINES = re.compile(r":=|≔|\\coloneqq|\\triangleq|≜|\\equiv|≡")
_CONDITION = re.compile(r"≫|≪|\\gg\b|\\ll\b|>>|<<|∈|\\in\b|∼|\\sim\b|~")
_INDEX = r"\s*(?:[a-zA-Z]|\\[a-z]+|\d+(?:\.\d+)?|∞|\\infty)\s*"
_SIMPLE_CONDITION = re.compile(rf"(?:{_INDEX}(?:≠|\\neq?\b|!=|[<>≤≥]|\\leq?\b|\\geq?\b|<=|>=|→|\\to\b))+{_INDEX}")


def role_of(formula: str, words_before: str, previous: tuple[Role, bool] | None) -> tuple[Role, bool]:
    """The role of a formula, and whether it stands for the rest of the answer.

    `words_before` are those of its sentence since the formula before it, whose role and standing are `previous`.

    >>> role_of("q = k_a", "Let ", None), role_of("i \\\\neq j", "for all ", None), role_of("c = v_a", "Then ", None)
    (('definition', True), ('given', False), ('answer', False))
    """
    if previous is not None and _JOINED.fullmatch(words_before) and previous[0] != "answer":
        return previous
    cues = [found[1].lower() for found in _CUE.finditer(words_before)]
    if _DEFINES.search(formula):
        return "definition", True
    concludes = bool(cues) and _ROLE_OF[cues[-1]] == "answer"
    if is_condition(formula) and not (concludes and _SIMPLE_CONDITION.fullmatch(formula)):
        return "given", bool(cues) and cues[-1] in STANDING
    return (_ROLE_OF[cues[-1]], cues[-1] in STANDING) if cues else ("answer", False)


def is_condition(formula: str) -> bool:
    """Whether a formula by itself reads as a condition: an order of single letters, ≫, membership, or a law.

    >>> is_condition("i ≠ j"), is_condition("C \\\\gg 0"), is_condition("q = k_a")
    (True, True, False)
    """
    return bool(_CONDITION.search(formula) or _SIMPLE_CONDITION.fullmatch(formula))
