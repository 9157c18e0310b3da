"""What a claim of a sheet takes as given, and its verdict under that.

Within a question, definitions, choices and assumptions stand for all that follows ("Let q = …", "we choose M = …",
"Suppose α_j ≈ 1"), conditions for their sentence ("c ≈ v_j when α_j ≈ 1"). A claim is tried together with those that
say something of its letters. Where that cannot be understood, a claim that is true on its own is still true; one that
is not is left to a person, not failed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from regard.claims.sheets.formulas import FoundClaim
from regard.claims.syntax.lexer import split_run, tokenise
from regard.claims.verdict.records import Verdict
from regard.errors import NotUnderstood

Check = Callable[[str], Verdict]
MAX_GIVEN = 6
"""Statements under which one claim is tried; those that stand nearest before it."""
_LEFT_SIDE = re.compile(r"\s*(\\?[A-Za-zα-ωΑ-Ω]+)(?:_\{?(\w+)\}?)?\s*(?:=|:=|\\coloneqq|≔|≡|\\equiv)(?!=)")


def answers_with_context(found: Sequence[FoundClaim]) -> list[FoundClaim]:
    """The formulas that are to be judged, each with all that is given where it stands.

    Where a question has only definitions, the last of them is its answer: "Let q = C k_a." may be all there is. Rows of
    a table stand each for themselves.
    """
    answers: list[FoundClaim] = []
    for _, group in groupby(found, key=lambda claim: (claim.sheet, claim.student, claim.question)):
        claims = list(group)
        answers += _answers_of_question(claims) if all(claim.sentence for claim in claims) else claims
    return answers


def _answers_of_question(claims: list[FoundClaim]) -> Iterator[FoundClaim]:
    claims = _join_numbered(claims)
    if not any(claim.role == "answer" for claim in claims):
        last = next((i for i in reversed(range(len(claims))) if claims[i].role == "definition"), None)
        claims = [replace(claim, role="answer") if i == last else claim for i, claim in enumerate(claims)]
    standing: dict[str, str] = {}  # by what it defines, so that a later definition takes the place of an earlier one
    for _, group in groupby(claims, key=lambda claim: claim.sentence or str(claim.line)):
        sentence = list(group)
        nearby = [claim.text for claim in sentence if claim.role in ("given", "definition")]
        for claim in sentence:
            if claim.role in ("answer", "reason"):
                yield replace(claim, given=tuple(dict.fromkeys([*standing.values(), *nearby])))
            if claim.role == "definition" or claim.stands:
                standing[defined_letter(claim.text) or claim.text] = claim.text


def _join_numbered(claims: list[FoundClaim]) -> list[FoundClaim]:
    """Neighbouring answers such as q_1 = … and q_2 = … belong together: they are one claim."""
    joined: list[FoundClaim] = []
    for claim in claims:
        left, before = _number_of_answer(claim), _number_of_answer(joined[-1]) if joined else None
        if left and before and left[0] == before[0] and left[1] != before[1]:
            joined[-1] = replace(joined[-1], text=f"{joined[-1].text.rstrip(' ,.;')}; {claim.text}")
        else:
            joined.append(claim)
    return joined


def _number_of_answer(claim: FoundClaim) -> tuple[str, str] | None:
    found = _LEFT_SIDE.match(claim.text.rpartition(";")[2])
    return (found[1], found[2]) if claim.role == "answer" and found and (found[2] or "").isdigit() else None


def defined_letter(text: str) -> str:
    """The letter, with its index, that a formula defines; empty where its left side is no single letter.

    >>> defined_letter("q_1 = k_a"), defined_letter("c + d = s")
    ('q_1', '')
    """
    found = _LEFT_SIDE.match(text)
    return "" if not found else found[1] + (f"_{found[2]}" if found[2] else "")


def relevant(text: str, given: Sequence[str], open_letters: Iterable[str] = ()) -> tuple[str, ...]:
    """Those of `given` that say something of the claim's letters: what defines one of them, or a condition on one.

    The letters of a definition count as the claim's own, and so do the letters that a setting leaves open: its other
    letters may depend on them. What a claim defines itself is not defined before it. The nearest are taken, in order.
    """
    given = [each for each in given if not defined_letter(each) or defined_letter(each) != defined_letter(text)]
    letters, chosen = letters_of(text).union(open_letters), set[int]()
    while more := {i for i, each in enumerate(given) if i not in chosen and each != text and _concerns(each, letters)}:
        chosen |= more
        letters = letters.union(*(letters_of(given[i]) for i in more))
    return tuple(dict.fromkeys(given[i] for i in sorted(chosen)[-MAX_GIVEN:]))


def _concerns(given: str, letters: frozenset[str]) -> bool:
    """Whether it defines one of the letters; or, if it defines none, speaks of one."""
    defined = defined_letter(given).partition("_")[0].lstrip("\\")
    return defined in letters if defined else bool(letters & letters_of(given))


def letters_of(text: str) -> frozenset[str]:
    """The letters of a formula, without the words of a sentence; empty where it cannot be read."""
    try:
        tokens, _ = tokenise(text[:2000])
    except NotUnderstood:
        return frozenset(re.findall(r"[A-Za-zα-ω]", text))
    runs = (split_run(token.value) if token.kind == "letters" else [token.value] for token in tokens)
    kinds = (token.kind in ("letters", "name", "word") for token in tokens)
    return frozenset(letter for run, is_name in zip(runs, kinds, strict=True) if is_name for letter in run)


def in_context(text: str, given: Iterable[str]) -> str:
    """The claim as one sentence with what it takes as given: definitions follow it, conditions come first.

    >>> in_context("c = v_a", ["q = C k_a", "C ≫ 0"])
    'if C ≫ 0, then c = v_a with q = C k_a'
    """
    given = list(given)
    definitions = [each for each in given if defined_letter(each) and defined_letter(each) not in text.split()]
    conditions = [each for each in given if each not in definitions]
    sentence = text.rstrip(" .,;")
    if definitions:
        sentence += " with " + ", ".join(each.rstrip(" .,;") for each in definitions)
    if conditions:
        sentence = "if " + " and ".join(each.rstrip(" .,;") for each in conditions) + ", then " + sentence
    return sentence


def judge_in_context(found: FoundClaim, check: Check) -> Verdict:
    """The verdict on a claim under what its sheet takes as given."""
    if not found.given:
        return check(found.text)
    listed = "; ".join(found.given)
    together = check(in_context(found.text, found.given))
    if together.verdict not in ("not-understood", "ill-formed"):
        return replace(together, claim=found.text, notes=(*together.notes, f"taken as given: {listed}"))
    for fewer in dict.fromkeys([tuple(filter(defined_letter, found.given)), ()]):
        alone = check(in_context(found.text, fewer))
        if alone.is_true:
            spared = "; ".join(each for each in found.given if each not in fewer)
            return replace(alone, claim=found.text, notes=(*alone.notes, f"true without: {spared}"))
    if alone.verdict == "fails":
        reason = f"stated under {listed}, which could not be used ({together.reason}); a person has to look at it"
        return replace(alone, verdict="not-understood", reason=reason, counterexample=None, nearest=None, where=None)
    return alone
