"""One verdict for a text that makes several statements, or that can be read in two ways."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from regard.claims.verdict.records import VERDICT_WORDS, Verdict

SAYS = "the sentence says:"
"""How a note begins that shows one statement of a sentence in signs."""
READ_IN_PART = "what was read of it"
"""How the reason begins where a part of the words was not understood."""
DECIDED = ("holds", "holds-in-limit", "fails", "ill-formed")


def join_parts(claim: str, parts: Sequence[Verdict], notes: tuple[str, ...], unread: tuple[str, ...]) -> Verdict:
    """The verdict on a text by those on its statements: one that fails is enough, and all have to hold.

    Words that were not read may be another statement: without them the text can fail, but not hold.
    """
    failing = next((one for one in parts if one.verdict == "fails"), None)
    if failing is not None and _may_define(failing.claim, claim):
        reason = f"whether {failing.claim} is given or claimed is not plain ('let' says that it is given)"
        failing = replace(failing, verdict="not-understood", reason=reason, counterexample=None, nearest=None)
    first = failing or next((one for one in parts if not one.is_true), None)
    if first is not None:
        reason = first.reason if len(parts) == 1 else f"{_last_sentence(first.claim)}: {first.reason}"
        return replace(first, claim=claim, reason=reason, where=None, notes=(*notes, *first.notes))
    chosen = next((one for one in parts if one.verdict == "holds-in-limit"), parts[0])
    if unread:
        words = f"{READ_IN_PART} {VERDICT_WORDS[chosen.verdict]}, but these words were not understood: {unread[0]}"
        chosen = replace(chosen, verdict="not-understood", reason=words, how="", rates=())
    elif len(parts) > 1:
        chosen = replace(
            chosen, reason=f"each of its {len(parts)} statements {VERDICT_WORDS['holds']}; {chosen.reason}"
        )
    return replace(chosen, claim=claim, where=None, notes=(*notes, *chosen.notes))


def _may_define(statement: str, text: str) -> bool:
    """Whether a sentence before the last says no more than what one letter is: α = softmax(q/τ). Then …"""
    is_of_letter = re.match(r"\\?[A-Za-zα-ωŷ]+(?:_\w)? = ", statement) is not None
    return is_of_letter and re.search(rf"{re.escape(statement)}\.\s+\S", text) is not None


def write_statement(text: str) -> str:
    """A statement in signs, what is claimed first and behind it what is given.

    >>> write_statement("Let A is symmetric. Let c is a scalar. Then (cA)^T = cA")
    '(cA)^T = cA, given A is symmetric and c is a scalar'
    """
    *premises, claimed = re.split(r"\. (?=Let |Then )", text)
    if not premises:
        return text
    *others, last = (_write_premise(premise.removeprefix("Let ")) for premise in premises)
    given = f"{', '.join(others)} and {last}" if others else last
    return f"{claimed.removeprefix('Then ')}, given {given}"


def _write_premise(premise: str) -> str:
    """Something given, as one says it: the keys are orthonormal, x is a unit vector."""
    said = re.sub(r"(\w) be\b", lambda word: f"{word[1]} {'are' if word[1] == 's' else 'is'}", premise)
    return re.sub(r"\bis unit$", "is a unit vector", re.sub(r"\bis onehot$", "is one-hot", said))


def _last_sentence(claim: str) -> str:
    """What is claimed, without what is given."""
    return claim.rpartition("Then ")[2]


def choose_reading(sentence: Verdict, formula: Verdict) -> Verdict:
    """Of two ways to read a text the one that decides it; where both do and disagree, neither."""
    if formula.verdict not in DECIDED and sentence.reason.startswith(READ_IN_PART):
        return sentence
    if sentence.verdict == "undecided" and formula.verdict == "not-understood":
        return sentence
    if sentence.verdict not in DECIDED or sentence.verdict == "ill-formed":
        return formula
    if formula.verdict not in DECIDED:
        return sentence
    if formula.is_true == sentence.is_true or formula.verdict == "ill-formed":
        return formula
    reason = (
        f"read in two ways, of which one {VERDICT_WORDS[sentence.verdict]} and one {VERDICT_WORDS[formula.verdict]}"
    )
    return replace(
        sentence,
        verdict="undecided",
        reason=reason,
        counterexample=None,
        nearest=None,
        readings=(sentence, formula),
    )
